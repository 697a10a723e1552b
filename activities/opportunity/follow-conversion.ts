import { cancellationSignal } from '@temporalio/activity';
import { isImportInDoubt } from '../../src/domain/base/in-doubt-writes.ts';
import type { CrmSide } from '../../src/domain/decide/input.ts';
import { ISSUES } from '../../src/domain/record/issues.ts';
import type { Link } from '../../src/domain/record/link.ts';
import { scopeOf } from '../../src/domain/record/scope.ts';
import type { ActivityDeps, TenantRuntime } from '../support/deps.ts';
import { failure, toFailure } from '../support/to-failure.ts';
import { type Completed, completeConversion, type Move } from './complete-conversion.ts';
import { linkImportedLead } from './link-imported-lead.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

/**
 * Moves a deal's link (the stored pair of CRM record and vendor record) from a lead that was converted or merged to the record that the
 * lead became. Returns the next step; null if the link need not move. `crm`: the CRM record that was just read, either the lead or the new
 * record.
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
    const mayBeImported = link.vendorId === null || isImportInDoubt(link.base);
    const noted = mayBeImported ? await linkImportedLead(deps, runtime, link, move) : null;
    if (noted !== null) return summarise(noted, { next: 'plan-again' }, 'its lead was converted');
    const moved = await moveTo(deps, runtime, link, move);
    if (moved !== null) return moved;
  }
  return null;
}

async function movesOf(
  { crm }: TenantRuntime,
  link: Link,
  side: Extract<CrmSide, { kind: 'observed' }>,
): Promise<readonly Move[]> {
  const { graph } = side.observation;
  const { crmId, vendorId, vendorInDoubt, adoptingSince } = link;
  const isCreating = vendorInDoubt === 'create' || adoptingSince !== null;
  // The create of a lead is searched for by the lead's own id first. A converted lead can still be read.
  if (crmId === null || isCreating) return [];
  const became = graph.lead?.opportunityId ?? graph.lead?.mergedInto ?? null;
  if (became !== null) return [{ leadId: crmId, opportunityId: became }];
  if ((vendorId !== null && !isImportInDoubt(link.base)) || !scopeOf(graph.opportunity).inScope) return [];
  const leads = await crm.leadsConvertedInto(crmId, { signal: cancellationSignal() }).catch((error: unknown) => {
    throw toFailure(error);
  });
  return leads.map((leadId) => ({ leadId, opportunityId: crmId }));
}

/**
 * How long to wait, in ms, before a converted lead's deal is moved to its opportunity, if a create at the vendor may be under way for the
 * lead or the opportunity.
 */
const WHILE_CREATING_MS = 5_000;

async function moveTo(deps: ActivityDeps, runtime: TenantRuntime, link: Link, move: Move): Promise<SyncSummary | null> {
  const { tenant, key } = link;
  const completed = await completionOf(deps, runtime, move);
  const moved = await deps.ledger.moveToOpportunity(tenant, { ...move, ...completed }, deps.now());
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

/**
 * Parks (leaves waiting) a deal whose lead and opportunity both have a vendor record, because a person must decide which of the two records
 * remains.
 */
async function parkConverted(deps: ActivityDeps, link: Link): Promise<SyncSummary> {
  const issue = ISSUES.convertedIntoLinked();
  const settled = await settle(deps, link, { type: 'adoption-parked', issue });
  return summarise(settled, { next: 'parked' }, issue.code);
}

/**
 * Completes a lead's conversion (shares the opportunity and writes missing edits to it), and returns the result. Returns null, and does
 * nothing, if the lead has no link (stored pair of CRM record and vendor record), or if the opportunity is linked to a vendor record
 * already.
 */
async function completionOf(deps: ActivityDeps, runtime: TenantRuntime, move: Move): Promise<Completed | null> {
  const { leadId, opportunityId } = move;
  const { tenant } = runtime.tenant;
  const before = await deps.ledger.findLinkByIds(tenant, { crmId: leadId });
  const after = await deps.ledger.findLinkByIds(tenant, { crmId: opportunityId });
  const isOther = after !== null && after.vendorId !== null;
  return before?.crmId !== leadId || isOther ? null : completeConversion(deps, runtime, move, before.base);
}
