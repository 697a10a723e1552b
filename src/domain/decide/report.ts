import { emptySyncFields, syncFields } from '../mapping/index.ts';
import type { Base } from '../record/base.ts';
import type { CrmFields, CrmReport } from '../record/crm-graph.ts';
import type { Issue } from '../record/issue.ts';
import type { Link } from '../record/link.ts';
import type { LinkState } from '../record/link-state.ts';
import type { VendorObservation } from '../record/observation.ts';
import { PICK_FIELD } from '../record/pick.ts';
import { highestKnownVersion, isBefore, isNotAfter } from '../record/versions.ts';
import { WAIT_REASONS, type WaitReason } from '../record/wait-reason.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { EMPTIED, isPutBack, isReported, isToEmpty, ownedFields, putBackNote } from './owned-fields.ts';
import { filledWords, heldWords, overruledWords } from './report-words.ts';

export type ReportInput = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly issues: readonly Issue[];
  /** What lost by rule, and both values of what waits, in words. */
  readonly conflicts?: readonly string[];
  /** A person's pick on the child record is to be taken off it. */
  readonly isPickTaken?: boolean;
  /** What the vendor has filled in by itself, in words. */
  readonly filled?: string | null;
  readonly vendorObservation: VendorObservation | null;
  /** The vendor's status as last agreed or seen, raw. */
  readonly vendorStatus: string | null;
  /** Mark of what was reported last. */
  readonly reported: string | null;
};

type DueReport = { readonly digest: string; readonly report: CrmReport };

const STATE_LABELS: Readonly<Record<LinkState, string>> = {
  new: 'Pending',
  pending: 'Pending',
  'in-sync': 'In sync',
  conflict: 'Conflict',
  parked: 'Parked',
  detached: 'Detached',
  'vendor-missing': 'Vendor missing',
  superseded: 'Detached',
};

/**
 * The vendor's status, raw, as the CRM's users should see it: what the vendor showed last, even where the CRM's stage
 * cannot follow it. What we sent counts until a reading can show it.
 */
export function vendorStatusOf(base: Base | null, observation: VendorObservation | null): string | null {
  const agreed = base?.vendor.status ?? null;
  const observed = observation?.record.status;
  if (observed === undefined || observation === null) return agreed;
  if (base === null) return observed;
  const basedOn = base.awaitingEcho.includes('status') ? (base.basedOn?.version ?? null) : null;
  const late =
    isNotAfter(observation.version, basedOn) || isBefore(observation.version, highestKnownVersion(base));
  return late ? agreed : observed;
}

/** The child record's fields as they are now. */
function syncOf({
  state,
  issues,
  conflicts = [],
  filled = null,
  vendorObservation,
}: Pick<ReportInput, 'state' | 'issues' | 'conflicts' | 'filled' | 'vendorObservation'>): CrmFields {
  return {
    Sync_State__c: STATE_LABELS[state],
    Message__c: messageOf(issues, conflicts),
    ...(vendorObservation === null
      ? {}
      : { Vendor_Filled__c: filled, ...syncFields(vendorObservation.readOnly) }),
  };
}

function messageOf(issues: readonly Issue[], conflicts: readonly string[] = []): string | null {
  return [...issues.map((issue) => issue.message), ...conflicts].join('\n').slice(0, MESSAGE_LENGTH) || null;
}

const MESSAGE_LENGTH = 32_768;

/** What every record is told, whatever else of its child record the CRM refuses. */
export function essential({ opportunityId, sync }: CrmReport): CrmReport {
  const { Sync_State__c, Message__c } = sync;
  const fields = { Sync_State__c: Sync_State__c ?? null, Message__c: Message__c ?? null };
  const pick = PICK_FIELD in sync ? { [PICK_FIELD]: null } : {};
  return { opportunityId, opportunity: {}, sync: { ...fields, ...pick } };
}

/**
 * What may go along with a write of the deal itself, so that the times which are no news of their own are shown too;
 * null where the CRM's users do not know the rest already.
 */
export function refreshedSync(input: ReportInput): CrmFields | null {
  return input.reported === null || dueReport(input) !== null ? null : syncOf(input);
}

/**
 * What the CRM's users have to be told anew about a record, or null when they know it already. Times alone are no
 * news: our own writes move the vendor's too. A record that was never shared is not reported at all.
 */
export function dueReport(input: ReportInput): DueReport | null {
  if (input.crmId === null) return null;
  if (input.state === 'detached') return detachedReport(input.crmId, input);
  const sync = syncOf(input);
  const { Vendor_Modified__c, Vendor_Filled__c, ...others } = sync;
  // Nothing filled in is no news to those who were never told of anything.
  const news = Vendor_Filled__c ? { ...others, Vendor_Filled__c } : others;
  const owned = ownedFields(input);
  const digest = `${fingerprint(owned)}.${fingerprint(news)}`;
  if (digest === input.reported && input.isPickTaken !== true) return null;
  const opportunity = isReported(owned, input.reported) ? {} : owned;
  if (isToEmpty(input.reported) && input.vendorId === null)
    return {
      digest,
      report: { opportunityId: input.crmId, opportunity: EMPTIED, sync: withoutVendor(sync) },
    };
  const withPick = {
    ...withNote(sync, input.reported),
    ...(input.isPickTaken ? { [PICK_FIELD]: null } : {}),
  };
  return { digest, report: { opportunityId: input.crmId, opportunity, sync: withPick } };
}

