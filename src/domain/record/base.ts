import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/** A line of the CRM and the vendor's line it was last agreed to be, by position in the vendor's array. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/**
 * Lines of a merge of which the vendor has its half, and the CRM not yet: what each side said of them when that was answered, but for what
 * the CRM still has to be given.
 */
export type PartlyAppliedLines = {
  /** The vendor's version that its half rested on: a reading of it tells nothing of that. */
  readonly basedOnVersion: string | null;
  readonly lines: readonly { readonly crm: OfferLine; readonly vendor: OfferLine }[];
};

/** What each side showed of a field when it was told that its conflict waits. */
export type HeldConflict = {
  readonly crm: unknown;
  readonly vendor: unknown;
  /** Whose value a person has said to keep, for this field alone; until it is written. */
  readonly picked?: PickedSide;
};

export type BasedOn = {
  readonly version: string | null;
  /** By field that awaits its echo, the values that the vendor had before. */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /** When the vendor answered our last update, by its own clock; absent where it did not tell, or no answer came. */
  readonly answeredAt?: string;
  /** Fields that a reading has shown as not taken: later changes of the record do not make their values edits. */
  readonly ignoredBySide?: readonly FieldName[];
  /** Lists that await their echo and were cleared already, because the vendor retained removed rows. */
  readonly cleared?: readonly FieldName[];
};

/** What lost a conflict by rule, both values as they stood or line by line, and when each side had been saved. */
export type Overruled = {
  readonly rule: string;
  readonly crmSavedAt: string | null;
  readonly vendorSavedAt: string | null;
} & (
  | { readonly winner: 'crm' | 'vendor'; readonly crm: unknown; readonly vendor: unknown }
  | { readonly lines: readonly LineConflict[] }
);

/** What one write would make both sides agree on, and what of these fields it lets go under. */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** Ids of the CRM's lines that were deleted before it left; absent where that is not known, and of an update at the vendor. */
  readonly goneLines?: readonly string[];
  /** When an update at the vendor left; absent of a write to the CRM, which refuses one that rests on an older version. */
  readonly leftAt?: string;
  /** A later reading has not shown it, or a newer update was answered: what the vendor had beside it by then tells nothing of it. */
  readonly isLateArrival?: true;
};

/** Writes to one side that left and whose answers were lost, so that a later observation can tell that one was applied. */
export type InDoubtWrites = {
  /** The side's version that the last of them rested on, or that was seen without them: an observation of it tells nothing of them. */
  readonly basedOnVersion: string | null;
  /** What each would make the two sides agree on, the latest last. */
  readonly sent: readonly SentWrite[];
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
  /** The version that our last write rested on, null for a create, and what a late reading may still show. */
  readonly basedOn?: BasedOn;
  /** Present while an update may or may not have been applied. */
  readonly inDoubtVendorWrites?: InDoubtWrites;
  /** Present while a write to the CRM may or may not have been applied. */
  readonly inDoubtCrmWrites?: InDoubtWrites;
  /** True once our reference was sent and no reading has shown it since: it is not sent alone again. */
  readonly referenceSent?: boolean;
  /** How the CRM held these fields when `crm` was read, where it was not as usual: a value read elsewhere tells of no edit. */
  readonly fields?: FieldMappings;
  /** Fields of which a person has said that the two sides are to meet anew, whatever they agreed on. */
  readonly resyncFields?: readonly FieldName[];
  /** Conflicts that wait for a person, by what each side showed when it was told. */
  readonly held?: { readonly [F in FieldName]?: HeldConflict };
  /** A person's pick on the CRM's child record was followed, or had nothing to decide, and has to be taken off it. */
  readonly pickTaken?: true;
  /** What a rule decided against, by field, until the field is changed again or a person has looked at it. */
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** When the ledger was brought back that this base is from, once both sides were looked at since; ISO. */
  readonly restoredAt?: string;
  /** Fields in which the two sides differed then, and of which nobody can tell which value is the newer; until they agree. */
  readonly ancestorUnknown?: readonly FieldName[];
  readonly linePairs: readonly LinePair[];
  /** Until the CRM has its half too. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /** The versions since which an edit that still waits may have been made; they stand while a field is open. */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The newest version that a reading has shown; one that shows an older version is late. */
  readonly highestSeenVersion?: string | null;
  /** The version that our last update made, while a field is open: no edit of the vendor's users is told by it. */
  readonly versionOfOwnWrite?: string;
};

/** A base on which nothing was agreed yet. */
export const EMPTY_BASE: Base = {
  crm: {},
  vendor: {},
  defaulted: [],
  awaitingEcho: [],
  linePairs: [],
  crmVersion: null,
  vendorVersion: null,
};
