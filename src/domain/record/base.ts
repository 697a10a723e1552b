import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/** A CRM line and the vendor's line that belonged together at the last agreement. `position`: the place in the vendor's list of lines. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/** Merged lines that only the vendor has applied so far. Each has the content on which each side agreed. */
export type PartlyAppliedLines = {
  /** The vendor's version before the merged lines were sent. A read with this or an older version does not show them yet. */
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

/** The values that an operator's undo restores, by side. A side whose value must not change is absent. */
export type GoingBack = { readonly crm?: unknown; readonly vendor?: unknown };

/** Edits of a converted lead that the CRM refused to write to the opportunity. The edited values are only on the lead. */
export type LeftOnLead = {
  readonly leadId: string;
  /** The edited fields. While such a field is empty on the opportunity, it is not compared, so that neither side's value is lost. */
  readonly edited: readonly FieldName[];
  /** The CRM's error code, and the API names of the fields that its error contains. */
  readonly code: string;
  readonly fields: readonly string[];
  /**
   * The opportunity's version at the refusal, and the time of the refusal, ISO. Lockstep sends the edits again if the opportunity has been
   * saved since, or after half a day.
   */
  readonly version: string;
  readonly at: string;
};

export type BasedOn = {
  readonly version: string | null;
  /** For each field whose sent value was not read back yet: the values that the vendor showed before Lockstep's writes. */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /** When the vendor answered Lockstep's last update, by the vendor's clock. Absent if the answer contained no time or was lost. */
  readonly answeredAt?: string;
  /**
   * Fields that Lockstep's last write sent and the vendor ignored, as a later read showed. Their old values do not count as a user's edit,
   * even if the record is modified afterwards.
   */
  readonly ignoredBySide?: readonly FieldName[];
  /**
   * Lists that Lockstep has cleared at the vendor, because the vendor kept removed rows. Each is listed until a read shows the sent rows.
   */
  readonly cleared?: readonly FieldName[];
};

/**
 * A conflict that a rule decided, stored so that users see the value that lost. It contains the values of both sides or, for lists, the
 * lines in conflict, and when each side was saved.
 */
export type Overruled = {
  readonly rule: string;
  readonly crmSavedAt: string | null;
  readonly vendorSavedAt: string | null;
} & (
  | { readonly winner: 'crm' | 'vendor'; readonly crm: unknown; readonly vendor: unknown }
  | { readonly lines: readonly LineConflict[] }
);

/**
 * A write that may or may not have been applied: the values on which both sides agree if it was, and the conflicts that it then decides.
 */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** Ids of the CRM lines that were already deleted when a write was sent to the CRM. Absent if unknown, and for updates at the vendor. */
  readonly goneLines?: readonly string[];
  /**
   * When an update was sent to the vendor. Absent for a write to the CRM. Such a write cannot be applied late, because the CRM refuses a
   * write that is based on an older version.
   */
  readonly leftAt?: string;
  /** Set if the vendor may apply the update late: either a later read did not show it, or the vendor has answered a newer update since. */
  readonly isLateArrival?: true;
};

/** Writes to one side whose answers were lost. A later read can show whether they were applied. */
export type InDoubtWrites = {
  /**
   * The side's version before the last of the writes, or a later version that was read and did not show them. A read with this version does
   * not show whether they were applied.
   */
  readonly basedOnVersion: string | null;
  /** The unanswered writes, oldest first. */
  readonly sent: readonly SentWrite[];
  /**
   * With an import in several requests: true if a later attempt has saved the opportunity again, so that its last saver does not show
   * whether a user has edited it.
   */
  readonly isSavedAgain?: boolean;
};

/**
 * The base: the values on which both sides last agreed. `crm` and `vendor` contain them as each side showed them. If a side's value differs
 * from its own value in the base, a user has edited it.
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
   * True if Lockstep sent the partner reference and no read has shown it yet. Lockstep then sends no further update only for the reference.
   */
  readonly referenceSent?: boolean;
  /**
   * The tenant's field mappings when the CRM's values (`crm`) were read; absent for the default mapping. If the mapping of a field has
   * changed since, the field's value in `crm` is ignored.
   */
  readonly fields?: FieldMappings;
  /** Fields that are synced at the request of an operator as if the two sides had never agreed on them. */
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
   * Fields in which the sides differed after the ledger was restored from a backup. The agreed value of such a field is lost, so that
   * nobody knows which value is newer. A field is listed until the sides agree.
   */
  readonly ancestorUnknown?: readonly FieldName[];
  /**
   * Set if the deal's lead was converted or merged: the fields of the new record that were not compared with this base yet. `true` means
   * all fields. A field that the integration user cannot read stays in the list.
   */
  readonly fromLead?: true | readonly FieldName[];
  /** With `fromLead`: a stage that was changed after this instant (ISO) is a user's edit. */
  readonly firstStageUntil?: string;
  /**
   * Set if the deal's lead was converted with edits that neither the vendor nor the opportunity has, and the CRM refused to write them to
   * the opportunity.
   */
  readonly leftOnLead?: LeftOnLead;
  readonly linePairs: readonly LinePair[];
  /** Lines of a merge that the vendor has applied and the CRM has not applied yet. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /**
   * The CRM's version at the last agreement. While an edited field waits, this version does not change, nor does `vendorVersion`, so that
   * the edit still counts as later than the agreement.
   */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The highest vendor version of any read so far. A read with a lower version is stale. */
  readonly highestSeenVersion?: string | null;
  /**
   * The vendor's version after Lockstep's last update. Stored while a field waits, so that this version does not count as an edit by a
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
