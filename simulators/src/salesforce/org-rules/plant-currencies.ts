import type { Org } from '../org.ts';
import { toApiInstant } from '../store/instant.ts';

/** Adds a row for each currency of the org that lacks one, with the org's initial rate. */
export function plantCurrencies({ store, clock, identity }: Org): void {
  const known = new Set(Array.from(store.rows('CurrencyType'), (row) => row['IsoCode']));
  for (const [position, { isoCode, rate }] of store.schema.currencies.entries()) {
    if (known.has(isoCode)) continue;
    const at = toApiInstant(clock.now());
    const by = identity.salesUserId;
    store.put('CurrencyType', {
      Id: store.nextId('01L'),
      ...{ IsoCode: isoCode, ConversionRate: rate, DecimalPlaces: 2 },
      ...{ IsActive: true, IsCorporate: position === 0 },
      ...{ CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by, SystemModstamp: at },
    });
  }
}