/** Nothing of a vendor record from which the opportunity was separated stays on the child record. */
function withoutVendor(sync: CrmFields): CrmFields {
  return { ...emptySyncFields(), Vendor_Filled__c: null, ...sync };
}

/** The note is no news of its own: it stands until there are some. */
function withNote(sync: CrmFields, reported: string | null): CrmFields {
  const note = putBackNote(reported);
  if (note === null) return sync;
  return { ...sync, Message__c: [sync['Message__c'], note].filter(Boolean).join('\n') };
}

/** A link that waits for something by itself, as far as a report on that goes. */
type WaitingInput = {
  readonly crmId: string;
  readonly reported: string | null;
  /** ISO. */
  readonly since: string;
  readonly waitsFor: WaitReason;
};

/**
 * What the CRM's users have to be told of a record whose change is on its way for longer than moments; null where they
 * know. The mark differs from that of every other report, so that the next one is due as soon as both sides have it.
 */
export function waitingReport({ crmId, reported, since, waitsFor }: WaitingInput): DueReport | null {
  const digest = `${opportunityDigestOf(reported)}.waits-${waitsFor}`;
  if (digest === reported) return null;
  const sync = {
    Sync_State__c: STATE_LABELS.pending,
    Message__c: `A change is on its way since ${shownInstant(since)}. It waits for ${WAIT_REASONS[waitsFor]}.`,
  };
  return { digest, report: { opportunityId: crmId, opportunity: {}, sync } };
}

/**
 * The mark where nobody knows whether such a report got through: it is due again while the record waits, and so is the next one
 * of any kind.
 */
export function maybeReportedDigest(reported: string | null): string {
  return `${opportunityDigestOf(reported)}.maybe`;
}

/** The mark while users are told anew: what they were told last is no longer what they see, for all that is known. */
export function reportingDigest(reported: string, { opportunity }: CrmReport): string {
  return Object.keys(opportunity).length === 0 ? maybeReportedDigest(reported) : contestedDigest(reported);
}

/**
 * The mark where another writer has told users of the record meanwhile: which of the two they see nobody knows, so all is told once more. What
 * is to be written on the opportunity itself still is.
 */
export function contestedDigest(reported: string | null): string {
  return maybeReportedDigest(isToEmpty(reported) || isPutBack(reported) ? reported : null);
}

/**
 * The mark where the opportunity was gone when its users were to be told. They are told nothing more until it is seen again: it may come
 * back from the recycle bin, and shows then what it did before.
 */
export function goneDigest(reported: string | null): string {
  return `${opportunityDigestOf(reported)}${GONE}`;
}

export function wasGone(reported: string | null): boolean {
  return reported?.endsWith(GONE) === true;
}

const GONE = '.gone';

/** What was told on the opportunity itself stays told. */
function opportunityDigestOf(reported: string | null): string {
  return (reported ?? '').split('.')[0] ?? '';
}

/** To the second, as people read it. */
function shownInstant(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** A record out of scope hears that it is, and of the vendor only what has to be mended before it is shared again. */
function detachedReport(
  crmId: string,
  { issues, reported }: Pick<ReportInput, 'issues' | 'reported'>,
): DueReport | null {
  if (reported === null || wasGone(reported)) return null;
  const sync = {
    Sync_State__c: STATE_LABELS.detached,
    Message__c: messageOf(issues),
  };
  if (isToEmpty(reported)) {
    const digest = `${fingerprint({})}.${fingerprint(sync)}`;
    return { digest, report: { opportunityId: crmId, opportunity: EMPTIED, sync: withoutVendor(sync) } };
  }
  const [opportunityDigest] = reported.split('.');
  const digest = `${opportunityDigest}.${fingerprint(sync)}`;
  return digest === reported ? null : { digest, report: { opportunityId: crmId, opportunity: {}, sync } };
}

/** What of a link the report to the CRM's users is made of. */
export function reportInput(link: Link): ReportInput {
  return {
    crmId: link.crmId,
    vendorId: link.vendorId,
    state: link.state,
    issues: link.issues,
    conflicts: [...heldWords(link.base), ...overruledWords(link.base)],
    isPickTaken: link.base?.pickTaken === true,
    filled: filledWords(link.base),
    vendorObservation: link.vendorObservation,
    vendorStatus: link.vendorId === null ? null : vendorStatusOf(link.base, link.vendorObservation),
    reported: link.reported,
  };
}
