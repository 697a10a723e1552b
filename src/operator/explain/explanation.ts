import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { FieldSpec } from '../../domain/record/field-spec.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkWay } from '../../domain/record/linked-by.ts';
import type { NextStep } from '../../domain/record/plan.ts';
import type { Proof } from '../../observe/observe-deal.ts';

/** Kinds of reasons ("gates") why a change is not synced yet. `answer`: a side does not answer, or its answer has not come yet. */
export type GateKind = 'scope' | 'direction' | 'translation' | 'park' | 'pause' | 'quota' | 'answer' | 'not-yet-seen';

export type Gate = {
  readonly gate: GateKind;
  /** The field whose change is not synced yet, by Lockstep's name; null if the whole record waits. */
  readonly field: string | null;
  /** The code of the reason: the code of an issue, a verdict, a wait reason or a pause. */
  readonly code: string;
  readonly what: string;
  /** What must happen before the change is synced, as a sentence. */
  readonly opens: string;
  /** Whether a person must act before the change is synced. */
  readonly needsSomebody: boolean;
  /** The text in which a side explained its refusal. It may quote values, so it is absent unless the operator asked for values. */
  readonly said?: string;
};

/**
 * Whether a side changed a field since both sides last agreed, and when. `unknown`: the side does not show the field, or the sides have
 * never agreed.
 */
export type SideChange = {
  readonly changed: boolean | 'unknown';
  /** When the side was changed: after the instant `after`, and not later than the instant `until`. ISO; null if unknown or unchanged. */
  readonly after: string | null;
  readonly until: string | null;
  /** The id of the CRM user who saved the change; `lockstep` for Lockstep's own write; null if the side does not show it. */
  readonly by: string | null;
};

export type FieldValues = {
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
};

export type ExplainedField = {
  readonly field: string;
  /** The CRM field that the mapping names: an API name, a path across a lookup, or the object for fields such as lines. */
  readonly crmField: string;
  readonly direction: FieldSpec['direction'];
  readonly conflictRule: FieldSpec['rule'];
  readonly crm: SideChange;
  readonly vendor: SideChange;
  /**
   * What Lockstep would decide about the field if it synced the record now. `sent`: a create would include the field. Null if it could not
   * decide.
   */
  readonly verdict: FieldVerdict | 'sent' | null;
  /** The rule that led to this verdict or, for `sent`, the reason for the create. Null if nothing was decided. */
  readonly decidedBy: string | null;
  /** The newest journal line with a decision about this field. */
  readonly lastDecision: {
    readonly at: string;
    readonly verdict: FieldVerdict;
    readonly rule: string;
  } | null;
  /** The newest write that included this field, with the remote's answer. */
  readonly lastWrite: {
    readonly at: string;
    readonly step: string;
    readonly answer: string;
    readonly traceId: string | null;
  } | null;
  /** The field's values. Present only if the operator requested values. */
  readonly values?: FieldValues;
};

export type Explanation = {
  readonly shape: 'explain/1';
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  /**
   * How the two records were linked. For records that are not linked yet: what shows that they belong together. `linked`: an earlier
   * release linked them, and it is unknown how. Null if there is only one record.
   */
  readonly linkedBy: Proof | LinkWay | null;
  /** When the two records were linked, and by which fields, in words; null if this is not known. */
  readonly linked: { readonly at: string; readonly words: string } | null;
  /** The link's state in the ledger; `unseen` if the ledger has no such record. */
  readonly state: LinkState | 'unseen';
  /** The record's state in one sentence. */
  readonly sentence: string;
  /** When both sides were read for this explanation, ISO; null if a read failed. */
  readonly observedAt: string | null;
  /** The code of the failure that prevented the reads; null if both sides were read. */
  readonly notObserved: string | null;
  /** The next step that Lockstep would take; null if it could not decide. */
  readonly next: { readonly step: NextStep; readonly reason: string } | null;
  readonly gates: readonly Gate[];
  readonly fields: readonly ExplainedField[];
  readonly links: {
    readonly crm: string | null;
    readonly vendor: string | null;
    readonly temporal: string | null;
  };
};
