import { afterCrmCreate, observeCrm, sameValue } from '../mapping/index.ts';
import { isEchoOf } from '../merge/normalised.ts';
import { withOverruledOf } from '../merge/overruled.ts';
import type { Base, InDoubtWrites, SentWrite } from '../record/base.ts';
import { EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed } from '../record/canonical.ts';
import type { CrmGraph } from '../record/crm-graph.ts';
import { TO_CRM_VERDICTS } from '../record/field-decision.ts';
import { FIELD_NAMES, FIELDS } from '../record/fields.ts';
import type { MappingConfig } from '../record/mapping-config.ts';
import type { CrmObservation, VendorObservation } from '../record/observation.ts';
import { crmVersionOf } from '../record/observation.ts';
import type { CrmImport, CrmUpdate, VendorUpdate } from '../record/plan.ts';
import { highestKnownVersion, isNotAfter, laterOf } from '../record/versions.ts';
import { agreedByImport } from './after-import.ts';
import { goneLines, linesAsMade } from './deleted-lines.ts';
import { isKeyedMerge, keyedMerge } from './keyed-merge.ts';
import { withPairs } from './line-pairs.ts';
import { isRetained, retainsRows } from './retained-rows.ts';

/**
 * A write whose answer is lost may have been applied. What it would have made of both sides is noted before it leaves,
 * so that the next observation of that side tells our write from an edit of its users, even if they all go on editing.
 */

/** The base while an update at the vendor is on its way. `at`: when it left, ISO. */
export function withInDoubtVendorWrite(plan: VendorUpdate, at: string): Base {
  return withVendorWrite(plan.baseBefore ?? EMPTY_BASE, plan, highestKnownVersion(plan.baseAfter), at);
}

/**
 * The base of a link on which another writer has planned since this update left: the vendor may have carried it out after what that writer
 * sent, and then shows what both sides agreed on by this one, which nobody there has entered. `at`: when its outcome was known, ISO.
 */
export function withLateArrival(base: Base, plan: VendorUpdate, at: string): Base {
  return withVendorWrite(base, plan, highestKnownVersion(base), at);
}

function withVendorWrite(base: Base, plan: VendorUpdate, basedOnVersion: string | null, at: string): Base {
  const sent = [...(base.inDoubtVendorWrites?.sent ?? []), { ...sentToVendor(plan), leftAt: at }];
  return { ...base, inDoubtVendorWrites: { basedOnVersion, sent } };
}

function sentToVendor({ baseAfter, decisions, intent }: VendorUpdate): SentWrite {
  // Lines that also go to the CRM are agreed on only when they are there.
  const merged = new Set(decisions.filter((item) => item.verdict === 'merged').map((item) => item.field));
  const fields = intent.fields.filter((field) => !merged.has(field));
  const vendor = { ...baseAfter.vendor, ...intent.record };
  return sentOf({ ...baseAfter, vendor }, fields);
}

/** The base while a write to the CRM, or an import there, is on its way. `graph`: what the plan rests on, where it is known. */
export function withInDoubtCrmWrite(
  plan: CrmUpdate | CrmImport,
  config: MappingConfig,
  graph: CrmGraph | null = null,
): Base {
  const base = plan.baseBefore ?? EMPTY_BASE;
  const basedOnVersion = plan.next === 'write-crm' ? plan.write.ifUnmodifiedSince : null;
  const earlier = base.inDoubtCrmWrites?.basedOnVersion === basedOnVersion ? base.inDoubtCrmWrites.sent : [];
  const sent = sentToCrm(plan, config);
  const latest = graph === null ? sent : { ...sent, goneLines: goneLines(graph) };
  return { ...base, inDoubtCrmWrites: { basedOnVersion, sent: [...earlier, latest] } };
}

function sentToCrm(plan: CrmUpdate | CrmImport, config: MappingConfig): SentWrite {
  const { baseAfter } = plan;
  if (plan.next === 'create-in-crm')
    return { crm: observeCrm(afterCrmCreate(plan.create), config).record, vendor: baseAfter.vendor };
  const moved = plan.decisions.filter((item) => TO_CRM_VERDICTS.has(item.verdict)).map((item) => item.field);
  return sentOf(baseAfter, moved);
}

function sentOf(after: Base, fields: readonly FieldName[]): SentWrite {
  const { overruled } = withOverruledOf(EMPTY_BASE, after.overruled, fields);
  const sides = { crm: picked(after.crm, fields), vendor: picked(after.vendor, fields) };
  return overruled === undefined ? sides : { ...sides, overruled };
}

