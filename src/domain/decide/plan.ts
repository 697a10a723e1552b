/** What was decided about a record at one moment, as data: JSON that the ledger keeps and activities carry out. */

import type { FieldDecision } from '../merge/field-decision.ts';
import type { Base } from '../record/base.ts';
import type { CrmCreate, CrmWrite } from '../record/crm-graph.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import type { LinkState } from '../record/link-state.ts';

/** The one next thing to do for a record. */
export type NextStep =
  | 'nothing'
  | 'read-vendor'
  | 'search-vendor'
  | 'create-at-vendor'
  | 'update-at-vendor'
  | 'write-crm'
  | 'create-in-crm'
  | 'parked'
  | 'detached';

/** The decision about one record at one moment. `intent` is what will be sent; it is stored before anything leaves. */
export type Plan = {
  readonly next: NextStep;
  /** Why, in a few words for the operator; no business values. */
  readonly reason: string;
  readonly toVendor: VendorIntent | null;
  readonly toCrm: CrmWrite | null;
  readonly createInCrm: CrmCreate | null;
  readonly decisions: readonly FieldDecision[];
  readonly issues: readonly Issue[];
  /** The base by what this look at the sides has shown, whatever becomes of the plan's writes; null before the first. */
  readonly baseBefore: Base | null;
  /** What the base becomes when the plan's writes are known to be applied. */
  readonly baseAfter: Base;
  readonly stateAfter: LinkState;
};
