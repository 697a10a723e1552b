import type { Link } from '../../src/domain/record/link.ts';
import type { WritePlan, WriteStep } from '../../src/domain/record/plan.ts';
import type { StoredPlan } from '../../src/ledger/ledger.ts';
import { MAX_OBSERVATION_AGE_MS } from '../../temporal.config.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import { failure } from '../support/to-failure.ts';
import { linkOf } from './observe.ts';

/** A write that was planned, with the link as it is before anything is sent. */
export type PlannedWrite<S extends WriteStep> = {
  readonly link: Link;
  readonly planId: string;
  readonly dueSeq: number;
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
  return { link, planId, dueSeq: stored.dueSeq, plan, stored };
}

/** No write leaves later than a minute after the observations it rests on. Fails as STALE where they have grown old. */
export function requireFresh(deps: ActivityDeps, { crmReadAt, vendorReadAt }: StoredPlan): void {
  const readings = [crmReadAt, vendorReadAt].flatMap((at) => (at === null ? [] : [Date.parse(at)]));
  const age = Date.parse(deps.now()) - Math.min(...readings);
  if (age > MAX_OBSERVATION_AGE_MS) throw failure('STALE', 'the observation behind this write is too old');
}

/** Notes in the ledger that the write leaves now. A plan leaves once: a second try has to observe first. */
export async function markSent(
  deps: ActivityDeps,
  { tenant, id }: StoredPlan,
  uncertain: 'create' | 'update' | null,
): Promise<void> {
  const isFirst = await deps.ledger.markSent(tenant, id, deps.now(), uncertain);
  if (!isFirst) throw failure('STALE', 'this write has left before');
}