/**
 * The base once a reading of the vendor is there. One that is not later than what the update rested on leaves the
 * uncertainty: what it shows may have stood there before. One that does not show an update leaves it uncertain as long as
 * that can be on its way: the vendor may carry it out after a newer one. Pure.
 */
export function withVendorWritesResolved(
  known: Base,
  vendor: VendorObservation,
  config: MappingConfig,
): Base {
  const { inDoubtVendorWrites, ...base } = known;
  if (inDoubtVendorWrites === undefined || isNotAfter(vendor.version, inDoubtVendorWrites.basedOnVersion))
    return known;
  const sent = stillOnTheirWay(inDoubtVendorWrites.sent, known, vendor, config);
  const late = asLateArrivals({
    basedOnVersion: laterOf(inDoubtVendorWrites.basedOnVersion, vendor.version),
    sent,
  });
  const rest = sent.length === 0 ? base : { ...base, inDoubtVendorWrites: late };
  const resolved = settled(rest, inDoubtVendorWrites, 'vendor', vendor.record, config);
  return RETAINABLE.reduce(
    (next, field) => withRetained(next, inDoubtVendorWrites, field, vendor.record, config),
    resolved,
  );
}

/** Updates that the vendor may still carry out after what is known by now. */
export function asLateArrivals({ basedOnVersion, sent }: InDoubtWrites): InDoubtWrites {
  return { basedOnVersion, sent: sent.map((one) => ({ ...one, isLateArrival: true })) };
}

/** Longer than any gateway or queue before a system keeps a request that nobody waits for. */
const MOST_ON_ITS_WAY_MS = 300_000;

/**
 * The updates that the vendor may still carry out: they left a moment ago, and nothing that they change is shown as it was sent. What is shown
 * tells of one update: another that sent the same may come after it.
 */
function stillOnTheirWay(
  sent: readonly SentWrite[],
  known: Base,
  vendor: VendorObservation,
  config: MappingConfig,
): readonly SentWrite[] {
  let before = known.vendor;
  const reading = { base: known, sent, record: vendor.record, config };
  return sent.filter((one) => {
    if (!isShown(one, before, reading)) return mayStillCome(one, vendor);
    before = { ...before, ...one.vendor };
    return false;
  });
}

function mayStillCome({ leftAt }: SentWrite, { readAt }: VendorObservation): boolean {
  return leftAt !== undefined && Date.parse(readAt) <= Date.parse(leftAt) + MOST_ON_ITS_WAY_MS;
}

/** What the vendor shows of updates whose outcome is not known. */
type Reading = {
  readonly base: Base;
  readonly sent: readonly SentWrite[];
  readonly record: Observed;
  readonly config: MappingConfig;
};

/** Whether anything that an update changes is shown as it was sent. */
function isShown(one: SentWrite, before: Observed, reading: Reading): boolean {
  const { record, config } = reading;
  const { vendor: sent, isLateArrival } = one;
  return FIELD_NAMES.some(
    (field) =>
      !sameValue(field, before[field], sent[field], config) &&
      (shownBy(one, field, reading) !== undefined ||
        (isLateArrival !== true && retainsRows(field, sent[field], record[field], [before[field]], config))),
  );
}

/**
 * What the CRM had of a field by an update that the vendor shows there; undefined where it does not. A late one may be laid over what has
 * been sent since; rows that the vendor retains of its own list are none that came late.
 */
function shownBy(one: SentWrite, field: FieldName, reading: Reading): { readonly crm: unknown } | undefined {
  const { base, sent, record, config } = reading;
  const isLateArrival = one.isLateArrival === true;
  if (isLateArrival && isRetained(field, record[field], base, config)) return undefined;
  if (isEchoOf(field, one.vendor, record, config)) return { crm: one.crm[field] };
  if (!isLateArrival) return undefined;
  const change = (side: Side, before: { readonly [S in Side]: Observed }) => ({
    before: before[side][field],
    sent: one[side][field],
  });
  const before = [base, ...sent].findLast((each) =>
    isKeyedMerge(field, change('vendor', each), record[field], config),
  );
  return before && { crm: keyedMerge(field, change('crm', before)) };
}

type Side = 'crm' | 'vendor';

