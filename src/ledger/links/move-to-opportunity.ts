import { converted, type MoveOfLead } from '../../domain/base/after-conversion.ts';
import { type Issue, isOfRivals } from '../../domain/record/issue.ts';
import type { Link } from '../../domain/record/link.ts';
import type { Statement, Store } from '../core/store.ts';
import { addJournal } from './journal.ts';
import type { LinkLedger } from './link-ledger.ts';
import { type StoredLink, sealedColumns, toLink } from './link-row.ts';
import { rowsByIds } from './links.ts';
import { mergeLinks, supersede } from './merge-links.ts';
import { isCreating } from './relink.ts';
import { resolveLink } from './resolve-link.ts';

/** Moves a deal from the link of a converted or merged lead to the link of the record that the lead became. Runs inside a transaction. */
export const moveToOpportunity: Statement<LinkLedger, 'moveToOpportunity'> = async (store, tenant, move, at) => {
  const { leadId, opportunityId, refused = null, firstStageUntil: until } = move;
  const { byCrm: before } = await rowsByIds(store, tenant, { crmId: leadId }, true);
  if (before === undefined) return 'unknown';
  if (isCreating(before)) return 'busy';
  // After a merge, `opportunityId` is the id of the other lead, and that lead may have become an opportunity meanwhile.
  const { link: found } = await resolveLink(store, tenant, { crmId: opportunityId }, at);
  const { byCrm: after } = await rowsByIds(store, tenant, { crmId: found.crmId ?? opportunityId }, true);
  if (after === undefined || isCreating(after)) return 'busy';
  if (after.key === before.key) return 'unknown';
  if (after.vendor_id !== null && before.vendor_id !== null) return 'taken';
  if (after.vendor_id !== null) {
    await supersede(store, after, before, at);
    return toLink(after, store.sealer);
  }
  const { issues } = toLink(before, store.sealer);
  const merged = await mergeLinks(store, after, before, at);
  const link = await noteConversion(store, merged, {
    ...{ leadId, refused, ...(until === undefined ? {} : { firstStageUntil: until }) },
    issues: issues.filter(isOfRivals),
  });
  if (before.key !== leadId) await leadToDeal(store, merged, leadId, at);
  const summary = { event: 'converted', leadId, crmId: link.crmId };
  await addJournal(store, tenant, link.key, [{ at, kind: 'link', summary, decisions: [] }]);
  return link;
};

/**
 * Makes the id of a converted lead an alias of the deal's link, so that later reports about the lead lead to this link. Needed if the
 * vendor created the deal. The deal's first link then got its key from the vendor's id, and the lead was added to it later. When the lead
 * was converted, that link ended, and its key became an alias, but not the lead's id. To add the lead's id as an alias, opens a link with
 * this id as key, and ends it at once in favour of the deal's link.
 */
async function leadToDeal(store: Store, deal: StoredLink, leadId: string, at: string): Promise<void> {
  await resolveLink(store, deal.tenant, { crmId: leadId }, at);
  const { byCrm: ended } = await rowsByIds(store, deal.tenant, { crmId: leadId }, true);
  if (ended !== undefined && ended.key !== deal.key) await supersede(store, deal, ended, at);
}

/**
 * The data that a deal gets from its former lead. `issues`: those of the lead's issues that the deal keeps. They say that several vendor
 * records carry the lead's id as their reference.
 */
type FromLead = Omit<MoveOfLead, 'crmId'> & { readonly issues: readonly Issue[] };

/**
 * Stores the lead's id, which the vendor may still use as reference, and marks the base (last agreed values) as coming from a lead. Plans
 * from before the conversion become invalid.
 */
async function noteConversion(store: Store, row: StoredLink, { issues, ...move }: FromLead): Promise<Link> {
  const { tenant, key, base, crmId, issues: own } = toLink(row, store.sealer);
  const marked = base === null || crmId === null ? undefined : converted(base, { ...move, crmId });
  const sealed = sealedColumns(tenant, key, { base: marked, issues: [...own, ...issues] }, store.sealer);
  const stored = await store.db
    .updateTable('links')
    .set({ ...sealed, former_ids: [...row.former_ids, move.leadId], moved_from: move.leadId, newest_plan: null })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toLink(stored, store.sealer);
}
