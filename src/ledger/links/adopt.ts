import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import { type LinkedBy, linkedByAdoption } from '../../domain/record/linked-by.ts';
import type { PickedSide } from '../../domain/record/pick.ts';
import type { Store } from '../core/store.ts';
import { isBarred, liftBar } from './barred-pairs.ts';
import { addJournal } from './journal.ts';
import type { Fence } from './link-ledger.ts';
import { requireFenced } from './link-version.ts';
import { rowsByIds } from './links.ts';
import { resolveLink } from './resolve-link.ts';

/**
 * Links a vendor record to the opportunity that matches it. Returns null and changes nothing in three cases: either record is already
 * linked, a write of the opportunity at the vendor is on its way, or an operator separated the two records. `word`: set if an operator
 * ordered the link. The two records are then linked even if an operator separated them before. `word.prefer`: the side whose values win;
 * null if none was named. Runs inside a transaction.
 */
export async function adopt(
  store: Store,
  tenant: string,
  ids: { readonly crmId: string; readonly vendorId: string },
  entry: JournalEntry,
  { word, fence }: { readonly word?: { readonly prefer: PickedSide | null }; readonly fence?: Fence | undefined } = {},
): Promise<Link | null> {
  const { byCrm, byVendor } = await rowsByIds(store, tenant, ids, true);
  requireFenced([byCrm, byVendor], fence);
  if (byVendor !== undefined && byVendor.crm_id !== null) return null;
  if (byCrm !== undefined) {
    const isBusy = byCrm.vendor_in_doubt !== 'no' || byCrm.adopting_since !== null;
    if (byCrm.vendor_id !== null || isBusy) return null;
  }
  if (word !== undefined) await liftBar(store, tenant, ids);
  else if (await isBarred(store, tenant, ids)) return null;
  const { link } = await resolveLink(store, tenant, ids, entry.at);
  if (word !== undefined) await notePreference(store, link, word.prefer);
  const linkedBy = linkedByAdoption(entry);
  await noteLinkedBy(store, link, linkedBy);
  await addJournal(store, tenant, link.key, [entry]);
  return { ...link, linkedBy };
}

async function noteLinkedBy(store: Store, { tenant, key }: Link, linkedBy: LinkedBy): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ linked_by: JSON.stringify(linkedBy) })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}

/**
 * Deletes the link's base (last agreed values), because the two records of the new pair have not agreed on any value yet. Stores the side
 * (CRM or vendor) whose values win.
 */
async function notePreference(store: Store, { tenant, key }: Link, prefer: PickedSide | null): Promise<void> {
  await store.db
    .updateTable('links')
    .set({ base: null, first_pick: prefer })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}
