import { converted } from '../../src/domain/base/after-conversion.ts';
import { baseOfImportedLead, isImportInDoubt } from '../../src/domain/base/in-doubt-writes.ts';
import { observeCrm } from '../../src/domain/mapping/index.ts';
import { mappingOf } from '../../src/domain/mapping/leads/lead-mapping.ts';
import type { Base } from '../../src/domain/record/base.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { sameId } from '../../src/domain/record/salesforce-id.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { completeConversion, type Move, readRecord } from './complete-conversion.ts';
import { settle } from './settle.ts';

/**
 * Handles a lead that Lockstep created from a vendor record (an import), and that users have converted or merged since. Acts only if the
 * answer to the create was lost, so that Lockstep does not know yet that the lead was created. Then links the lead to the vendor record,
 * and stores the values on which both sides agree.
 *
 * Returns null, with one exception, and the caller then moves the link to the record that the lead became. The exception: that record is
 * already linked to the vendor record. Then stores the values in its link, and returns this link. `link`: the link (stored pair of CRM
 * record and vendor record) of the lead, or of the record that the lead became.
 */
export async function linkImportedLead(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  move: Move,
): Promise<Link | null> {
  const lead = await readRecord(runtime.crm, move.leadId);
  const vendorId = lead?.opportunity['Vendor_Id__c'];
  if (lead === null || typeof vendorId !== 'string' || !isOurs(lead)) return null;
  const known = await importing(deps, link, vendorId);
  const mapping = mappingOf(runtime.tenant.mapping, move.leadId);
  const base = known === null ? null : baseOfImportedLead(known.base, observeCrm(lead, mapping), mapping);
  if (known === null || base === null) return null;
  const ids = { crmId: move.leadId, vendorId };
  const own = known.crmId === null ? (await deps.ledger.resolveLink(link.tenant, ids, deps.now())).link : known;
  const isMoved = own.crmId !== move.leadId;
  const after = isMoved ? await moved(deps, runtime, move, base) : base;
  const settled = await settle(deps, own, { type: 'lead-imported', base: after });
  return isMoved ? settled : null;
}

/**
 * Finds the link (stored pair of CRM record and vendor record) of the vendor record `vendorId`, if its import is in doubt. In doubt means
 * that Lockstep does not know whether the CRM record was created. The result is `link`, if it is the vendor record's link. It may also be
 * another link, but only if `link` has no vendor record and the other link has no CRM record. Null if neither is the case. Also null if
 * Lockstep has refused to link the vendor record to the CRM record of `link`.
 */
async function importing({ ledger }: ActivityDeps, link: Link, vendorId: string): Promise<Link | null> {
  if (link.refusedClaim?.vendorId === vendorId) return null;
  const known = link.vendorId === vendorId ? link : await ledger.findLinkByIds(link.tenant, { vendorId });
  const isFree = known?.key === link.key || (link.vendorId === null && known?.crmId === null);
  return known !== null && isFree && isImportInDoubt(known.base) ? known : null;
}

async function moved(deps: ActivityDeps, runtime: TenantRuntime, move: Move, base: Base): Promise<Base> {
  const completed = await completeConversion(deps, runtime, move, base);
  return converted(base, { leadId: move.leadId, crmId: move.opportunityId, ...completed });
}

/** Whether the integration user has created the lead. False if the user's id is unknown. */
function isOurs({ opportunity, readBy = null }: CrmGraph): boolean {
  return readBy !== null && sameId(String(opportunity['CreatedById']), readBy);
}
