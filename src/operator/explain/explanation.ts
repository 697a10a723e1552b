import type { FieldVerdict } from '../../domain/record/field-decision.ts';
import type { FieldSpec } from '../../domain/record/field-spec.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { NextStep } from '../../domain/record/plan.ts';
import type { Proof } from '../../observe/observe-deal.ts';

/** What holds a change up; `answer`: a side that does not answer, or an answer that is awaited. */
export type GateKind =
  | 'scope'
  | 'direction'
  | 'translation'
  | 'park'
  | 'pause'
  | 'quota'
  | 'answer'
  | 'not-yet-seen';

export type Gate = {
  readonly gate: GateKind;
  /** The canonical field that it stops; null where it stops the record. */
  readonly field: string | null;
  /** Code of the issue, verdict, wait or pause. */
  readonly code: string;
  readonly what: string;
  /** What lets the change through, as something to do or to wait for. */
  readonly opens: string;
  /** It does not open by itself. */
  readonly needsSomebody: boolean;
};

/** What a side did to a field since the two agreed; `unknown`: it does not show it, or they never agreed. */
export type SideChange = {
  readonly changed: boolean | 'unknown';
  /** Later than this, and not later than `until`; ISO, null where it is not known or nothing changed. */
  readonly after: string | null;
  readonly until: string | null;
  /** Id of the CRM's user who saved it, `lockstep` for our own write; null where the side does not tell. */
  readonly by: string | null;
};

export type FieldValues = {
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
};

export type ExplainedField = {
  readonly field: string;
  /** The CRM's field, or its object. */
  readonly crmField: string;
  readonly direction: FieldSpec['direction'];
  /** Who wins a conflict of it. */
  readonly conflictRule: FieldSpec['rule'];
  readonly crm: SideChange;
  readonly vendor: SideChange;
  /** The decision of this look: `sent` where a create carries it, null where none was made. */
  readonly verdict: FieldVerdict | 'sent' | null;
  /** By which rule. */
  readonly decidedBy: string | null;
  /** The newest line of the journal that decided about it. */
  readonly lastDecision: {
    readonly at: string;
    readonly verdict: FieldVerdict;
    readonly rule: string;
  } | null;
  /** The newest write that carried it, and what was answered. */
  readonly lastWrite: {
    readonly at: string;
    readonly step: string;
    readonly answer: string;
    readonly traceId: string | null;
  } | null;
  /** Only where they were asked for. */
  readonly values?: FieldValues;
};

export type Explanation = {
  readonly shape: 'explain/1';
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  /** What the two are linked by; null where there is one record only. */
  readonly linkedBy: Proof | null;
  /** As the ledger has it; `unseen` where it has no such record. */
  readonly state: LinkState | 'unseen';
  /** Where it stands, in one sentence. */
  readonly sentence: string;
  /** When both sides were read for this; null where that failed. */
  readonly observedAt: string | null;
  /** Why they could not be read: a code. */
  readonly notObserved: string | null;
  /** What Lockstep would do next; null where it could not be decided. */
  readonly next: { readonly step: NextStep; readonly reason: string } | null;
  readonly gates: readonly Gate[];
  readonly fields: readonly ExplainedField[];
  readonly links: {
    readonly crm: string | null;
    readonly vendor: string | null;
    readonly temporal: string | null;
  };
};
