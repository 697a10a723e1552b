import type { Org } from '../org.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Value } from '../store/row.ts';

/** Adds a row for each record type of the org's metadata that lacks one. */
export function plantRecordTypes({ store, clock, identity, metadata }: Org): void {
  const known = new Set(
    Array.from(store.rows('RecordType'), (row) => `${row['SobjectType']}.${row['DeveloperName']}`),
  );
  for (const { object, name, label, active } of metadata.rules.recordTypes) {
    if (known.has(`${object}.${name}`)) continue;
    const at = toApiInstant(clock.now());
    const by = identity.salesUserId;
    const row: Record<string, Value> = { Id: store.nextId('012'), Name: label, DeveloperName: name };
    Object.assign(row, { SobjectType: object, IsActive: active, Description: null });
    Object.assign(row, { CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by });
    store.put('RecordType', { ...row, SystemModstamp: at });
  }
}
