import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/** A CRM line with its counterpart at the last agreement, given as a position in the vendor's array of lines. */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/** Lines of a merge that the vendor has applied and the CRM has not yet: the agreed content on each side. */
export type PartlyAppliedLines = {
  /** The vendor's version before it applied its half of the merge. A read of this version, or of an older one, does not show the merge. */
  readonly basedOnVersion: string | null;
  readonly lines: readonly { readonly crm: OfferLine; readonly vendor: OfferLine }[];
};

/** Each side's value when the conflict was reported to a person. */
export type HeldConflict = {
  readonly crm: unknown;
  readonly vendor: unknown;
  /** The side that a person picked for this field; kept until its value is written. */
  readonly picked?: PickedSide;
};

export type BasedOn = {
  readonly version: string | null;
  /** For each field that awaits its echo: the values that the vendor showed before our writes. */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /** When the vendor answered Lockstep's last update, by the vendor's clock. Absent if the answer had no time or was lost. */
  readonly answeredAt?: string;
  /**
   * Fields of Lockstep's last write that the vendor ignored, as a read showed. If the record changes later, these fields' values are no
   * user's edit.
   */
  readonly ignoredBySide?: readonly FieldName[];
  /** Lists that await their echo and were already cleared once, because the vendor retained removed rows. */
  readonly cleared?: readonly FieldName[];
};

/** The loser of a conflict that a rule decided: both values, or both sides of each line, and when each side was saved. */
export type Overruled = {
  readonly rule: string;
  readonly crmSavedAt: string | null;
  readonly vendorSavedAt: string | null;
} & (
  | { readonly winner: 'crm' | 'vendor'; readonly crm: unknown; readonly vendor: unknown }
  | { readonly lines: readonly LineConflict[] }
);

/** The values that both sides agree on if one write is applied, and the conflicts that it decides. */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** Ids of CRM lines that were deleted before a write to the CRM; absent if unknown, and for an update at the vendor. */
  readonly goneLines?: readonly string[];
  /** When an update was sent to the vendor. Absent for a write to the CRM, which refuses a write based on an older version. */
  readonly leftAt?: string;
  /** Marks a late arrival: a later read did not show the update, or a newer one was answered, but the vendor may still apply it. */
  readonly isLateArrival?: true;
};

/** Writes to one side whose answers were lost. A later read can show whether a write was applied. */
export type InDoubtWrites = {
  /**
   * The side's version before the last write, or a later version that does not include the writes. A read of this version says nothing
   * about them.
   */
  readonly basedOnVersion: string | null;
  /** The writes, oldest first. */
  readonly sent: readonly SentWrite[];
};

/** The values on which both sides last agreed, in each side's own form; only a difference from a side's *own* value is an edit. */
export type Base = {
  readonly crm: Observed;
  readonly vendor: Observed;
  /** Fields whose vendor value is a default of the vendor's and was never set by the CRM. */
  readonly defaulted: readonly FieldName[];
  /** Fields of `vendor` that Lockstep wrote and that no read has shown yet. */
  readonly awaitingEcho: readonly FieldName[];
  /** The vendor's version before Lockstep's last write, null for a create; and the earlier values that a stale read may still show. */
  readonly basedOn?: BasedOn;
  /** Present while it is unknown whether an update at the vendor was applied. */
  readonly inDoubtVendorWrites?: InDoubtWrites;
  /** Present while it is unknown whether a write to the CRM was applied. */
  readonly inDoubtCrmWrites?: InDoubtWrites;
  /** Whether Lockstep sent the partner reference and no read has shown it yet. The reference alone is then not sent again. */
  readonly referenceSent?: boolean;
  /** The mappings with which `crm` was read, if not the default ones. After a mapping change the field's old CRM value no longer counts. */
  readonly fields?: FieldMappings;
  /** Fields that an operator ordered to resync, regardless of the base. */
  readonly resyncFields?: readonly FieldName[];
  /** Conflicts that wait for a person, with each side's value when the conflict was reported. */
  readonly held?: { readonly [F in FieldName]?: HeldConflict };
  /** Set once a person's pick on `Lockstep_Sync__c` was applied, or had no conflict to decide, until a report clears the pick. */
  readonly pickTaken?: true;
  /** Overruled values by field, until the field changes again or a person has reviewed the conflict. */
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /** The time of the ledger restore after which both sides were compared with this base, ISO. */
  readonly restoredAt?: string;
  /** Fields that differed after a ledger restore, so that it is unknown which value is newer; kept until the sides agree. */
  readonly ancestorUnknown?: readonly FieldName[];
  readonly linePairs: readonly LinePair[];
  /** Lines of a merge that the vendor has applied; present until the CRM has applied the merge too. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /** The CRM's version after which an undecided edit was made. Like `vendorVersion`, it does not advance while a field is open. */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The highest vendor version that any read returned. A read with a lower version is stale. */
  readonly highestSeenVersion?: string | null;
  /**
   * The vendor's version that Lockstep's last update produced, kept while a field is open, because this version is no vendor user's edit.
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
