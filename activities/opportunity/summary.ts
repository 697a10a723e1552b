import type { NextStep } from '../../src/domain/decide/plan.ts';
import type { Summary } from '../../src/domain/loop/step.ts';
import type { LinkState } from '../../src/domain/record/link-state.ts';

/** What an activity about one record hands to its workflow. Goes into the history: ids, codes and field names only. */
export type SyncSummary = Summary & {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  /** Why, in the decision's words. */
  readonly reason: string;
  /** Names of the canonical fields that a write carries. */
  readonly fields: readonly string[];
  readonly issues: readonly string[];
};

export type SummaryNext = NextStep | 'plan-again' | 'superseded';
