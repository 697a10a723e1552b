import type { Issue } from '../record/issue.ts';
import type { LinkState } from '../record/link-state.ts';
import type { LookFurther, Waiting } from '../record/plan.ts';

/** A plan without a write, after which Lockstep must read or search the vendor. `issues`: the issues that the record keeps. */
export function lookFurther(
  next: LookFurther['next'],
  reason: string,
  stateAfter: LinkState,
  issues: readonly Issue[],
): LookFurther {
  return { next, reason, decisions: [], issues, stateAfter };
}

/**
 * The plan for a CRM record that users do not share with the vendor, or do not share any more. Lockstep syncs nothing. `issues`: issues to
 * check again if the record is shared again.
 */
export function detached(reason: string, issues: readonly Issue[] = []): Waiting {
  return { next: 'detached', reason, decisions: [], issues, stateAfter: 'detached' };
}

/**
 * The plan for a vendor record whose opportunity is in another org that uses the same vendor account. Lockstep syncs nothing, and no person
 * needs to act.
 */
export function elsewhere(): Waiting {
  const plan = detached('the deal at the vendor names an opportunity of another org');
  return { ...plan, stateAfter: 'elsewhere' };
}

/** The plan for a record that waits until a person acts. `issues`: why it waits. */
export function parked(issues: readonly Issue[]): Waiting {
  return {
    next: 'parked',
    reason: 'cannot go on until somebody acts',
    decisions: [],
    issues,
    stateAfter: 'parked',
  };
}
