import type { Link } from '../../src/domain/record/link.ts';
import type { WritePlan, WriteStep } from '../../src/domain/record/plan.ts';
import type { StoredPlan } from '../../src/ledger/plans/plan-ledger.ts';
import { MAX_OBSERVATION_AGE_MS } from '../../temporal.config.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';

/** A planned write to the CRM or to the vendor. `link`: the stored pair of CRM record and vendor record, as it was before the write. */
export type PlannedWrite<S extends WriteStep> = {
  readonly link: Link;
  readonly planId: string;
  readonly generation: number;
  readonly plan: Extract<WritePlan, { readonly next: S }>;
  readonly stored: StoredPlan;
};

/**
 * Loads a planned write from the ledger (Lockstep's database). Fails as STALE if the ledger has no such plan, or if the plan's next step is
 * not `step`.
 */
export async function loadWrite<S extends WriteStep>(
  deps: ActivityDeps,
  { tenant, key, planId }: PlanArgs,
  step: S,
): Promise<PlannedWrite<S>> {
  const link = await linkOf(deps, tenant, key);
  const stored = await deps.ledger.loadPlan(tenant, planId);
  if (stored?.plan.next !== step) throw failure('STALE', 'the plan is no longer in the ledger');
  const plan = stored.plan as PlannedWrite<S>['plan'];
  return { link, planId, generation: stored.generation, plan, stored };
}

/**
 * Marks a planned write as sent, before its request. Fails as STALE in three cases: another writer has changed the record's link (its row
 * in Lockstep's database) since this writer read it, this plan was sent before, or the plan is based on reads that are older than a minute.
 */
export async function markSent(
  deps: ActivityDeps,
  { tenant, id }: StoredPlan,
  uncertain: 'create' | 'update' | null,
): Promise<void> {
  const at = deps.now();
  const notBefore = new Date(Date.parse(at) - MAX_OBSERVATION_AGE_MS).toISOString();
  const mayLeave = await deps.ledger.markSent(tenant, id, { at, uncertain, notBefore });
  if (!mayLeave) throw failure('STALE', 'this write has left before, is not the newest or rests on an old observation');
}
