import type { JournalEntry } from '../domain/record/journal.ts';
import type { Link } from '../domain/record/link.ts';
import { addJournal } from './journal.ts';
import { rowsByIds } from './links.ts';
import { resolveLink } from './resolve-link.ts';
import type { Store } from './store.ts';

/**
 * Links a vendor record to the opportunity it was recognised as; runs inside a transaction. Null when that is no
 * longer free, because another counterpart was found or a create at the vendor left meanwhile.
 */
export async function adopt(
  store: Store,
  tenant: string,
  ids: { readonly crmId: string; readonly vendorId: string },
  entry: JournalEntry,
): Promise<Link | null> {
  const { byCrm, byVendor } = await rowsByIds(store, tenant, ids, true);
  if (byVendor !== undefined && byVendor.crm_id !== null) return null;
  if (byCrm !== undefined) {
    const isBusy = byCrm.vendor_uncertain !== 'no' || byCrm.adopting_since !== null;
    if (byCrm.vendor_id !== null || isBusy) return null;
  }
  const { link } = await resolveLink(store, tenant, ids, entry.at);
  await addJournal(store, tenant, link.key, [entry]);
  return link;
}
