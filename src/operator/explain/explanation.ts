import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { FieldSpec } from '../../domain/record/field-spec.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkWay } from '../../domain/record/linked-by.ts';
import type { NextStep } from '../../domain/record/plan.ts';
import type { Proof } from '../../observe/observe-deal.ts';

/** The kinds of causes ("gates") that hold up a change. `answer`: a side does not answer, or its answer has not come yet. */
export type GateKind = 'scope' | 'direction' | 'translation' | 'park' | 'pause' | 'quota' | 'answer' | 'not-yet-seen';

export type Gate = {
  readonly gate: GateKind;
  /** The field whose change is held up, by Lockstep's name; null if the whole record is held up. */
  readonly field: string | null;
  /** The code of the cause: of an issue, a verdict, a wait reason or a pause. */
  readonly code: string;
  readonly what: string;
  /** The action or event after which the change is synced. */
  readonly opens: string;
  /** Whether a person must act before the change is synced. */
  readonly needsSomebody: boolean;
  /** The side's own text about its refusal. The text may quote values, so it is absent unless the operator asked for values. */
  readonly said?: string;
};

/**
 * Whether and when a side changed a field since both sides last agreed. `unknown`: the side does not show the field, or the sides never
 * agreed.
 */
export type SideChange = {
  readonly changed: boolean | 'unknown';
  /** The change was made after the instant `after`, and at `until` at the latest. ISO; null if unknown or unchanged. */
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
  /** The decision about the field if the record were synced now. `sent`: a create would include the field. Null if nothing was decided. */
  readonly verdict: FieldVerdict | 'sent' | null;
  /** The rule that led to the verdict, or the reason for the create that would send the field; null if nothing was decided. */
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
   * How the two records became linked; for records that are not linked yet, the proof by which they would be. `linked`: an earlier release
   * linked them, and the proof is not known. Null if there is only one record.
   */
  readonly linkedBy: Proof | LinkWay | null;
  /** When the two were linked, and by which fields, in words; null if that is not known. */
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
