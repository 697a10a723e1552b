import { isImportInDoubt } from '../base/in-doubt-writes.ts';
import { emptySyncFields, syncFields } from '../mapping/index.ts';
import type { Base } from '../record/base.ts';
import type { CrmFields, CrmReport } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { LinkState } from '../record/link-state.ts';
import type { VendorObservation } from '../record/observation.ts';
import { PICK_FIELD } from '../record/pick.ts';
import type { Reported } from '../record/reported.ts';
import { highestKnownVersion, isBefore, isNotAfter } from '../record/versions.ts';
import { WAIT_REASONS, type WaitReason } from '../record/wait-reason.ts';
import { EMPTIED, ownedFields, restoredNote } from './owned-fields.ts';
import { NO_SIDES, type SidesMapping, sidesOf } from './report-fields.ts';
import { filledWords, heldWords, overruledNotices, overruledWords, saidWords } from './report-words.ts';
import {
  contested,
  isGone,
  isSameReported,
  isToEmpty,
  shown,
  showsOwned,
  withRow,
  withRowUnknown,
  withWait,
} from './reported.ts';

export type ReportInput = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly Issue[];
  /**
   * Sentences about fields in which one side's edit was overruled (lost a conflict by rule). They quote no values, so every reader of the
   * report may see them.
   */
  readonly overruled?: readonly string[];
  /**
   * Sentences with values or with a side's own words: the values of overruled fields and of waiting conflicts, and the texts in which a
   * side explained a refusal.
   */
  readonly conflictValues?: readonly string[];
  /** Whether the report clears the user's pick (choice in a conflict) on the sync row, because Lockstep has applied the pick. */
  readonly isPickTaken?: boolean;
  /**
   * The JSON fields of the sync row (`Lockstep_Sync__c`) from which a component shows the deal field by field. Absent if the caller does
   * not want them. A change of these fields alone causes no report, because their content follows from the other fields.
   */
  readonly sides?: CrmFields;
  /** Text about fields that are empty in the CRM and that the vendor filled with a default. Null if there are no such fields. */
  readonly filled?: string | null;
  readonly vendorObservation: VendorObservation | null;
  /** The vendor's status code: from the vendor's record as last read, else from the base (last agreed values). Null if unknown. */
  readonly vendorStatus: string | null;
  readonly reported: Reported | null;
  /**
   * Whether an import (create of a vendor-created deal in the CRM) without an answer may have created the opportunity. The report then does
   * not write the opportunity's fields. The import has sent them already, and a save by Lockstep would hide whether a user has saved the
   * opportunity last.
   */
  readonly isImportInDoubt?: boolean;
};

/** A status report to CRM users that Lockstep must send. `shows`: what CRM users see once the CRM has accepted the report. */
type DueReport = { readonly shows: Reported; readonly report: CrmReport };

const STATE_LABELS: Readonly<Record<LinkState, string>> = {
  new: 'Pending',
  pending: 'Pending',
  'in-sync': 'In sync',
  conflict: 'Conflict',
  'closed-at-vendor': 'Closed at vendor',
  parked: 'Parked',
  detached: 'Detached',
  'vendor-missing': 'Vendor missing',
  elsewhere: 'Detached',
  superseded: 'Detached',
};

/**
 * The vendor's status code that CRM users see: the status in the vendor's record as last read. If this read is stale, or too old to show a
 * status that Lockstep has sent, the status in the base (last agreed values) counts. Null if unknown.
 */
export function vendorStatusOf(base: Base | null, observation: VendorObservation | null): string | null {
  const agreed = base?.vendor.status ?? null;
  const observed = observation?.record.status;
  if (observed === undefined || observation === null) return agreed;
  if (base === null) return observed;
  const basedOn = base.awaitingEcho.includes('status') ? (base.basedOn?.version ?? null) : null;
  const late = isNotAfter(observation.version, basedOn) || isBefore(observation.version, highestKnownVersion(base));
  return late ? agreed : observed;
}

type NewsInput = Pick<
  ReportInput,
  'state' | 'issues' | 'overruled' | 'conflictValues' | 'filled' | 'vendorObservation'
