import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import { TO_CRM_VERDICTS } from '../../src/domain/record/field-decision.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { pauseOnMassChange } from '../outage/pause-on-mass-change.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

/** What a decision rests on. `generation` is the link's count when the work began: later intake stays due. */
export type DecisionContext = {
  readonly trigger: string;
  readonly generation: number;
  readonly graph: CrmGraph | null;
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /** It rests on a search by our reference, and not on a reading. */
  readonly searched?: true;
};

/**
 * Brings a decision into the ledger: a write is stored as a plan before anything is sent, a need to read further
 * keeps what was read, and all else is settled at once, unless it would be one of too many that are detached.
 */
export async function recordDecision(
  deps: ActivityDeps,
  link: Link,
  plan: Plan,
  context: DecisionContext,
): Promise<SyncSummary> {
  const { reason } = plan;
  switch (plan.next) {
    case 'search-vendor':
      return summarise(link, { next: plan.next, reportedMissing: false }, reason);
    case 'nothing':
    case 'parked':
    case 'detached': {
      await pauseOnMassChange(deps, link, plan.stateAfter);
      const { trigger, generation, searched } = context;
      const outcome = { type: 'decided', plan, trigger, generation, ...(searched && { searched }) } as const;
      const settled = await settle(deps, link, outcome);
      return summarise(settled, { next: plan.next }, reason);
    }
    default: {
      const planId = await savePlan(deps, link, plan, context);
      return summarise(link, { next: plan.next, planId }, reason, fieldsOf(plan));
    }
  }
}

function savePlan(
  deps: ActivityDeps,
  { tenant, key }: Link,
  plan: Plan,
  { crmReadAt, vendorReadAt, graph, generation }: DecisionContext,
): Promise<string> {
  const createdAt = deps.now();
  return deps.ledger.savePlan(tenant, { key, createdAt, crmReadAt, vendorReadAt, graph, generation, plan });
}

/** The canonical fields that a write carries, by name. */
function fieldsOf(plan: Plan): readonly string[] {
  if ('intent' in plan) return plan.intent.fields;
  return plan.decisions.filter((item) => TO_CRM_VERDICTS.has(item.verdict)).map((item) => item.field);
}
