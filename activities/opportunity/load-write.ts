import type { Link } from '../../src/domain/record/link.ts';
import type { WritePlan, WriteStep } from '../../src/domain/record/plan.ts';
import type { StoredPlan } from '../../src/ledger/plans/plan-ledger.ts';
import { MAX_OBSERVATION_AGE_MS } from '../../temporal.config.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';

/** A write that was planned, with the link as it is before anything is sent. */
export type PlannedWrite<S extends WriteStep> = {
  readonly link: Link;
  readonly planId: string;
  readonly generation: number;
  readonly plan: Extract<WritePlan, { readonly next: S }>;
  readonly stored: StoredPlan;
};

/** Loads the write of a plan. Fails as STALE where the ledger has none of that kind any more. */
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
 * Notes in the ledger that the write leaves now. A plan leaves once, while it is its link's newest, and not later than a
 * minute after the observations it rests on; fails as STALE where one of that is not so, and the record is observed again.
 */
export async function markSent(
  deps: ActivityDeps,
  { tenant, id }: StoredPlan,
  uncertain: 'create' | 'update' | null,
): Promise<void> {
  const at = deps.now();
  const notBefore = new Date(Date.parse(at) - MAX_OBSERVATION_AGE_MS).toISOString();
  const mayLeave = await deps.ledger.markSent(tenant, id, { at, uncertain, notBefore });
  if (!mayLeave)
    throw failure('STALE', 'this write has left before, is not the newest or rests on an old observation');
}
