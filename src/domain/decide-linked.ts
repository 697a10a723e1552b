import {
  baseAfterCrmWrite,
  baseAfterMerge,
  baseAfterVendorWrite,
  crmVersionOf,
  withVersions,
} from './base.ts';
import type { FieldName, Observed } from './canonical.ts';
import type { DecideInput } from './decide.ts';
import { FIELDS } from './fields.ts';
import { fingerprint } from './fingerprint.ts';
import type { Issue } from './issue.ts';
import { afterCrmWrite, crmWrite, observeCrm, updateBody } from './mapping/index.ts';
import { type Merge, merge } from './merge.ts';
import type { Base, CrmObservation, FieldDecision, Plan, VendorIntent, VendorObservation } from './plan.ts';
import { idle, parked, stateOf } from './plans.ts';
import { referenceKind } from './reference.ts';

/** A deal that both sides have: merge, then at most one write; the vendor's first. */
export function decideLinked(
  input: DecideInput,
  crm: CrmObservation,
  vendor: VendorObservation | 'unread',
  crmId: string,
): Plan {
  const { link } = input;
  if (vendor === 'unread') {
    if (link.vendorUncertain !== 'no') return readFirst(input, 'an update may have been applied');
    if (link.base === null) return readFirst(input, 'first look at both sides');
  }
  const seen = vendor === 'unread' ? null : confirmedPart(vendor, link.base);
  if (seen !== null && referenceKind(seen.reference) === 'ours' && seen.reference !== crmId)
    return otherDeal(input);
  const merged = mergeSides(input, crm, seen);
  const outgoing = outgoingChange(input, crm, seen, merged, crmId);
  const issues = [...crm.issues, ...outgoing.issues, ...heldIssues(merged)];
  const base = baseAfterMerge(link.base, merged, crm, seen);
  const found: Found = { input, crm, seen, merged, outgoing, issues, base };
  if (outgoing.intent !== null)
    return seen === null && !mayWriteUnread(merged)
      ? readFirst(input, 'changed in the CRM')
      : toVendor(found);
  if (seen !== null && Object.keys(merged.toCrm).length > 0) return toCrm(found, seen);
  return settled(found, 'nothing to write', issues);
}

type Outgoing = {
  readonly intent: VendorIntent | null;
  readonly withheld: readonly FieldName[];
  readonly issues: readonly Issue[];
};

type Found = {
  readonly input: DecideInput;
  readonly crm: CrmObservation;
  readonly seen: VendorObservation | null;
  readonly merged: Merge;
  readonly outgoing: Outgoing;
  readonly issues: readonly Issue[];
  readonly base: Base;
};

/**
 * A read that still shows the version from before our last write is late: what it says of the fields we sent is
 * older than what we know.
 */
function confirmedPart(vendor: VendorObservation, base: Base | null): VendorObservation {
  if (base === null || base.vendorVersion === null || vendor.version !== base.vendorVersion) return vendor;
  const late = new Set(base.unconfirmed.filter((field) => base.vendor[field] !== undefined));
  const record = Object.fromEntries(
    Object.entries(vendor.record).filter(([field]) => !late.has(field as FieldName)),
  );
  return { ...vendor, record: record as Observed };
}

function mergeSides(input: DecideInput, crm: CrmObservation, seen: VendorObservation | null): Merge {
  const { base } = input.link;
  return merge({
    base,
    crm: crm.record,
    vendor: seen?.record ?? {},
    untranslatable: new Set(
      crm.issues
        .filter((issue) => issue.code === 'no-code-for-value')
        .map((issue) => issue.field as FieldName),
    ),
    crmChange: { after: base?.crmVersion ?? null, until: crmVersionOf(crm) },
    vendorChange: { after: base?.vendorVersion ?? null, until: seen?.version ?? null },
    config: input.config,
  });
}

function outgoingChange(
  input: DecideInput,
  crm: CrmObservation,
  seen: VendorObservation | null,
  merged: Merge,
  crmId: string,
): Outgoing {
  const held = seen?.reference ?? input.link.reference;
  const present: Observed = { ...input.link.base?.vendor, ...seen?.record };
  const target: Observed = { ...crm.record, ...present, ...merged.toVendor };
  const made = updateBody(merged.toVendor, {
    reference: held ?? crmId,
    config: input.config,
    present,
    target,
  });
  const withheld = made.withheld.map((item) => item.field);
  const issues = made.withheld.flatMap((item) => (item.issue === null ? [] : [item.issue]));
  const unnamed = seen !== null && referenceKind(seen.reference) === 'none';
  if (made.intent !== null || !unnamed) return { intent: made.intent, withheld, issues };
  const body = { leadOpportunity: { partnerLeadOpportunityId: crmId } };
  return { intent: { body, fields: [], record: {} }, withheld, issues };
}

