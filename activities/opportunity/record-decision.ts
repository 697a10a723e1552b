import type { CrmGraph } from '../../src/domain/record/crm-graph.ts';
import { TO_CRM_VERDICTS } from '../../src/domain/record/field-decision.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { Plan } from '../../src/domain/record/plan.ts';
import { pauseOnMassChange } from '../outage/pause-on-mass-change.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { convertIfWanted } from './convert-lead.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';

/**
 * The circumstances of a decision, which are stored with it. `generation`: the record's change counter in the ledger (Lockstep's database)
 * when the work began. The stored decision completes only the sync of changes up to this number. A change that was counted later still has
 * to be synced.
 */
export type DecisionContext = {
  readonly trigger: string;
  readonly generation: number;
  readonly graph: CrmGraph | null;
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /** Whether the decision is based on a search of the vendor's records by partner reference (the CRM's record id), instead of a read. */
  readonly searched?: true;
};

/**
 * Stores a decision. A write or a vendor read is stored as a plan to execute, any other decision as the result of the sync. If the vendor
 * has made the lead an opportunity, converts the lead in Salesforce first. Pauses the tenant if too many deals would leave the scope (the
 * rule that says which deals are shared).
 */
export async function recordDecision(
  deps: ActivityDeps,
  link: Link,
  decided: Plan,
  context: DecisionContext,
): Promise<SyncSummary> {
  const plan = await convertIfWanted(deps.runtime(link.tenant), link, context.graph, decided);
  if (plan === 'converted') return summarise(link, { next: 'plan-again' }, 'Lockstep converted its lead');
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

/**
 * Names of the fields that a write sends, as in the canonical record. This is the common form of a deal into which Lockstep translates the
 * CRM's record and the vendor's record before it compares them.
 */
function fieldsOf(plan: Plan): readonly string[] {
  if ('intent' in plan) return plan.intent.fields;
  return plan.decisions.filter((item) => TO_CRM_VERDICTS.has(item.verdict)).map((item) => item.field);
}
