import { crmVersionOf } from './base.ts';
import type { FieldName, Observed } from './canonical.ts';
import { withPairs } from './carry-pairs.ts';
import { FIELD_NAMES } from './fields.ts';
import { afterCrmCreate, observeCrm, pairLines, sameValue } from './mapping/index.ts';
import type { MappingConfig } from './mapping-config.ts';
import { unsetOf } from './merge.ts';
import { isOwnForm } from './own-form.ts';
import type { Base, CrmObservation, Doubt, Plan, VendorObservation } from './plan.ts';
import { EMPTY_BASE } from './plans.ts';
import { isNotAfter, newestKnown } from './versions.ts';

/**
 * A write whose answer is lost may have been applied. What it would have made of both sides is noted before it leaves,
 * so that the next look at that side tells our write from an edit of its users, even if they all go on editing.
 */

/** The base while a plan's update at the vendor is on its way. */
export function baseInVendorDoubt({ baseBefore, baseAfter, decisions, toVendor }: Plan): Base {
  const base = baseBefore ?? EMPTY_BASE;
  // Lines that also go to the CRM are agreed on only when they are there.
  const merged = new Set(decisions.filter((item) => item.verdict === 'merged').map((item) => item.field));
  const fields = (toVendor?.fields ?? []).filter((field) => !merged.has(field));
  const vendor = { ...baseAfter.vendor, ...toVendor?.record };
  const sent = { crm: picked(baseAfter.crm, fields), vendor: picked(vendor, fields) };
  return {
    ...base,
    vendorDoubt: { over: newestKnown(baseAfter), sent: [...(base.vendorDoubt?.sent ?? []), sent] },
  };
}

/** The base while a plan's write to the CRM, or its birth there, is on its way. */
export function baseInCrmDoubt(plan: Plan, config: MappingConfig): Base {
  const base = plan.baseBefore ?? EMPTY_BASE;
  const over = plan.toCrm?.ifUnmodifiedSince ?? null;
  const earlier = base.crmDoubt?.over === over ? base.crmDoubt.sent : [];
  return { ...base, crmDoubt: { over, sent: [...earlier, sentToCrm(plan, config)] } };
}

function sentToCrm(
  { createInCrm, decisions, baseAfter }: Plan,
  config: MappingConfig,
): Doubt['sent'][number] {
  if (createInCrm !== null)
    return { crm: observeCrm(afterCrmCreate(createInCrm), config).record, vendor: baseAfter.vendor };
  const fields = decisions.filter((item) => TO_CRM.has(item.verdict)).map((item) => item.field);
  return { crm: picked(baseAfter.crm, fields), vendor: picked(baseAfter.vendor, fields) };
}

const TO_CRM: ReadonlySet<string> = new Set(['to-crm', 'merged', 'conflict-vendor']);

/**
 * The base once a reading of the vendor is there. One that is not later than what the update rested on leaves the
 * doubt: what it shows may have stood there before. Pure.
 */
export function withVendorDoubtSettled(known: Base, vendor: VendorObservation, config: MappingConfig): Base {
  const { vendorDoubt, ...base } = known;
  if (vendorDoubt === undefined || isNotAfter(vendor.version, vendorDoubt.over)) return known;
  return settled(base, vendorDoubt, 'vendor', vendor.record, config);
}

/** The base once the CRM is looked at. While the version that the write rested on stands, it leaves the doubt. Pure. */
export function withCrmDoubtSettled(known: Base, crm: CrmObservation, config: MappingConfig): Base {
  const { crmDoubt, ...base } = known;
  if (crmDoubt === undefined || (crmDoubt.over !== null && crmDoubt.over === crmVersionOf(crm))) return known;
  const born = crmDoubt.over === null ? birthOf(crmDoubt.sent, crm, config) : undefined;
  if (born === undefined) return settled(base, crmDoubt, 'crm', crm.record, config);
  return withPairs({ ...base, ...born }, { ...base, ...born });
}

/**
 * What the birth of an opportunity made both sides agree on. Of several births that left, one was applied: each field
 * tells which by what it shows, and one that was edited since is as they all sent it. Undefined where most of what was
 * sent does not stand there: such an opportunity may have been linked by hand.
 */
