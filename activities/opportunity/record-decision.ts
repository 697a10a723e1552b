import type { Plan } from '../../src/domain/decide/plan.ts';
import { dueReport, type ReportInput, vendorStatusOf } from '../../src/domain/decide/report.ts';
import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import type { JournalEntry, Link, Settlement } from '../../src/ledger/ledger.ts';
import { pauseOnMassChange } from '../outage/pause-on-mass-change.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { SummaryNext, SyncSummary } from './summary.ts';

/** The news that a record has for the CRM's users, by what its link says now. */
export function reportOf(link: Link): ReturnType<typeof dueReport> {
  return dueReport(reportInput(link));
}

/** What a record stands at, for `report.ts`. */
export function reportInput(link: Link): ReportInput {
  return {
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    issues: link.issues,
    vendorObservation: link.vendorObservation,
    vendorStatus: link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation),
    reported: link.reported,
  };
}

/** A summary of where a record stands. */
export function summarise(
  link: Link,
  next: SummaryNext,
  more: {
    readonly planId?: string;
    readonly again?: boolean;
    readonly reportedMissing?: boolean;
    readonly reason?: string;
    readonly fields?: readonly string[];
  } = {},
): SyncSummary {
  return {
    planId: more.planId ?? null,
    next,
    again: more.again ?? false,
    reportedMissing: more.reportedMissing ?? false,
    reportDue: reportOf(link) !== null,
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    reason: more.reason ?? '',
    fields: more.fields ?? [],
    issues: link.issues.map((issue) => issue.code),
  };
}

/** What a decision rests on. `dueSeq` is the link's count when the work began: later intake stays due. */
export type DecisionContext = {
  readonly trigger: string;
  readonly dueSeq: number;
  readonly graph: CrmGraph | null;
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
};

/**
 * Brings a decision into the ledger: a write is stored as a plan before anything leaves, a need to look further
 * keeps what was read, and all else is settled at once, unless it would be one of too many that leave.
 */
export async function recordDecision(
  deps: ActivityDeps,
  link: Link,
  plan: Plan,
  context: DecisionContext,
): Promise<SyncSummary> {
  const { next, reason } = plan;
  const at = deps.now();
  if (next === 'search-vendor') return summarise(link, next, { reason });
  if (next === 'nothing' || next === 'parked' || next === 'detached') {
    await pauseOnMassChange(deps, link, plan.stateAfter);
    const settled = await deps.ledger.settle(link.tenant, link.key, settlementOf(link, plan, context, at));
    return summarise(settled, next, { reason });
  }
  const planId = await deps.ledger.savePlan(link.tenant, {
    key: link.key,
    createdAt: at,
    crmReadAt: context.crmReadAt,
    vendorReadAt: context.vendorReadAt,
    graph: context.graph,
    dueSeq: context.dueSeq,
    plan,
  });
  return summarise(link, next, { planId, reason, fields: plan.toVendor?.fields ?? changedFields(plan) });
}

function settlementOf(link: Link, plan: Plan, context: DecisionContext, at: string): Settlement {
  const linked = link.crmId !== null && link.vendorId !== null;
  const news = plan.decisions.length > 0 || plan.stateAfter !== link.state;
  return {
    at,
    state: plan.stateAfter,
    issues: plan.issues,
    doneSeq: context.dueSeq,
    ...(plan.next === 'nothing' && linked ? { base: plan.baseAfter } : {}),
    ...(news ? { journal: [decisionEntry(plan, context.trigger, at)] } : {}),
  };
}

/** The journal's line of a decision. */
function decisionEntry(plan: Plan, trigger: string, at: string): JournalEntry {
  return {
    at,
    kind: 'decision',
    summary: { trigger, next: plan.next, reason: plan.reason, state: plan.stateAfter },
    decisions: plan.decisions,
  };
}

function changedFields(plan: Plan): readonly string[] {
  return plan.decisions
    .filter(
      (item) => item.verdict === 'to-crm' || item.verdict === 'merged' || item.verdict === 'conflict-vendor',
    )
    .map((item) => item.field);
}
