import { baseAfterMerge, withVersions } from '../base/base.ts';
import { lacksReference, recogniseEcho, withAwaitingEcho, withReading } from '../base/recognise-echo.ts';
import { withCrmWritesResolved } from '../base/uncertain-writes.ts';
import { withMadeLinesSeen } from '../lines/made-lines.ts';
import { directionOf, type MappingConfig, ruleOf } from '../mapping/config.ts';
import { lensOf, updateBody } from '../mapping/index.ts';
import { OPEN_VERDICTS } from '../merge/field-decision.ts';
import { type Merge, merge } from '../merge/merge.ts';
import type { Base } from '../record/base.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { Issue, IssueCode } from '../record/issue.ts';
import { isOpen } from '../record/issue.ts';
import { ISSUES } from '../record/issues.ts';
import { stateOf } from '../record/link-state.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import { crmVersionOf } from '../record/observation.ts';
import { referenceKind } from '../record/reference.ts';
import { fingerprint } from '../values/fingerprint.ts';
import { planToCrm, planToVendor } from './decide-write.ts';
import type { DecideInput } from './input.ts';
import { idle, parked } from './no-write.ts';
import type { Plan } from './plan.ts';
import type { Found, Outgoing } from './reconciliation.ts';
import { decisionsOf, refusalsOf } from './reconciliation.ts';

/** A deal that both sides have: merge, then at most one write; the vendor's first. */
export function decideLinked(
  input: DecideInput,
  crm: CrmObservation,
  vendor: VendorObservation | 'unread',
  crmId: string,
): Plan {
  if (vendor === 'unread') {
    const why = needsReading(input);
    if (why !== null) return readFirst(input, why);
  } else if (referenceKind(vendor.reference) === 'ours' && vendor.reference !== crmId) {
    return otherDeal(input);
  }
  const found = look(input, crm, vendor === 'unread' ? null : vendor, crmId);
  const { seen, merged, outgoing } = found;
  if (outgoing.intent !== null && seen === null && !mayWriteUnread(merged, input.config))
    return readFirst(input, 'changed in the CRM');
  // What the vendor refused is not sent again, and holds back nothing that goes the other way.
  const refused = isRefused(outgoing.intent?.body, input.link.refusedFingerprint, 'vendor-refused', input);
  if (outgoing.intent !== null && !refused) return planToVendor(found, outgoing.intent);
  const issues = refused ? refusalsOf(found) : found.issues;
  if (seen === null || Object.keys(merged.toCrm).length === 0)
    return settled(found, refused ? 'refused before' : 'nothing to write', issues);
  const plan = planToCrm({ ...found, issues }, seen);
  return isRefused(plan.toCrm ?? undefined, input.link.crmRefusedFingerprint, 'crm-refused', input)
    ? settled(found, 'refused before', refusalsOf(found))
    : plan;
}

/** Why a look at the CRM alone is not enough; null where it may be. */
function needsReading({ link }: DecideInput): string | null {
  if (link.vendorUncertain !== 'no') return 'an update may have been applied';
  if (link.base === null) return 'first look at both sides';
  if (link.base.uncertainCrmWrites !== undefined) return 'a write to the CRM may have been applied';
  // What the vendor's users did meanwhile was seen, and led nowhere.
  if (link.state === 'detached') return 'shared again';
  // What is open concerns both sides, and is told anew only by a look at both.
  return link.issues.some(isOpen) ? 'something is open' : null;
}

/** Whether a side has refused this already; a refusal that nobody is told of any more is tried again. */
export function isRefused(
  content: unknown,
  mark: string | null,
  code: IssueCode,
  { link }: DecideInput,
): boolean {
  if (content === undefined || !link.issues.some((issue) => issue.code === code)) return false;
  return fingerprint(content) === mark;
}