function birthOf(
  sent: Doubt['sent'],
  look: CrmObservation,
  config: MappingConfig,
): Pick<Base, 'crm' | 'vendor'> | undefined {
  const shown = look.record;
  const value = (one: Doubt['sent'][number], field: FieldName): unknown => one.crm[field] ?? unsetOf(field);
  const shows = (one: Doubt['sent'][number], field: FieldName): boolean =>
    isShown(field, { [field]: value(one, field) }, shown, config);
  const score = (one: Doubt['sent'][number]): number =>
    (Object.keys(one.crm) as FieldName[]).filter((field) => shows(one, field)).length;
  const best = sent.toSorted((one, other) => score(other) - score(one))[0];
  if (best === undefined || 2 * score(best) <= Object.keys(best.crm).length) return undefined;
  const crm: Record<string, unknown> = {};
  const vendor: Record<string, unknown> = {};
  for (const field of FIELD_NAMES) {
    const match = sent.find((one) => shows(one, field));
    const isOne = sent.every((one) => sameValue(field, value(one, field), value(best, field), config));
    if (match === undefined && !isOne) continue;
    const wasMade = match !== undefined || isUntouched(look);
    crm[field] = wasMade ? shown[field] : value(best, field);
    vendor[field] = (match ?? best).vendor[field];
  }
  const lines = linesAfterBirth(best.crm, shown, config);
  return { crm: { ...defined(crm), ...lines }, vendor: defined(vendor) };
}

function defined(record: Readonly<Record<string, unknown>>): Observed {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as Observed;
}

/**
 * The base after a birth in the CRM, by the first look at what it made. While nobody but its maker has saved it, all
 * that it shows is agreed on, what the CRM filled in included; else what was sent is, and the rest are edits.
 */
export function baseAfterBirth(
  { createInCrm, baseAfter }: Plan,
  crm: CrmObservation,
  config: MappingConfig,
): Base {
  const agreed = (record: Observed): Base =>
    withPairs({ ...baseAfter, crm: record, crmVersion: crmVersionOf(crm) }, baseAfter);
  const sent = createInCrm === null ? {} : observeCrm(afterCrmCreate(createInCrm), config).record;
  const lines = linesAfterBirth(sent, crm.record, config);
  if (isUntouched(crm)) return agreed({ ...crm.record, ...lines });
  const known = FIELD_NAMES.filter((field) => crm.record[field] !== undefined).map((field) => {
    const made = sent[field] ?? unsetOf(field);
    return [field, isShown(field, { [field]: made }, crm.record, config) ? crm.record[field] : made];
  });
  return agreed({ ...(Object.fromEntries(known) as Observed), ...lines });
}

/** Whether the first look found what the birth made, and nothing else. */
export function isUntouched({ graph: { opportunity } }: CrmObservation): boolean {
  const { CreatedById: maker, LastModifiedById: last } = opportunity;
  return typeof maker === 'string' && maker === last;
}

/** The lines as they were made, with the ids that they got: an edit of a line need not touch the opportunity. */
function linesAfterBirth(sent: Observed, shown: Observed, config: MappingConfig): Observed {
  if (sent.offerLines === undefined || shown.offerLines === undefined) return {};
  if (isShown('offerLines', sent, shown, config)) return { offerLines: shown.offerLines };
  const ids = new Map(
    pairLines(shown.offerLines, sent.offerLines, []).map(({ position, crmLineId }) => [position, crmLineId]),
  );
  const offerLines = sent.offerLines.map((line, position) => {
    const crmLineId = ids.get(position);
    return crmLineId === undefined ? line : { ...line, crmLineId };
  });
  return { offerLines };
}

/** A field that its side shows as it was sent was agreed on by that write; all other doubt is over. */
function settled(
  base: Base,
  doubt: Doubt,
  side: 'crm' | 'vendor',
  shown: Observed,
  config: MappingConfig,
): Base {
  const next = { crm: { ...base.crm }, vendor: { ...base.vendor } } as Record<
    string,
    Record<string, unknown>
  >;
  const other = side === 'crm' ? 'vendor' : 'crm';
  const applied = FIELD_NAMES.filter((field) => {
    const sent = doubt.sent.findLast((one) => isShown(field, one[side], shown, config));
    if (sent === undefined || sent[other][field] === undefined) return false;
    Object.assign(next[side] ?? {}, { [field]: shown[field] });
    Object.assign(next[other] ?? {}, { [field]: sent[other][field] });
    return true;
  });
  const agreed = {
    ...base,
    crm: next['crm'] as Observed,
    vendor: next['vendor'] as Observed,
    unconfirmed: base.unconfirmed.filter((field) => !applied.includes(field)),
    defaulted: base.defaulted.filter((field) => !applied.includes(field)),
  };
  const lines = doubt.sent.findLast((one) => isShown('offerLines', one[side], shown, config));
  // The lines as sent know their pairs, and those as shown keep them.
  const asSent = withPairs(
    { ...base, crm: lines?.crm ?? base.crm, vendor: lines?.vendor ?? base.vendor },
    base,
  );
  return withPairs(agreed, asSent);
}

function isShown(field: FieldName, sent: Observed, shown: Observed, config: MappingConfig): boolean {
  if (sent[field] === undefined || shown[field] === undefined) return false;
  return sameValue(field, shown[field], sent[field], config) || isOwnForm(field, sent[field], shown[field]);
}

function picked(record: Observed, fields: readonly FieldName[]): Observed {
  return Object.fromEntries(fields.map((field) => [field, record[field]])) as Observed;
}
