import type { Issue, IssueCode } from '../record/issue.ts';
import type { DecideInput } from './input.ts';
import type { Base, LinkState, NextStep, Plan } from './plan.ts';

export const EMPTY_BASE: Base = {
  crm: {},
  vendor: {},
  defaulted: [],
  awaitingEcho: [],
  linePairs: [],
  crmVersion: null,
  vendorVersion: null,
};

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

/** Codes that tell something about a record and ask nobody to act: they hold nothing up. */
export const INFORMATIONAL: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'contact-incomplete',
  'line-not-shared',
]);

/** Whether something of a record waits for somebody. */
export function isOpen(issue: Issue): boolean {
  return !INFORMATIONAL.has(issue.code);
}

/** The state of a record that flows, by what is left open. */
export function stateOf(issues: readonly Issue[]): LinkState {
  if (issues.some((issue) => issue.code === 'conflict')) return 'conflict';
  return issues.some(isOpen) ? 'parked' : 'in-sync';
}
