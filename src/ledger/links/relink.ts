import { adoptionLine } from '../../domain/evolve/journal-lines.ts';
import { linkedByAdoption } from '../../domain/record/linked-by.ts';
import type { Statement, Store } from '../core/store.ts';
import { liftBar } from './barred-pairs.ts';
import { addJournal } from './journal.ts';
import type { LinkedIds, LinkLedger } from './link-ledger.ts';
import type { StoredLink } from './link-row.ts';
import { rowsByIds } from './links.ts';
import { mergeLinks } from './merge-links.ts';
import { resolveLink } from './resolve-link.ts';

/**
 * Moves a deal's link from the opportunity `from` of the previous org to the opportunity `to` of the tenant's new org. Runs inside a
 * transaction.
 */
export const relink: Statement<LinkLedger, 'relink'> = async (store, tenant, { from, to, vendorId }, prefer, at) => {
  const { byCrm: before } = await rowsByIds(store, tenant, { crmId: from }, true);
  if (before?.vendor_id !== vendorId || isCreating(before)) return false;
  await resolveLink(store, tenant, { crmId: to }, at);
  const { byCrm: after } = await rowsByIds(store, tenant, { crmId: to }, true);
  if (after === undefined || after.vendor_id !== null || isCreating(after)) return false;
  await liftBar(store, tenant, { crmId: to, vendorId });
  const { former_ids: former } = await mergeLinks(store, after, before, at);
  if (before.key === from) await keepFormer(store, tenant, from);
  const entry = adoptionLine(at, { matchedOn: 'relink', candidates: 1, prefer, crmId: to, vendorId, movedFrom: from });
  await store.db
    .updateTable('links')
    .set({
      ...{ base: null, vendor_observation: null, awaits_echo: false, first_pick: prefer },
      former_ids: [...former, from],
      moved_from: from,
      linked_by: JSON.stringify(linkedByAdoption(entry)),
    })
    .where('tenant', '=', tenant)
    .where('key', '=', after.key)
    .execute();
  await addJournal(store, tenant, after.key, [entry]);
  return true;
};

/**
 * Part of moving a deal to the tenant's new org. The former link of the deal has as key the opportunity's id in the previous org, and the
 * move made this key an alias of the deal's new link. Deletes the alias and gives the id back to the former link. That link becomes
 * detached (is not synced). So the id leads again to the old opportunity, and not to the moved deal.
 */
async function keepFormer(store: Store, tenant: string, crmId: string): Promise<void> {
  await store.db.deleteFrom('link_aliases').where('tenant', '=', tenant).where('alias', '=', crmId).execute();
  await store.db
    .updateTable('links')
    .set({ crm_id: crmId, state: 'detached' })
    .where('tenant', '=', tenant)
    .where('key', '=', crmId)
    .execute();
}

/** Whether a create of the deal at the vendor may be on its way. */
export function isCreating({ vendor_in_doubt, adopting_since }: StoredLink): boolean {
  return vendor_in_doubt === 'create' || adopting_since !== null;
}

export const linkedIds: Statement<LinkLedger, 'linkedIds'> = async (store: Store, tenant, afterKey, limit) => {
  const rows = await store.db
    .selectFrom('links')
    .select(['key', 'crm_id', 'vendor_id', 'former_ids'])
    .where('tenant', '=', tenant)
    .where('key', '>', afterKey)
    .where('crm_id', 'is not', null)
    .where('vendor_id', 'is not', null)
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map(
    (row): LinkedIds => ({
      key: row.key,
      crmId: String(row.crm_id),
      vendorId: String(row.vendor_id),
      formerIds: row.former_ids,
    }),
  );
};
