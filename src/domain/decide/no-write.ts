import { EMPTY_BASE } from '../record/base.ts';
import type { Issue } from '../record/issue.ts';
import type { LinkState } from '../record/link-state.ts';
import type { DecideInput } from './input.ts';
import type { NextStep, Plan } from './plan.ts';
/** A plan without a write. */
export function idle(
  input: DecideInput,
  next: NextStep,
  reason: string,
  stateAfter: LinkState,
  issues: readonly Issue[],
): Plan {
  return {
    next,
    reason,
    toVendor: null,
    toCrm: null,
    createInCrm: null,
    decisions: [],
    issues,
    baseBefore: input.link.base,
    baseAfter: input.link.base ?? EMPTY_BASE,
    stateAfter,
  };
}

/** A record that cannot go on until somebody acts. */
export function parked(input: DecideInput, issues: readonly Issue[]): Plan {
  return idle(input, 'parked', 'cannot go on until somebody acts', 'parked', issues);
}