>;

/** The values that the fields of the sync row (`Lockstep_Sync__c`) should have now, except its two JSON fields. */
function syncOf({
  state,
  issues,
  overruled = [],
  conflictValues = [],
  filled = null,
  vendorObservation,
}: NewsInput): CrmFields {
  return {
    Sync_State__c: STATE_LABELS[state],
    Message__c: messageOf(issues, overruled),
    [VALUES_FIELD]: textOf(conflictValues),
    ...(vendorObservation === null
      ? {}
      : {
          Vendor_Filled__c: filled,
          ...syncFields(vendorObservation.readOnly),
        }),
  };
}

/**
 * The message on the sync row (`Lockstep_Sync__c`). It names fields and quotes no values, because every reader of the row sees the message.
 * Null if there is nothing to say.
 */
function messageOf(issues: readonly Issue[], overruled: readonly string[] = []): string | null {
  return textOf([...issues.map((issue) => issue.message), ...overruled]);
}

function textOf(lines: readonly string[]): string | null {
  return lines.join('\n').slice(0, MESSAGE_LENGTH) || null;
}

/**
 * The sync row's (`Lockstep_Sync__c`) field for the values of conflicts and for a side's own text about a refusal, which may quote values.
 * Readers need a separate permission set, because the values may come from fields that are hidden from them.
 */
export const VALUES_FIELD = 'Conflict_Values__c';

const MESSAGE_LENGTH = 32_768;

/**
 * A reduced report, for the case that the CRM refuses some fields of the sync row (`Lockstep_Sync__c`). It has only the state and the
 * message, and clears the user's pick (choice in a conflict) if the whole report clears it.
 */
export function essential({ opportunityId, sync }: CrmReport): CrmReport {
  const { Sync_State__c, Message__c } = sync;
  const fields = { Sync_State__c: Sync_State__c ?? null, Message__c: Message__c ?? null };
  const pick = PICK_FIELD in sync ? { [PICK_FIELD]: null } : {};
  return { opportunityId, opportunity: {}, sync: { ...fields, ...pick } };
}

/**
 * Fields of the sync row (`Lockstep_Sync__c`) that Lockstep sends together with a write of the opportunity, so that the times in the row
 * are current. Null if a whole report follows anyway, or if no report was ever sent for the record.
 */
export function refreshedSync(input: ReportInput): CrmFields | null {
  return input.reported === null || dueReport(input) !== null ? null : { ...syncOf(input), ...input.sides };
}

/**
 * The report that Lockstep must send to CRM users about a record; null if the CRM already shows its content. If only the modification time
 * of the vendor's record is new, this causes no report, because each of Lockstep's own writes changes this time. Records that were never
 * shared with the vendor get no report.
 */
export function dueReport(input: ReportInput): DueReport | null {
  if (input.crmId === null || input.state === 'elsewhere') return null;
  if (input.state === 'detached') return detachedReport(input.crmId, input);
  const sync = syncOf(input);
  const { Vendor_Modified__c, Vendor_Filled__c, [VALUES_FIELD]: values, ...others } = sync;
  // If a field for the vendor's defaults or for conflicts is empty, it does not count as a change.
  const news = {
    ...others,
    ...(Vendor_Filled__c ? { Vendor_Filled__c } : {}),
    ...(values ? { [VALUES_FIELD]: values } : {}),
  };
  const owned = ownedFields(input);
  const isRowOnly = input.isImportInDoubt === true;
  const shows = isRowOnly ? withRow(input.reported, news) : shown(owned, news);
  if (isSameReported(shows, input.reported) && input.isPickTaken !== true) return null;
  const opportunity = isRowOnly || showsOwned(input.reported, owned) ? {} : owned;
  if (isToEmpty(input.reported) && input.vendorId === null)
    return {
      shows,
      report: { opportunityId: input.crmId, opportunity: EMPTIED, sync: withoutVendor({ ...sync, ...input.sides }) },
    };
  const withPick = {
    ...withNote(sync, input.reported),
    ...input.sides,
    ...(input.isPickTaken ? { [PICK_FIELD]: null } : {}),
  };
  return { shows, report: { opportunityId: input.crmId, opportunity, sync: withPick } };
}

