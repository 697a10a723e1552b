import { withPick } from '../../domain/base/next-base.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import type { Store } from '../core/store.ts';
import { addJournal } from './journal.ts';
import { sealedColumns, toLink } from './link-row.ts';
import { followAlias } from './links.ts';

/** Stores a person's pick for one field under the link's lock; runs inside a transaction. See `Ledger.pickSide`. */
export async function pickSide(
  store: Store,
  tenant: string,
  given: string,
  { field, side }: { readonly field: FieldName; readonly side: PickedSide },
  entry: JournalEntry,
): Promise<boolean> {
  const key = await followAlias(store, tenant, given);
  const row = await store.db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .forUpdate()
    .executeTakeFirst();
  const base = row === undefined ? null : withPick(toLink(row, store.sealer).base, field, side);
  if (base === null) return false;
  await store.db
    .updateTable('links')
    .set({ ...sealedColumns(tenant, key, { base }, store.sealer), newest_plan: null, updated_at: entry.at })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
  await addJournal(store, tenant, key, [entry]);
  return true;
}
