import { editAge } from '../../src/domain/evolve/edit-age.ts';
import { isBulk } from '../../src/domain/loop/work-class.ts';
import type { WriteStep } from '../../src/domain/record/plan.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import type { PlannedWrite } from './load-write.ts';

/**
 * Records, after a write to the CRM or the vendor, how long a user's edit took to arrive there. Does not record bulk work, because its
 * edits are old.
 */
export function noteArrival(
  deps: Pick<ActivityDeps, 'onArrival' | 'now'>,
  { work }: PlanArgs,
  { link, plan }: Pick<PlannedWrite<WriteStep>, 'link' | 'plan'>,
): void {
  const age = isBulk(work) ? null : editAge(link, plan, deps.now());
  if (age !== null) deps.onArrival?.(age);
}