/** Lists without pairs, which a vendor that lays what it is sent over its own (sales spec 4.2: not shown) has more of than was sent. */
const RETAINABLE: readonly FieldName[] = FIELD_NAMES.filter((field) =>
  ['codes', 'customer-contacts', 'partner-contacts'].includes(FIELDS[field].kind),
);

/**
 * The base where the vendor shows a list that was sent, and beside it rows that were removed by that: it awaits its echo as one does
 * whose update was answered, so that no row of ours is taken for one of the vendor's users.
 */
function withRetained(
  base: Base,
  { basedOnVersion, sent }: InDoubtWrites,
  field: FieldName,
  observed: Observed,
  config: MappingConfig,
): Base {
  const before = base.vendor[field];
  const one = sent.findLast(
    ({ vendor, isLateArrival }) => isLateArrival !== true && vendor[field] !== undefined,
  );
  if (one === undefined || before === undefined) return base;
  if (!retainsRows(field, one.vendor[field], observed[field], [before], config)) return base;
  const previousValues = [...(base.basedOn?.previousValues[field] ?? []), before];
  return {
    ...withOverruledOf(base, one.overruled, [field]),
    crm: { ...base.crm, [field]: one.crm[field] },
    vendor: { ...base.vendor, [field]: one.vendor[field] },
    awaitingEcho: [...new Set([...base.awaitingEcho, field])],
    basedOn: {
      version: basedOnVersion,
      ...base.basedOn,
      previousValues: { ...base.basedOn?.previousValues, [field]: previousValues },
    },
  };
}

/** The base once the CRM is observed. While the version that the write rested on stands, it leaves the uncertainty. Pure. */
export function withCrmWritesResolved(known: Base, crm: CrmObservation, config: MappingConfig): Base {
  const { inDoubtCrmWrites, ...base } = known;
  if (
    inDoubtCrmWrites === undefined ||
    (inDoubtCrmWrites.basedOnVersion !== null && inDoubtCrmWrites.basedOnVersion === crmVersionOf(crm))
  )
    return known;
  const imported =
    inDoubtCrmWrites.basedOnVersion === null ? agreedByImport(inDoubtCrmWrites.sent, crm, config) : undefined;
  if (imported === undefined) {
    const latest = inDoubtCrmWrites.sent.at(-1);
    const record = latest === undefined ? crm.record : linesAsMade(crm, base, latest, config);
    return settled(base, inDoubtCrmWrites, 'crm', record, config);
  }
  return withPairs({ ...base, ...imported }, { ...base, ...imported });
}

/** A field that its side shows as it was sent was agreed on by that write; all other uncertainty is over. */
function settled(
  base: Base,
  uncertain: InDoubtWrites,
  side: Side,
  observed: Observed,
  config: MappingConfig,
): Base {
  const next = { crm: { ...base.crm }, vendor: { ...base.vendor } } as Record<
    string,
    Record<string, unknown>
  >;
  const other = side === 'crm' ? 'vendor' : 'crm';
  let noted = base;
  const reading = { base, sent: uncertain.sent, record: observed, config };
  const echoed = (one: SentWrite, field: FieldName): unknown =>
    isEchoOf(field, one.crm, observed, config) ? one.vendor[field] : undefined;
  const applied = FIELD_NAMES.filter((field) => {
    const shown = (one: SentWrite): unknown =>
      side === 'crm' ? echoed(one, field) : shownBy(one, field, reading)?.crm;
    const sent = uncertain.sent.findLast((one) => shown(one) !== undefined);
    if (sent === undefined) return false;
    Object.assign(next[side] ?? {}, { [field]: observed[field] });
    Object.assign(next[other] ?? {}, { [field]: shown(sent) });
    noted = withOverruledOf(noted, sent.overruled, [field]);
    return true;
  });
  const agreed = {
    ...noted,
    crm: next['crm'] as Observed,
    vendor: next['vendor'] as Observed,
    awaitingEcho: base.awaitingEcho.filter((field) => !applied.includes(field)),
    defaulted: base.defaulted.filter((field) => !applied.includes(field)),
  };
  const lines = uncertain.sent.findLast((one) => isEchoOf('offerLines', one[side], observed, config));
  // The lines as sent know their pairs, and those as shown keep them.
  const asSent = withPairs(
    { ...base, crm: lines?.crm ?? base.crm, vendor: lines?.vendor ?? base.vendor },
    base,
  );
  return withPairs(agreed, asSent);
}

function picked(record: Observed, fields: readonly FieldName[]): Observed {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Observed;
}