/**
 * The fields of the sync row (`Lockstep_Sync__c`) for an opportunity that an operator separated from its vendor record: all that come from
 * the vendor are empty.
 */
function withoutVendor(sync: CrmFields): CrmFields {
  return { ...emptySyncFields(), Vendor_Filled__c: null, [VALUES_FIELD]: null, ...NO_SIDES, ...sync };
}

/**
 * Adds a note to the message of the sync row (`Lockstep_Sync__c`) if this report puts back opportunity fields that users may not edit.
 * A comparison of a new report with the last one ignores the note. So Lockstep sends no report only to remove the note, and users see it
 * until the next report.
 */
function withNote(sync: CrmFields, reported: Reported | null): CrmFields {
  const note = restoredNote(reported);
  if (note === null) return sync;
  return { ...sync, Message__c: [sync['Message__c'], note].filter(Boolean).join('\n') };
}

/**
 * The facts about a change that waits until a remote system works again, or until a retry. They come from the link (pair of CRM record and
 * vendor record) of the changed record.
 */
type WaitingInput = {
  readonly crmId: string;
  readonly reported: Reported | null;
  /** Since when the change waits, ISO. */
  readonly since: string;
  readonly waitsFor: WaitReason;
};

/**
 * The report that says to CRM users that a change of the record waits; null if the CRM shows this already. When the change was synced, a
 * later report replaces this one.
 */
export function waitingReport({ crmId, reported, since, waitsFor }: WaitingInput): DueReport | null {
  const shows = withWait(reported, waitsFor);
  if (isSameReported(shows, reported)) return null;
  const sync = {
    Sync_State__c: STATE_LABELS.pending,
    Message__c: `A change is on its way since ${shownInstant(since)}. It waits for ${WAIT_REASONS[waitsFor]}.`,
  };
  return { shows, report: { opportunityId: crmId, opportunity: {}, sync } };
}

/** What CRM users may see while a report is on its way: the old or the new report, because the answer may be lost. */
export function whileReporting(reported: Reported, { opportunity }: CrmReport): Reported {
  return Object.keys(opportunity).length === 0 ? withRowUnknown(reported) : contested(reported);
}

/** A time as messages show it, such as `2026-01-31 09:30:00 UTC`. */
function shownInstant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/**
 * The report about a record that is not shared with the vendor any more. It names the issues that users should solve before they share the
 * record again. Null if CRM users see it already, if the opportunity was deleted, or if no report was ever sent.
 */
function detachedReport(
  crmId: string,
  { issues, reported }: Pick<ReportInput, 'issues' | 'reported'>,
): DueReport | null {
  if (reported === null || isGone(reported)) return null;
  const sync = {
    Sync_State__c: STATE_LABELS.detached,
    Message__c: messageOf(issues),
  };
  if (isToEmpty(reported))
    return {
      shows: shown({}, sync),
      report: { opportunityId: crmId, opportunity: EMPTIED, sync: withoutVendor(sync) },
    };
  const shows = withRow(reported, sync);
  return isSameReported(shows, reported)
    ? null
    : {
        shows,
        report: { opportunityId: crmId, opportunity: {}, sync: { ...sync, [VALUES_FIELD]: null, ...NO_SIDES } },
      };
}

/**
 * The parts of a link (pair of CRM record and vendor record, with its state) that a report to CRM users shows. If the tenant's mapping is
 * given, the report also shows the deal field by field.
 */
export function reportInput(link: Link, mapping?: SidesMapping): ReportInput {
  return {
    ...(mapping === undefined ? {} : { sides: sidesOf(link, mapping) }),
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    issues: link.issues,
    overruled: overruledNotices(link.base),
    conflictValues: [...heldWords(link.base), ...overruledWords(link.base), ...saidWords(link.issues)],
    isPickTaken: link.base?.pickTaken === true,
    filled: filledWords(link.base),
    vendorObservation: link.vendorObservation,
    vendorStatus: link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation),
    reported: link.reported,
    isImportInDoubt: isImportInDoubt(link.base),
  };
}
