import type { Org } from '../org.ts';
import { ACCOUNT_TYPES } from '../schema/person-accounts.ts';
import { toApiInstant } from '../store/instant.ts';
import type { Value } from '../store/row.ts';

const ACCOUNTS = [
  { object: 'Account', name: ACCOUNT_TYPES.business, label: 'Business Account', active: true },
  { object: 'Account', name: ACCOUNT_TYPES.person, label: 'Person Account', active: true },
] as const;

/** Adds a row for each record type of the org's metadata that lacks one. */
export function plantRecordTypes({ store, clock, identity, metadata }: Org): void {
  const known = new Set(Array.from(store.rows('RecordType'), (row) => `${row['SobjectType']}.${row['DeveloperName']}`));
  const ofAccounts = store.schema.object('Account')?.fields.has('ispersonaccount') ? ACCOUNTS : [];
  for (const { object, name, label, active } of [...metadata.rules.recordTypes, ...ofAccounts]) {
    if (known.has(`${object}.${name}`)) continue;
    const at = toApiInstant(clock.now());
    const by = identity.salesUserId;
    const row: Record<string, Value> = { Id: store.nextId('012'), Name: label, DeveloperName: name };
    Object.assign(row, { SobjectType: object, IsActive: active, Description: null });
    Object.assign(row, { CreatedDate: at, CreatedById: by, LastModifiedDate: at, LastModifiedById: by });
    if (ofAccounts.length > 0) row['IsPersonType'] = object === 'Account' && name === ACCOUNT_TYPES.person;
    store.put('RecordType', { ...row, SystemModstamp: at });
  }
}
