import { editAge } from '../../src/domain/evolve/edit-age.ts';
import type { WriteStep } from '../../src/domain/record/plan.ts';
import type { ActivityDeps, PlanArgs } from '../support/deps.ts';
import type { PlannedWrite } from './load-write.ts';

/**
 * Records how long a user's edit took to arrive at the other side; to be called after the write. Skips bulk work, because its edits are
 * old.
 */
export function noteArrival(
  deps: Pick<ActivityDeps, 'onArrival' | 'now'>,
  { share }: PlanArgs,
  { link, plan }: Pick<PlannedWrite<WriteStep>, 'link' | 'plan'>,
): void {
  const age = share === undefined ? editAge(link, plan, deps.now()) : null;
  if (age !== null) deps.onArrival?.(age);
}
