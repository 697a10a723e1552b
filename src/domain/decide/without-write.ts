import type { Issue } from '../record/issue.ts';
import type { LinkState } from '../record/link-state.ts';
import type { LookFurther, Waiting } from '../record/plan.ts';

/** More has to be known; what is told of the record stays as it is. */
export function lookFurther(
  next: LookFurther['next'],
  reason: string,
  stateAfter: LinkState,
  issues: readonly Issue[],
): LookFurther {
  return { next, reason, decisions: [], issues, stateAfter };
}

/** A record that is not shared, or shared no more. `issues`: what has to be known of it when it is shared again. */
export function detached(reason: string, issues: readonly Issue[] = []): Waiting {
  return { next: 'detached', reason, decisions: [], issues, stateAfter: 'detached' };
}

/** A record that cannot go on until somebody acts. */
export function parked(issues: readonly Issue[]): Waiting {
  return {
    next: 'parked',
    reason: 'cannot go on until somebody acts',
    decisions: [],
    issues,
    stateAfter: 'parked',
  };
}
