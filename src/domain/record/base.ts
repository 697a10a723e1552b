import type { FieldName, Observed, OfferLine } from './canonical.ts';
import type { LineConflict } from './field-decision.ts';
import type { FieldMappings } from './mapping-config.ts';
import type { PickedSide } from './pick.ts';

/**
 * A pair of product lines that corresponded to each other when both sides last agreed. `crmLineId`: the id of the CRM's line; `position`:
 * the index of the vendor's line in the vendor's list of lines.
 */
export type LinePair = { readonly crmLineId: string; readonly position: number };

/**
 * Product lines after the first half of a merge: the vendor has stored the merged lines, and the CRM has not yet. `lines`: for each line,
 * the values that count as last agreed until the CRM stores the merge, as the CRM shows them (`crm`) and as the vendor shows them
 * (`vendor`). If the CRM must still get a line's amount or revenue type, this part has the value that was agreed before the merge.
 */
export type PartlyAppliedLines = {
  /**
   * The version of the vendor's record before Lockstep sent it the lines that were merged from both sides. A read with this version, or an
   * older one, does not show these lines yet.
   */
  readonly basedOnVersion: string | null;
  readonly lines: readonly { readonly crm: OfferLine; readonly vendor: OfferLine }[];
};

/**
 * A conflict (both sides changed one field) that waits for a user's choice. `crm`, `vendor`: each side's value when the conflict was
 * reported to users; messages show both values.
 */
export type HeldConflict = {
  readonly crm: unknown;
  readonly vendor: unknown;
  /** The side whose value a user picked for this field. Stored until the picked value is written; absent if no side was picked. */
  readonly picked?: PickedSide;
};

/** The values of one field that an operator's undo restores, one for each side. A side whose value must not change is absent. */
export type GoingBack = { readonly crm?: unknown; readonly vendor?: unknown };

/** What Lockstep stores after the CRM refused to write values of a converted lead to the lead's opportunity: the fields, and why. */
export type LeftOnLead = {
  readonly leadId: string;
  /**
   * The fields whose values on the lead must still be written to the opportunity: fields that a user edited on the lead before its
   * conversion, and the close date, if Salesforce chose another one for the opportunity. While such a field is empty on the opportunity, or
   * has the close date that Salesforce chose, Lockstep does not compare it with the vendor's value. So the opportunity's value is not sent
   * to the vendor. And an older value of the vendor is not written to the field, which stays free for the lead's value.
   */
  readonly edited: readonly FieldName[];
  /** The close date (`YYYY-MM-DD`) that Salesforce chose for the opportunity. Absent if it chose none. */
  readonly closeDate?: string;
  /**
   * `code`: the error code with which the CRM refused to write the lead's values to the opportunity. `fields`: the API names of the fields
   * that this error contains.
   */
  readonly code: string;
  readonly fields: readonly string[];
  /**
   * `version`: the opportunity's version when the CRM refused the lead's values. `at`: the time of the refusal, ISO. Lockstep sends these
   * values again if the opportunity has been saved since, or after half a day.
   */
  readonly version: string;
  readonly at: string;
};

export type BasedOn = {
  readonly version: string | null;
  /**
   * For each field whose sent value was not read back yet: the values that the vendor showed before Lockstep's writes. A stale read may
   * still show such a value, which is then no user's edit.
   */
  readonly previousValues: { readonly [F in FieldName]?: readonly unknown[] };
  /**
   * When the vendor answered Lockstep's last update, by the vendor's clock, ISO. A version of the vendor's record up to this time may come
   * from that update; a later version cannot. Absent if the answer contained no time or was lost.
   */
  readonly answeredAt?: string;
  /**
   * Fields that Lockstep's last write sent and that the vendor ignored, as a later read showed. If the vendor shows the old value of such a
   * field again, the value does not count as a user's edit, even if the record was modified afterwards.
   */
  readonly ignoredBySide?: readonly FieldName[];
  /**
   * List fields that Lockstep emptied at the vendor in order to send the list again. It does so because the vendor kept rows that an
   * earlier update removed. A field stays here until a read shows the rows that were sent.
   */
  readonly cleared?: readonly FieldName[];
};

/**
 * A conflict (both sides changed one field) that a rule decided, stored so that users see the value that lost. It contains the values of
 * both sides or, for a list of lines, the lines in conflict. It also contains when each side was saved.
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
 * A write whose outcome is unknown. `crm` and `vendor`: the written fields' values as each side shows them if the write was applied. The
 * two sides then agree on these fields. `overruled`: conflicts (both sides changed a field) that a rule decided. If the write was applied,
 * the edits that lost these conflicts are overwritten.
 */
export type SentWrite = {
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /**
   * Ids of the CRM lines that were already deleted when a write was sent to the CRM, so that Lockstep does not take them for lines that
   * this write created. Absent if unknown, and for updates at the vendor.
   */
  readonly goneLines?: readonly string[];
  /**
   * When Lockstep sent the update to the vendor, ISO. This is the time noted just before the request. For an update that a newer plan
   * overtook, it is a later time: when the update's outcome became known. The vendor may still apply the update for five minutes after this
   * time. During these minutes, an update that no read shows stays in doubt. Absent for a write to the CRM: the CRM cannot apply such a
   * write late, because it refuses a write that is based on an older version.
   */
  readonly leftAt?: string;
  /**
   * Set if the vendor may still apply this update after a newer one: either a later read did not show the update, or the vendor has
   * answered a newer update since.
   */
  readonly isLateArrival?: true;
};

