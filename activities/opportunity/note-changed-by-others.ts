import { holdOf, issueHolding } from '../../src/domain/decide/holds.ts';
import type { Ambiguity, CrmSide } from '../../src/domain/decide/input.ts';
import { changedByOthers } from '../../src/domain/decide/owned-fields.ts';
import { reportInput } from '../../src/domain/decide/report.ts';
import { isGone, isToEmpty, withRowUnknown } from '../../src/domain/decide/reported.ts';
import { isVendorIdTaken } from '../../src/domain/evolve/after-report.ts';
import { type Link, MANUAL_RETRY } from '../../src/domain/record/link.ts';
import { crmVersionOf } from '../../src/domain/record/observation.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { settle } from './settle.ts';

/**
 * Stores which CRM fields a user changed although only Lockstep may write them, so that Lockstep's next report to the CRM restores them.
 * Skips an opportunity that was never synced, with one exception. If an operator separated the opportunity from a vendor record, it may
 * still show that record's id. The next report then empties the field, because the id is wrong.
 *
 * Also notes if an opportunity that was deleted at the last report is in the CRM again, so that the next report is sent. Returns the
 * current link (the stored pair of CRM record and vendor record).
 */
export async function noteChangedByOthers(
  deps: ActivityDeps,
  link: Link,
  crm: CrmSide,
  ambiguity: Ambiguity | null,
): Promise<Link> {
  if (ambiguity?.kind === 'separated' && crm.kind === 'observed') {
    const isShown = Boolean(crm.observation.graph.opportunity['Vendor_Id__c']);
    return isShown && !isToEmpty(link.reported) ? settle(deps, link, { type: 'separated-id-shown' }) : link;
  }
  if (crm.kind === 'observed' && isGone(link.reported) && crm.observation.graph.opportunity['IsDeleted'] !== true)
    return settle(deps, link, {
      type: 'reported',
      shows: withRowUnknown(link.reported),
      answer: 'back in the CRM',
    });
  if (link.base === null || crm.kind !== 'observed') return link;
  const { opportunity } = crm.observation.graph;
  if (!scopeOf(opportunity).inScope) return link;
  const fields = changedByOthers(reportInput(link), opportunity);
  if (fields.length === 0) return link;
  // A refused vendor id is written again only after a user saves the opportunity or requests a retry.
  const tried = holdOf('crm', 'vendor-id', link.vendorId, crmVersionOf(crm.observation));
  const sendsRefusedAgain = link.retryAt === MANUAL_RETRY;
  if (issueHolding(tried, { link, sendsRefusedAgain }) !== undefined) return link;
  return settle(deps, link, { type: 'owned-changed', fields, tried: isVendorIdTaken(link) ? tried : null });
}
