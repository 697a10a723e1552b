/**
 * What the engine remembers about a pair, and what it decides about it, as data. Everything here is JSON.
 */
import type { CanonicalRecord, FieldName, Observed } from '../record/canonical.ts';
import type { CrmCreate, CrmGraph, CrmReport, CrmWrite } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';

export type LinkState =
  | 'new' // seen, nothing settled yet
  | 'in-sync'
  | 'pending' // decided, a write is under way
  | 'conflict' // at least one field waits for a person
  | 'parked' // the record cannot go on until somebody acts
  | 'detached' // left the scope, or deleted in the CRM; nothing is propagated
  | 'vendor-missing'
  | 'superseded'; // another link of the same deal took over; this key is its alias

/** A line of the CRM and the vendor's line it was last agreed to be, by position in the vendor's array. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

export type SentOver = {
  readonly version: string | null;
  /** By awaitingEcho field, the values that the vendor had before. */
  readonly former: { readonly [F in FieldName]?: readonly unknown[] };
  /** AwaitingEcho lists that were cleared already, because the vendor kept removed rows. */
  readonly cleared?: readonly FieldName[];
};

/** Writes to one side that left and whose answers were lost, so that a later look can tell that one was applied. */
export type UncertainWrites = {
  /** The side's version that the last of them rested on: a look that shows it tells nothing of them. */
  readonly over: string | null;
  /** What each would make the two sides agree on, the latest last. */
  readonly sent: readonly { readonly crm: Observed; readonly vendor: Observed }[];
};

/**
 * What both sides last agreed on, kept as each side shows it: a side may round, trim, default or translate, and
 * only a difference from its *own* last value is an edit by its users.
 */
export type Base = {
  readonly crm: Observed;
  readonly vendor: Observed;
  /** Fields whose vendor value was filled in by the vendor and never set by the CRM. */
  readonly defaulted: readonly FieldName[];
  /** Fields of `vendor` that we sent and have not yet read back. */
  readonly awaitingEcho: readonly FieldName[];
  /** The version that our last update rested on, and what a late reading may still show; absent after a create. */
  readonly sentOver?: SentOver;
  /** Present while an update may or may not have been applied. */
  readonly uncertainVendorWrites?: UncertainWrites;
  /** Present while a write to the CRM may or may not have been applied. */
  readonly uncertainCrmWrites?: UncertainWrites;
  /** True once our reference was sent and no reading has shown it since: it is not sent alone again. */
  readonly referenceSent?: boolean;
  readonly linePairs: readonly LinePair[];
  /** The versions since which an edit that still waits may have been made; they stand while a field is open. */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The newest version that a reading has shown; one that shows an older version is late. */
  readonly newestRead?: string | null;
};

/** The vendor's record as read, reduced to what the mapping knows plus what it must carry along unharmed. */
export type VendorObservation = {
  readonly record: Observed;
  readonly vendorId: string;
  /** `partnerLeadOpportunityId` as the vendor holds it, null when unset. */
  readonly reference: string | null;
  /** The read-only fields of sales spec 2.8, raw. */
  readonly readOnly: Readonly<Record<string, string | null>>;
  /** Vendor fields that the specification does not show, by name only (reported, kept in the sealed raw copy). */
  readonly unknownFields: readonly string[];
  /** Fields that show what we have sent since the reading, and not what was read. */
  readonly overlaid?: readonly FieldName[];
  /** `modifiedDate` as sent by the vendor. */
  readonly version: string | null;
  readonly readAt: string;
};

export type CrmObservation = {
  readonly graph: CrmGraph;
  readonly record: Observed;
  readonly issues: readonly Issue[];
};

export type FieldVerdict =
  | 'unchanged'
  | 'same' // both sides changed to the same value
  | 'to-vendor'
  | 'to-crm'
  | 'merged' // lines changed on both sides, and both get the merged list
  | 'conflict-crm' // changed on both sides; the CRM's value won by rule
  | 'conflict-vendor'
  | 'conflict-held' // changed on both sides; waits for a person
  | 'cleared' // a list that is sent anew once the vendor has none of it
  | 'withheld' // changed in the CRM, and not sendable now (no code, forecast matrix, not clearable)
  | 'ignored' // changed at a side whose changes of this field do not travel
  | 'defaulted';

/** One row of the journal: why a field holds its value. Values are sealed by the ledger. */
export type FieldDecision = {
  readonly field: FieldName;
  readonly verdict: FieldVerdict;
  readonly rule: string;
  readonly base: { readonly crm: unknown; readonly vendor: unknown };
  readonly crm: unknown;
  readonly vendor: unknown;
};

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

/** The request body for the vendor, ready to send (sales spec 4.1, 4.2), and the canonical fields it carries. */
export type VendorIntent = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly fields: readonly FieldName[];
  readonly record: Observed;
};

export type { CanonicalRecord, CrmReport, FieldName, Observed };
