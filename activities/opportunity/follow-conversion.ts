import { cancellationSignal } from '@temporalio/activity';
import type { CrmSide } from '../../src/domain/decide/input.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { isLeadId } from '../../src/domain/record/salesforce-id.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

type Move = { readonly leadId: string; readonly opportunityId: string };

/**
 * Moves a deal from its converted or merged lead to the opportunity or lead that it became. Returns the next step; null if nothing is to be
 * moved. Looks from both ends, because either may be noticed first: from the lead, and from an opportunity that is not yet at the vendor.
 */
export async function followConversion(
  deps: ActivityDeps,
  runtime: TenantRuntime,
  link: Link,
  crm: CrmSide,
): Promise<SyncSummary | null> {
  if (runtime.tenant.mapping.leads === undefined || crm.kind !== 'observed' || link.crmId === null) return null;
  const moves = await movesOf(runtime, link, crm);
  for (const move of moves) {
    const moved = await moveTo(deps, runtime, link, move);
    if (moved !== null) return moved;
  }
  return null;
}

async function movesOf(
  { crm }: TenantRuntime,
  { crmId, vendorId, vendorInDoubt, adoptingSince }: Link,
  side: Extract<CrmSide, { kind: 'observed' }>,
): Promise<readonly Move[]> {
  const { graph } = side.observation;
  const isCreating = vendorInDoubt === 'create' || adoptingSince !== null;
  // The create of a lead is searched for by the lead's own id first. A converted lead can still be read.
  if (crmId === null || isCreating) return [];
  if (graph.lead !== undefined) {
    const opportunityId = graph.lead.opportunityId ?? graph.lead.mergedInto;
    return opportunityId === null ? [] : [{ leadId: crmId, opportunityId }];
  }
  if (vendorId !== null || !scopeOf(graph.opportunity).inScope) return [];
  const leads = await crm.leadsConvertedInto(crmId, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
  return leads.map((leadId) => ({ leadId, opportunityId: crmId }));
}

/** How long until it is known whether a create has made a vendor record, in milliseconds. */
const WHILE_CREATING_MS = 5_000;

async function moveTo(deps: ActivityDeps, runtime: TenantRuntime, link: Link, move: Move): Promise<SyncSummary | null> {
  const { tenant, key } = link;
  if (link.crmId === move.leadId) await keepShared(runtime, move.opportunityId);
  const moved = await deps.ledger.moveToOpportunity(tenant, move, deps.now());
  switch (moved) {
    case 'unknown':
      return null;
    case 'busy':
      throw failure('TRANSIENT', 'a create of the deal may be under way', {
        waitsFor: 'adoption',
        retryAfterMs: WHILE_CREATING_MS,
        isOurs: true,
      });
    case 'taken':
      return link.crmId === move.leadId ? parkConverted(deps, link) : null;
    default:
      if (moved.key !== key) return supersededBy(deps, tenant, moved.key, moved);
      return summarise(moved, { next: 'plan-again' }, 'its lead was converted');
  }
}

/** Parks a deal whose lead and opportunity both have a vendor record, because a person must decide which of the records goes on. */
async function parkConverted(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  const issue = ISSUES.convertedIntoLinked();
  const settled = await settle(deps, link, { type: 'adoption-parked', issue });
  return summarise(settled, { next: 'parked' }, issue.code);
}

/**
 * Ticks "Vendor: share" of an opportunity whose lead was shared when a user converted it. The conversion did not copy the tick, and no user
 * ended the sharing.
 */
async function keepShared({ crm }: TenantRuntime, opportunityId: string): Promise<void> {
  if (isLeadId(opportunityId)) return;
  const call = { signal: cancellationSignal() };
  try {
    const graph = await crm.readGraph(opportunityId, call);
    if (graph === null || graph.opportunity['IsDeleted'] === true || graph.opportunity['Vendor_Share__c'] === true)
      return;
    const [error] = await crm.updateRows('Opportunity', [{ Id: opportunityId, Vendor_Share__c: true }], call);
    if (error) throw error;
  } catch (error) {
    throw toFailure(error);
  }
}