/** Only fields whose conflict rule is the CRM's may be written over a value nobody looked at; never lists. */
function mayWriteUnread(merged: Merge): boolean {
  const fields = Object.keys(merged.toVendor) as FieldName[];
  return (
    fields.length > 0 &&
    fields.every((field) => FIELDS[field].rule === 'crm' && SCALARS.has(FIELDS[field].kind))
  );
}

const SCALARS: ReadonlySet<string> = new Set(['text', 'email', 'code', 'date']);

function toVendor(found: Found): Plan {
  const { input, crm, seen, merged, outgoing, issues } = found;
  const intent = outgoing.intent;
  if (intent === null) return settled(found, 'nothing to write', issues);
  if (fingerprint(intent.body) === input.link.refusedFingerprint)
    return settled(found, 'refused before', input.link.issues);
  const base = baseAfterVendorWrite(found.base, crm, intent, merged.toCrm);
  const open = Object.keys(merged.toCrm).length > 0 || merged.held.length > 0 || outgoing.withheld.length > 0;
  return {
    next: 'update-at-vendor',
    reason: intent.fields.length > 0 ? 'changed in the CRM' : 'tells the vendor our reference',
    toVendor: intent,
    toCrm: null,
    createInCrm: null,
    decisions: asSeen(found),
    issues,
    baseAfter: open ? base : withVersions(base, crm, seen),
    stateAfter: stateOf(issues),
  };
}

function toCrm(found: Found, seen: VendorObservation): Plan {
  const { input, crm, merged, outgoing } = found;
  const made = crmWrite(merged.toCrm, crm.graph, {
    config: input.config,
    linePairs: found.base.linePairs,
    vendorLines: seen.record.offerLines ?? [],
    unknownOffers: input.unknownOffers,
  });
  const issues = [...found.issues, ...made.issues];
  const fields = Object.keys(merged.toCrm) as FieldName[];
  if (made.write !== null && fingerprint(made.write) === input.link.refusedFingerprint) {
    return settled(found, 'refused before', input.link.issues);
  }
  const shown =
    made.write === null ? crm.record : observeCrm(afterCrmWrite(crm.graph, made.write), input.config).record;
  const base = baseAfterCrmWrite(found.base, shown, seen, fields, made.linePairs);
  const open = merged.held.length > 0 || outgoing.withheld.length > 0;
  return {
    next: made.write === null ? 'nothing' : 'write-crm',
    reason: 'changed at the vendor',
    toVendor: null,
    toCrm: made.write,
    createInCrm: null,
    decisions: asSeen(found),
    issues,
    baseAfter: open ? base : withVersions(base, crm, seen),
    stateAfter: stateOf(issues),
  };
}

function settled(found: Found, reason: string, issues: readonly Issue[]): Plan {
  const { input, crm, seen, merged, outgoing, base } = found;
  const open = merged.decisions.some((item) => OPEN.has(item.verdict)) || outgoing.withheld.length > 0;
  return {
    ...idle(input, 'nothing', reason, stateOf(issues), issues),
    decisions: asSeen(found),
    baseAfter: open ? base : withVersions(base, crm, seen),
  };
}

const OPEN: ReadonlySet<string> = new Set([
  'to-vendor',
  'to-crm',
  'merged',
  'conflict-crm',
  'conflict-vendor',
  'conflict-held',
  'withheld',
]);

/** The journal's rows; a field that may not be sent now is told apart from one that goes out. */
function asSeen(found: Found): readonly FieldDecision[] {
  const withheld = new Set(found.outgoing.withheld);
  return found.merged.decisions.map((item) =>
    withheld.has(item.field) ? { ...item, verdict: 'withheld' as const, rule: 'not sendable now' } : item,
  );
}

function heldIssues(merged: Merge): readonly Issue[] {
  return merged.held.map((field) => ({
    code: 'conflict' as const,
    field,
    message: `${field} was changed on both sides. Set the same value on both, or change it again on the side that is right.`,
  }));
}

function readFirst(input: DecideInput, reason: string): Plan {
  return idle(input, 'read-vendor', reason, 'pending', input.link.issues);
}

function otherDeal(input: DecideInput): Plan {
  const message =
    'The vendor record carries the reference of another opportunity. Correct the reference at the vendor.';
  return parked(input, [{ code: 'adoption-failed', field: null, message }]);
}