function look(
  input: DecideInput,
  crm: CrmObservation,
  vendor: VendorObservation | null,
  crmId: string,
): Found {
  const agreed = input.link.base && knownBase(input.link.base, crm, input.config);
  const echo = vendor === null || agreed === null ? null : recogniseEcho(agreed, vendor, input.config);
  const base = echo?.base ?? agreed;
  const seen = echo?.seen ?? vendor;
  const awaitingEcho = echo?.awaitingEcho ?? agreed?.awaitingEcho ?? EMPTY_BASE.awaitingEcho;
  // A field that was never sent stays open to be taken for a default until the merge is settled.
  const open = (agreed?.awaitingEcho ?? []).filter(
    (field) => awaitingEcho.includes(field) || agreed?.vendor[field] === undefined,
  );
  const known = base && withAwaitingEcho(withReading(base, seen), open);
  const merged = mergeSides(input, base, crm, seen);
  const kept = echo?.kept ?? [];
  const cleared = kept.filter((field) =>
    mayBeSentAnew(field, input.config, crm, { ...base?.vendor, ...seen?.record }),
  );
  const outgoing = outgoingChange(input, base, crm, seen, changesOf(merged, cleared), crmId);
  const notTaken = [...(echo?.notTaken ?? []), ...kept.filter((field) => !cleared.includes(field))].filter(
    (field) => merged.toVendor[field] === undefined,
  );
  const issues = [
    ...crm.issues,
    ...outgoing.issues,
    ...merged.held.map(ISSUES.conflict),
    ...notTaken.map(ISSUES.notTakenByVendor),
  ];
  const next = withAwaitingEcho(withReading(baseAfterMerge(base, merged, crm, seen), seen), awaitingEcho);
  return {
    input,
    crm,
    reading: vendor,
    seen,
    echo,
    merged,
    cleared,
    outgoing,
    issues,
    known,
    base: next,
    notTaken,
  };
}

/** The base by what the CRM shows of our own writes. */
function knownBase(base: Base, crm: CrmObservation, config: MappingConfig): Base {
  return withMadeLinesSeen(withCrmWritesResolved(base, crm, config), crm.record);
}

/** A list is cleared only where the CRM's is known, travels, and has nothing that holds it back. */
function mayBeSentAnew(
  field: FieldName,
  config: MappingConfig,
  crm: CrmObservation,
  present: Observed,
): boolean {
  if (!['both', 'to-vendor'].includes(directionOf(field, config))) return false;
  const target = { ...present, ...crm.record };
  const changes = { [field]: crm.record[field] } as Observed;
  const { intent } = updateBody(changes, { reference: '', config, present, target });
  return intent?.fields.includes(field) === true;
}

function mergeSides(
  input: DecideInput,
  base: Base | null,
  crm: CrmObservation,
  seen: VendorObservation | null,
): Merge {
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

function changesOf({ toVendor }: Merge, cleared: readonly FieldName[]): Observed {
  return { ...toVendor, ...Object.fromEntries(cleared.map((field) => [field, []])) };
}

function outgoingChange(
  input: DecideInput,
  base: Base | null,
  crm: CrmObservation,
  seen: VendorObservation | null,
  changes: Observed,
  crmId: string,
): Outgoing {
  const held = seen?.reference ?? input.link.reference;
  const present: Observed = { ...base?.vendor, ...seen?.record };
  const target: Observed = { ...crm.record, ...present, ...changes };
  const made = updateBody(changes, {
    reference: held ?? crmId,
    config: input.config,
    present,
    target,
  });
  const withheld = made.withheld.map((item) => item.field);
  const issues = made.withheld.flatMap((item) => (item.issue === null ? [] : [item.issue]));
  const unnamed = seen !== null && lacksReference(base, seen);
  if (made.intent !== null || !unnamed) return { intent: made.intent, withheld, issues };
  const body = { leadOpportunity: { partnerLeadOpportunityId: crmId } };
  return { intent: { body, fields: [], record: {} }, withheld, issues };
}

/** Only fields whose conflict rule is the CRM's may be written over a value nobody looked at; never lists. */
function mayWriteUnread(merged: Merge, config: MappingConfig): boolean {
  const fields = Object.keys(merged.toVendor) as FieldName[];
  return (
    fields.length > 0 && fields.every((field) => ruleOf(field, config) === 'crm' && lensOf(field).scalar)
  );
}

function settled(found: Found, reason: string, issues: readonly Issue[]): Plan {
  const { input, crm, seen, base } = found;
  const decisions = decisionsOf(found);
  const open = decisions.some((item) => OPEN_VERDICTS.has(item.verdict));
  return {
    ...idle(input, 'nothing', reason, stateOf(issues), issues),
    decisions,
    baseAfter: open ? base : withVersions(base, crm, seen),
  };
}

function readFirst(input: DecideInput, reason: string): Plan {
  return idle(input, 'read-vendor', reason, 'pending', input.link.issues);
}

function otherDeal(input: DecideInput): Plan {
  return parked(input, [ISSUES.referenceOfAnotherDeal()]);
}
