import { cancellationSignal } from '@temporalio/activity';
import { isImportInDoubt } from '../../src/domain/base/in-doubt-writes.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { sameId } from '../../src/domain/record/salesforce-id.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { toFailure } from '../support/to-failure.ts';
import { settle } from './settle.ts';

/**
 * Handles a sales person's conversion or merge of a lead that Lockstep has just imported, if the import's answer was lost. `link`: the link
 * of the lead, or of the record that the lead became. If the lead has no link, links it to the vendor record from which it was imported. If
 * the vendor record is already linked to the record that the lead became, notes in the link's base that the deal comes from the lead;
 * returns that link, else null. Does nothing for a lead that Lockstep has not imported.
 */
export async function linkImportedLead(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  leadId: string,
): Promise<Link | null> {
  const { ledger } = deps;
  const vendorId = await importedFrom(runtime, leadId);
  if (vendorId === null) return null;
  if (link.vendorId === vendorId)
    return link.crmId === leadId ? null : settle(deps, link, { type: 'import-converted', leadId });
  const known = link.vendorId === null ? await ledger.findLinkByIds(link.tenant, { vendorId }) : null;
  if (known?.crmId === null && isImportInDoubt(known.base))
    await ledger.resolveLink(link.tenant, { crmId: leadId, vendorId }, deps.now());
  return null;
}

/** The vendor id of the record from which Lockstep imported the lead; null if Lockstep did not create the lead. */
async function importedFrom({ crm }: TenantRuntime, leadId: string): Promise<string | null> {
  const lead = await crm.readGraph(leadId, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
  const vendorId = lead?.opportunity['Vendor_Id__c'];
  return lead !== null && isOurs(lead) && typeof vendorId === 'string' ? vendorId : null;
}

/** Whether the integration user has created the lead. False if the user's id is unknown. */
function isOurs({ opportunity, readBy = null }: CrmGraph): boolean {
  return readBy !== null && sameId(String(opportunity['CreatedById']), readBy);
}
