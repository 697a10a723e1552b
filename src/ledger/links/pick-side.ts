import { withPick } from '../../domain/base/next-base.ts';
import type { Statement } from '../core/store.ts';
import { addJournal } from './journal.ts';
import type { LinkLedger } from './link-ledger.ts';
import { lockLink, sealedColumns, toLink } from './link-row.ts';
import { changedAt } from './link-version.ts';
import { followAlias } from './links.ts';

export const pickSide: Statement<LinkLedger, 'pickSide'> = async (store, tenant, given, { field, side }, entry) => {
  const key = await followAlias(store, tenant, given);
  const row = await lockLink(store, tenant, key);
  const base = row === undefined ? null : withPick(toLink(row, store.sealer).base, field, side);
  if (base === null) return false;
  await store.db
    .updateTable('links')
    .set({ ...sealedColumns(tenant, key, { base }, store.sealer), newest_plan: null, ...changedAt(entry.at) })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
  await addJournal(store, tenant, key, [entry]);
  return true;
};