/** Writes to one side (CRM or vendor) whose answers were lost. A later read can show whether the writes were applied. */
export type InDoubtWrites = {
  /**
   * The newest known version of the side's record that does not show the unanswered writes. It is the version before the last write in
   * `sent`. If a later read did not show the writes either, it is the version of that read. A read with this version proves nothing about
   * the writes; only a read with a later version can show whether they were applied.
   */
  readonly basedOnVersion: string | null;
  /** The unanswered writes, oldest first. */
  readonly sent: readonly SentWrite[];
  /**
   * Only for an import (creation of a vendor's deal in the CRM) that takes several requests: true if Lockstep repeated the import and may
   * have saved the opportunity again. The integration user may then be the last saver although a user has edited the opportunity before. So
   * Lockstep does not conclude from the last saver that no user has edited it. A value that differs from the sent value counts as an edit.
   */
  readonly isSavedAgain?: boolean;
};

/**
 * The base: the values on which the CRM and the vendor last agreed. `crm` and `vendor` contain these values as each side showed them. If a
 * side now shows another value than its part of the base, a user has edited the value.
 */
export type Base = {
  readonly crm: Observed;
  readonly vendor: Observed;
  /**
   * Fields whose value at the vendor is the vendor's default, because the CRM has never set them. Such a value does not count as a user's
   * edit, so Lockstep does not write it to the CRM.
   */
  readonly defaulted: readonly FieldName[];
  /**
   * Fields that Lockstep wrote to the vendor and that no read of the vendor's record has shown yet. In the base, `vendor` already contains
   * the sent values.
   */
  readonly awaitingEcho: readonly FieldName[];
  /**
   * The state before Lockstep's last write to the vendor: the vendor's version (null for a create), and the values that a stale read may
   * still show.
   */
  readonly basedOn?: BasedOn;
  /** Updates that the vendor may or may not have applied, or may still apply late; absent if there are none. */
  readonly inDoubtVendorWrites?: InDoubtWrites;
  /** Writes to the CRM that may or may not have been applied, because their answers were lost; absent if there are none. */
  readonly inDoubtCrmWrites?: InDoubtWrites;
  /**
   * True if Lockstep sent the partner reference (the CRM record's id) to the vendor and no read has shown it yet. While true, Lockstep does
   * not send an update that contains nothing but the reference.
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
  /** The conflicts (fields that both sides changed) that wait for a user's choice, by field. */
  readonly held?: { readonly [F in FieldName]?: HeldConflict };
  /**
   * Set when a user's pick (choice in a conflict) on `Lockstep_Sync__c` was applied, or found no conflict to decide. Removed once Lockstep
   * has emptied the field with the pick in the CRM, so that no pick is applied twice.
   */
  readonly pickTaken?: true;
  /**
   * For each field, the edit that lost a conflict by rule. It is stored until the field changes again or a user has reviewed the conflict.
   */
  readonly overruled?: { readonly [F in FieldName]?: Overruled };
  /**
   * The time of the last restore of the ledger (Lockstep's database) from a backup, ISO. Set once both sides were compared with this base
   * after the restore; absent before that.
   */
  readonly restoredAt?: string;
  /**
   * Fields in which the sides differed after the ledger (Lockstep's database) was restored from a backup. The last agreed value of such a
   * field is lost, so Lockstep cannot know which side's value is newer. A field is listed until the sides agree.
   */
  readonly ancestorUnknown?: readonly FieldName[];
  /**
   * Set if the deal's lead was converted or merged into another CRM record: the fields of that record that were not compared with this base
   * yet. `true` means all fields. A field that the integration user cannot read stays in the list.
   */
  readonly fromLead?: true | readonly FieldName[];
  /**
   * The instant (ISO) after which a change of the new opportunity's stage counts as a user's edit. An earlier change may come from the
   * conversion or from the org's automations. Usually, the instant is five seconds after Lockstep completes the conversion, because
   * Lockstep's write may start automations. If the stage changed before that write, but more than five seconds after the lead's conversion,
   * a user changed it. The instant is then five seconds after the conversion. Set only together with `fromLead`.
   */
  readonly firstStageUntil?: string;
  /**
   * Set if the deal's lead was converted with values that the opportunity did not get, and the CRM refused to write them to the
   * opportunity.
   */
  readonly leftOnLead?: LeftOnLead;
  readonly linePairs: readonly LinePair[];
  /** Product lines that were merged from both sides: the vendor has stored the merged lines, and the CRM has not stored them yet. */
  readonly partlyAppliedLines?: PartlyAppliedLines;
  /**
   * `crmVersion`, `vendorVersion`: the version of each side's record at the last agreement. While an edited field waits for its write or
   * for a user's choice, neither version changes, so that the edit still counts as later than the agreement.
   */
  readonly crmVersion: string | null;
  readonly vendorVersion: string | null;
  /** The highest version of the vendor's record in any read so far. A read with a lower version is stale. */
  readonly highestSeenVersion?: string | null;
  /**
   * The version of the vendor's record after Lockstep's last update. Stored while an edited field waits for its write or for a user's
   * choice, so that this version does not count as an edit by a vendor user.
   */
  readonly versionOfOwnWrite?: string;
};

export const EMPTY_BASE: Base = {
  crm: {},
  vendor: {},
  defaulted: [],
  awaitingEcho: [],
  linePairs: [],
  crmVersion: null,
  vendorVersion: null,
};
