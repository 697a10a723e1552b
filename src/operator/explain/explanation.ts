import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { FieldSpec } from '../../domain/record/field-spec.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { LinkWay } from '../../domain/record/linked-by.ts';
import type { NextStep } from '../../domain/record/plan.ts';
import type { Proof } from '../../observe/observe-deal.ts';

/**
 * Kinds of reasons ("gates") why a change is not synced. `scope`: the deal is not shared. `direction`: the mapping does not sync the field
 * this way. `translation`: the other side has no such value. `park`: another issue, such as a refusal. `pause`: the work is paused.
 * `quota`: a rate limit. `answer`: a remote has not answered. `not-yet-seen`: no webhook or poll has reported the change.
 */
export type GateKind = 'scope' | 'direction' | 'translation' | 'park' | 'pause' | 'quota' | 'answer' | 'not-yet-seen';

export type Gate = {
  readonly gate: GateKind;
  /** The field whose change is not synced yet, by Lockstep's name; null if the whole record waits. */
  readonly field: string | null;
  /** The code of the reason, for example the code of an issue, or the name of the paused operation group (requests that fail together). */
  readonly code: string;
  readonly what: string;
  /** What must happen before the change is synced, as a sentence. */
  readonly opens: string;
  /** Whether a user or operator must act before the change is synced. */
  readonly needsSomebody: boolean;
  /**
   * The text with which the CRM or the vendor explained its refusal. It may quote values, so it is absent unless the operator asked for
   * values.
   */
  readonly said?: string;
};

/**
 * Whether the CRM (or the vendor) changed a field since both last agreed, and when. `unknown`: it does not show the field, or the two have
 * never agreed.
 */
export type SideChange = {
  readonly changed: boolean | 'unknown';
  /**
   * When the field was changed: after the instant `after`, and at the latest at the instant `until`. Both are ISO; null if unknown or if
   * the field was not changed.
   */
  readonly after: string | null;
  readonly until: string | null;
  /** Who saved the change: the id of a CRM user, or `lockstep` for Lockstep's own write. Null if unknown; the vendor never shows it. */
  readonly by: string | null;
};

export type FieldValues = {
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
};

export type ExplainedField = {
  readonly field: string;
  /**
   * The CRM field that the mapping names: an API name, a path across a lookup or, for fields that consist of several records (such as
   * lines), the name of the object.
   */
  readonly crmField: string;
  readonly direction: FieldSpec['direction'];
  readonly conflictRule: FieldSpec['rule'];
  readonly crm: SideChange;
  readonly vendor: SideChange;
  /**
   * What Lockstep would decide about the field if it synced the record now. `sent`: no rule decided, but the next write would contain the
   * field; usually this write creates the record at the vendor or in the CRM. Null if the CRM or the vendor could not be read, or if the
   * deal is not shared.
   */
  readonly verdict: FieldVerdict | 'sent' | null;
  /** The rule that led to `verdict`. If `verdict` is `sent`: the reason for the write. Null if no rule decided. */
  readonly decidedBy: string | null;
  /** The newest decision about this field in the record's journal; null if there is none. `at`: ISO. */
  readonly lastDecision: {
    readonly at: string;
    readonly verdict: FieldVerdict;
    readonly rule: string;
  } | null;
  /** The newest write that included this field, with the answer of the CRM or the vendor; null if there is none. `at`: ISO. */
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
  /** The ids of the Salesforce leads that the deal was before it became this record, oldest first. */
  readonly formerLeads: readonly string[];
  /**
   * How the CRM record and the vendor record were linked. For records that are not linked yet: how it is known that they belong together.
   * `linked`: they are linked, but the way is not known. Null if there is only one record.
   */
  readonly linkedBy: Proof | LinkWay | null;
  /** When the two records were linked (ISO), and by which fields, in words; null if this is not known. */
  readonly linked: { readonly at: string; readonly words: string } | null;
  /** The record's sync state in the ledger (Lockstep's database); `unseen` if the ledger has no such record. */
  readonly state: LinkState | 'unseen';
  /** The record's state in one sentence. */
  readonly sentence: string;
  /** When the CRM and the vendor were read for this explanation, ISO; null if a read failed. */
  readonly observedAt: string | null;
  /** The code of the failure that prevented a read; null if the CRM and the vendor were both read. */
  readonly notObserved: string | null;
  /** The next step of a sync, such as an update at the vendor; null if Lockstep could not decide. */
  readonly next: { readonly step: NextStep; readonly reason: string } | null;
  readonly gates: readonly Gate[];
  readonly fields: readonly ExplainedField[];
  readonly links: {
    readonly crm: string | null;
    readonly vendor: string | null;
    readonly temporal: string | null;
  };
};
