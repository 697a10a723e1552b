import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/** A pair of lines at the last agreement: a CRM line by its id, and its counterpart by its position in the vendor's list of lines. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/** Lines of a merge that only the vendor has applied so far, with the content that each side has agreed to. */
export type PartlyAppliedLines = {
  /**
   * The vendor's version before it applied its half of the merge of lines. A read with this or an older version does not show the merge
   * yet.
   */
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

/** The value that an operator's undo restores on each side. A side whose value stays is absent. */
export type GoingBack = { readonly crm?: unknown; readonly vendor?: unknown };

export type BasedOn = {
  readonly version: string | null;
  /** For each field whose sent value was not read back yet: the values that the vendor showed before Lockstep's writes. */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /** When the vendor answered Lockstep's last update, by the vendor's clock. Absent if the answer contained no time or was lost. */
  readonly answeredAt?: string;
  /**
   * Fields of Lockstep's last write whose values the vendor ignored, as a later read showed. If the record is modified afterwards, the old
   * values in these fields do not count as a user's edit.
   */
  readonly ignoredBySide?: readonly FieldName[];
  /** Lists that Lockstep has cleared at the vendor, because the vendor kept removed rows, and whose sent value was not read back yet. */
  readonly cleared?: readonly FieldName[];
};

/**
 * A conflict that a rule decided, stored so that users see the value that lost: both sides' values (for lists, of each line), and when each
 * side was saved.
 */
export type Overruled = {
  readonly rule: string;
  readonly crmSavedAt: string | null;
  readonly vendorSavedAt: string | null;
} & (
  | { readonly winner: 'crm' | 'vendor'; readonly crm: unknown; readonly vendor: unknown }
  | { readonly lines: readonly LineConflict[] }
);

/** A write as the base remembers it: the values on which both sides agree if it is applied, and the conflicts that it decides. */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** Ids of CRM lines that were already deleted when a write to the CRM was sent. Absent if unknown, and for an update at the vendor. */
  readonly goneLines?: readonly string[];
  /**
   * When an update was sent to the vendor. Absent for a write to the CRM: it cannot be applied late, because the CRM refuses a write that
   * is based on an older version.
   */
  readonly leftAt?: string;
  /**
   * Set for a late arrival: either a later read did not show the update, or a newer update was answered. The vendor may still apply this
   * update.
   */
  readonly isLateArrival?: true;
};

/** Writes to one side whose answers were lost. A later read can show whether they were applied. */
export type InDoubtWrites = {
  /**
   * The side's version before the last write, or a later version that was read without the writes. A read with this version says nothing
   * about whether they were applied.
   */
  readonly basedOnVersion: string | null;
  /** The unanswered writes, oldest first. */
  readonly sent: readonly SentWrite[];
};

/**
 * The base: the values on which both sides last agreed, each in the form of its side. If a side differs from its *own* value in the base, a
 * user has edited it.
 */
export type Base = {
  readonly crm: Observed;
  readonly vendor: Observed;
  /** Fields whose value at the vendor is the vendor's default, because the CRM has never set them. */
  readonly defaulted: readonly FieldName[];
  /** Fields that Lockstep wrote to the vendor and that no read has shown yet. `vendor` contains the sent values. */
  readonly awaitingEcho: readonly FieldName[];
  /**
   * The state before Lockstep's last write to the vendor: the vendor's version (null for a create), and the values that a stale read may
   * still show.
   */
  readonly basedOn?: BasedOn;
  /** Present while it is unknown whether an update at the vendor was applied. */
  readonly inDoubtVendorWrites?: InDoubtWrites;
  /** Present while it is unknown whether a write to the CRM was applied. */
  readonly inDoubtCrmWrites?: InDoubtWrites;
  /**
   * Set if Lockstep sent the partner reference and no read has shown it yet. Lockstep then sends no further update just for the reference.
   */
  readonly referenceSent?: boolean;
  /**
   * The mapping of fields with which the CRM's values (`crm`) were read; absent for the default mapping. If a field's mapping has changed
   * since, its value in `crm` does not count.
   */
  readonly fields?: FieldMappings;
  /** Fields that an operator ordered to be synced as if the two sides had never agreed on them. */
  readonly resyncFields?: readonly FieldName[];
  /** Values that an operator's undo still has to restore. A value is removed once it is written, or once a side shows another value. */
  readonly goingBack?: { readonly [F in FieldName]?: GoingBack };
  /** Conflicts that wait for a person. */
  readonly held?: { readonly [F in FieldName]?: HeldConflict };
  /**
   * Set when a person's pick (choice in a conflict) on `Lockstep_Sync__c` was applied, or found no conflict to decide. Removed once a
   * report has cleared the pick in the CRM.
   */
  readonly pickTaken?: true;
  /** Edits that lost a conflict by rule, by field. Each is stored until the field changes again or a person has reviewed the conflict. */
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** The time of the last restore of the ledger from a backup, ISO, if both sides were compared with this base since then. */
  readonly restoredAt?: string;
  /**
   * Fields that differed between the sides after a restore of the ledger, so that the agreed value and thus the newer value is unknown.
   * They are listed until the sides agree.
   */
  readonly ancestorUnknown?: readonly FieldName[];
  /**
   * Set if the deal's lead was converted or merged: the fields of the new record that were not compared with this base yet. `true`: all
   * fields. A field that the integration user cannot read stays in the list.
   */
  readonly fromLead?: true | readonly FieldName[];
  readonly linePairs: readonly LinePair[];
  /** Lines of a merge that the vendor has applied and the CRM has not applied yet. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /**
   * The CRM's version at the last agreement. While an edited field waits, this version (like `vendorVersion`) does not change, so that the
   * edit counts as later than it.
   */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The highest vendor version that any read returned. A read with a lower version is stale. */
  readonly highestSeenVersion?: string | null;
  /**
   * The vendor's version after Lockstep's last update. It is stored while a field waits, so that this version is not taken for an edit of a
   * vendor user.
   */
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
