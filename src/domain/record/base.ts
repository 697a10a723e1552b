import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/** A CRM line with its counterpart at the last agreement, given as a position in the vendor's array of lines. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/** Lines of a merge that the vendor has applied and the CRM has not applied yet: the agreed content of each side. */
export type PartlyAppliedLines = {
  /** The vendor's version before it applied its half of the merge. A read of this or an older version does not show the merge. */
  readonly basedOnVersion: string | null;
  readonly lines: readonly { readonly crm: OfferLine; readonly vendor: OfferLine }[];
};

/** A conflict that waits for a person: each side's value when the conflict was reported. */
export type HeldConflict = {
  readonly crm: unknown;
  readonly vendor: unknown;
  /** The side that a person picked for this field; kept until the picked value is written. */
  readonly picked?: PickedSide;
};

/** The value that an operator's undo gives back to each side. A side that keeps its value is absent. */
export type GoingBack = { readonly crm?: unknown; readonly vendor?: unknown };

export type BasedOn = {
  readonly version: string | null;
  /** For each field whose sent value was not read back yet: the values that the vendor showed before Lockstep's writes. */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /** When the vendor answered Lockstep's last update, by the vendor's clock. Absent if the answer had no time or was lost. */
  readonly answeredAt?: string;
  /**
   * Fields of Lockstep's last write whose values the vendor ignored, as a later read showed. If the record changes later, the old values in
   * these fields are no user's edit.
   */
  readonly ignoredBySide?: readonly FieldName[];
  /** Lists whose sent value was not read back yet and that were cleared once already, because the vendor retained removed rows. */
  readonly cleared?: readonly FieldName[];
};

/**
 * A conflict that a rule decided, kept to show users the losing value: both sides' values (for lists, of each line), and when each side was
 * saved.
 */
export type Overruled = {
  readonly rule: string;
  readonly crmSavedAt: string | null;
  readonly vendorSavedAt: string | null;
} & (
  | { readonly winner: 'crm' | 'vendor'; readonly crm: unknown; readonly vendor: unknown }
  | { readonly lines: readonly LineConflict[] }
);

/** The values on which both sides agree if one write is applied, and the conflicts that the write decides. */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** Ids of CRM lines that were deleted before a write to the CRM. Absent if unknown, and for an update at the vendor. */
  readonly goneLines?: readonly string[];
  /**
   * When an update was sent to the vendor. Absent for a write to the CRM, which cannot arrive late, because the CRM refuses a write based
   * on an older version.
   */
  readonly leftAt?: string;
  /** Marks a late arrival: a later read did not show the update, or a newer one was answered, but the vendor may still apply this one. */
  readonly isLateArrival?: true;
};

/** Writes to one side whose answers were lost. A later read can show whether they were applied. */
export type InDoubtWrites = {
  /** The side's version before the last write, or a later version without the writes. A read of this version says nothing about them. */
  readonly basedOnVersion: string | null;
  /** The unanswered writes, oldest first. */
  readonly sent: readonly SentWrite[];
};

/** The base: the values on which both sides last agreed, in each side's own form. A difference from a side's *own* value is an edit. */
export type Base = {
  readonly crm: Observed;
  readonly vendor: Observed;
  /** Fields whose vendor value is a default of the vendor and was never set by the CRM. */
  readonly defaulted: readonly FieldName[];
  /** Fields of `vendor` that Lockstep wrote and no read has shown yet. */
  readonly awaitingEcho: readonly FieldName[];
  /** The vendor's version before Lockstep's last write (null for a create), and the earlier values that a stale read may still show. */
  readonly basedOn?: BasedOn;
  /** Present while it is unknown whether an update at the vendor was applied. */
  readonly inDoubtVendorWrites?: InDoubtWrites;
  /** Present while it is unknown whether a write to the CRM was applied. */
  readonly inDoubtCrmWrites?: InDoubtWrites;
  /** Whether Lockstep sent the partner reference and no read has shown it yet. The reference alone is then not sent again. */
  readonly referenceSent?: boolean;
  /**
   * The field mappings with which the CRM's values (`crm`) were read; absent if they were the defaults. After a mapping change, the field's
   * old CRM value does not count.
   */
  readonly fields?: FieldMappings;
  /** Fields on which an operator ordered both sides to agree again, regardless of the base. */
  readonly resyncFields?: readonly FieldName[];
  /** Values that an operator's undo gives back, until they are written, or a side shows another value. */
  readonly goingBack?: { readonly [F in FieldName]?: GoingBack };
  /** Conflicts that wait for a person. */
  readonly held?: { readonly [F in FieldName]?: HeldConflict };
  /**
   * Set when a person's pick (choice in a conflict) on `Lockstep_Sync__c` was applied, or had no conflict to decide. Kept until a report
   * clears the pick.
   */
  readonly pickTaken?: true;
  /** Overruled values by field, until the field changes again or a person has reviewed the conflict. */
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** The instant (ISO) of the last restore of the ledger after which both sides were compared with this base. */
  readonly restoredAt?: string;
  /** Fields that differed after a restore of the ledger, so that the newer value is unknown; kept until the sides agree. */
  readonly ancestorUnknown?: readonly FieldName[];
  /**
   * The fields in which the deal's lead was converted or merged, and the new record was not compared with this base yet. `true`: all
   * fields. A field that the integration user cannot read stays in the list.
   */
  readonly fromLead?: true | readonly FieldName[];
  readonly linePairs: readonly LinePair[];
  /** Lines of a merge that the vendor has applied and the CRM has not applied yet. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /**
   * The CRM's version at the last agreement. While an edited field waits, this version (like `vendorVersion`) stays the same, because the
   * edit counts as made after it.
   */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The highest vendor version that any read returned. A read with a lower version is stale. */
  readonly highestSeenVersion?: string | null;
  /** The vendor's version after Lockstep's last update; kept while a field waits, because this version is no vendor user's edit. */
  readonly versionOfOwnWrite?: string;
};

/** A base without any agreed value. */
export const EMPTY_BASE: Base = {
  crm: {},
  vendor: {},
  defaulted: [],
  awaitingEcho: [],
  linePairs: [],
  crmVersion: null,
  vendorVersion: null,
};
