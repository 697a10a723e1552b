import { lacksReference } from '../base/recognise-echo.ts';
import { multisetDifference } from '../base/retained-rows.ts';
import { linesOf } from '../lines/match-lines.ts';
import { lensOf, sameValue, updateBody } from '../mapping/index.ts';
import { currenciesDiffer } from '../merge/currencies.ts';
import type { Merge } from '../merge/merge.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import { FIELDS } from '../record/fields.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import { directionOf, type MappingConfig, ruleOf } from '../record/mapping-config.ts';
import { movedTo } from '../record/moved-account.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import { listOf } from '../values/text.ts';
import type { DecideInput } from './input.ts';
import { areNewToVendor, refusedBefore, without, withoutRefusedLines } from './withheld.ts';

/** What the CRM's changes come to at the vendor. */
export type Outgoing = {
  readonly intent: VendorIntent | null;
  /** Changed, and not sendable now. */
  readonly withheld: readonly FieldName[];
  readonly issues: readonly Issue[];
  /** Lines of the CRM's that the vendor has refused by themselves. */
  readonly heldLines: readonly OfferLine[];
};

/** What is known before anything is sent: the base by our own writes, both sides, and the pair's CRM id. */
export type Known = {
  readonly input: DecideInput;
  readonly crmId: string;
  readonly base: Base | null;
  readonly crm: CrmObservation;
  /** What the vendor shows, without what is older than our own writes; null when it was not read. */
  readonly vendorNews: VendorObservation | null;
};

/**
 * The update that the merge asks for, without the values that the vendor has refused by themselves; lists in `cleared` are
 * emptied first. Our reference goes along or alone.
 */
export function outgoingChange(known: Known, merged: Merge, cleared: readonly FieldName[]): Outgoing {
  const { input, crm } = known;
  const { toVendor, ...heldBack } = acceptableLines(known, merged.toVendor);
  const all = updateOf(known, toVendor, cleared);
  const refused = refusedBefore('vendor-refused', all.intent?.record ?? {}, crmVersionOf(crm), input);
  const rest = updateOf(known, without(toVendor, refused), cleared);
  const held = refused.map(({ field }) => field as FieldName);
  return {
    intent: rest.intent,
    withheld: [...rest.withheld, ...held, ...heldBack.withheld],
    issues: [...rest.issues, ...refused, ...heldBack.issues],
    heldLines: heldBack.heldLines,
  };
}

/** The changes without lines that the vendor has refused by themselves; without any where it may have one of these lines. */
function acceptableLines(
  known: Known,
  toVendor: Observed,
): Omit<Outgoing, 'intent'> & { readonly toVendor: Observed } {
  const { input, crm } = known;
  const { lines, held, issues } = withoutRefusedLines(linesOf(toVendor), crmVersionOf(crm), input);
  if (held.length === 0) return { toVendor, withheld: [], issues: [], heldLines: [] };
  const present = presentAtVendor(known).offerLines;
  const isRestNews = !sameValue('offerLines', lines, present, input.config);
  if (isRestNews && areNewToVendor(held, present))
    return { toVendor: { ...toVendor, offerLines: lines }, withheld: [], issues, heldLines: held };
  const { offerLines: _, ...others } = toVendor;
  return { toVendor: others, withheld: ['offerLines'], issues, heldLines: [] };
}

function updateOf(
  known: Known,
  toVendor: Observed,
  cleared: readonly FieldName[],
): Omit<Outgoing, 'heldLines'> {
  const { input, crmId, base, crm, vendorNews } = known;
  const changes = { ...toVendor, ...Object.fromEntries(cleared.map((field) => [field, []])) };
  const reference = vendorNews?.reference ?? input.link.reference ?? crmId;
  const present = presentAtVendor(known);
  const target: Observed = { ...crm.record, ...present, ...changes };
  const moved = movedTo(base?.crm, crm.record, crm.graph);
  const made = updateBody(changes, { reference, config: input.config, present, target, movedTo: moved });
  const withheld = made.withheld.map((item) => item.field);
  const issues = made.withheld.map((item) => item.issue);
  const isUnnamed = vendorNews !== null && lacksReference(base, vendorNews);
  if (made.intent !== null || !isUnnamed) return { intent: made.intent, withheld, issues };
  const body = { leadOpportunity: { partnerLeadOpportunityId: crmId } };
  return { intent: { body, fields: [], record: {} }, withheld, issues };
}

/** Lists of which the vendor retains removed rows, and that may be cleared and sent anew. */
export function clearable(known: Known, retained: readonly FieldName[]): readonly FieldName[] {
  const { input, base, crm, vendorNews } = known;
  const sides = { base, crm: crm.record, vendor: vendorNews?.record ?? {}, config: input.config };
  return retained.filter(
    (field) => mayBeSentAnew(field, known) && !(field === 'offerLines' && currenciesDiffer(sides)),
  );
}

/**
 * A list is cleared only where the CRM's is known, travels, and has nothing that holds it back; and never where the vendor
 * has rows of its own in it, which nobody could send anew.
 */
function mayBeSentAnew(field: FieldName, known: Known): boolean {
  const { crm, input } = known;
  if (hasRowsOfItsOwn(field, known)) return false;
  if (!['both', 'to-vendor'].includes(directionOf(field, input.config))) return false;
  const present = presentAtVendor(known);
  const changes = { [field]: crm.record[field] } as Observed;
  const target = { ...present, ...changes };
  const { intent } = updateBody(changes, { reference: '', config: input.config, present, target });
  return intent?.fields.includes(field) === true;
}

/** Rows that neither the CRM shows nor both sides agreed on with the CRM; a code of either side travels. */
function hasRowsOfItsOwn(field: FieldName, { base, crm, input }: Known): boolean {
  if (FIELDS[field].kind === 'codes') return false;
  const agreed = base ?? EMPTY_BASE;
  const crmRows = [...listOf(crm.record[field]), ...listOf(agreed.crm[field])];
  return multisetDifference(field, listOf(agreed.vendor[field]), crmRows, input.config).rest.length > 0;
}

function presentAtVendor({ base, vendorNews }: Known): Observed {
  return { ...base?.vendor, ...vendorNews?.record };
}

/** Only fields whose conflict rule is the CRM's may be written over a value nobody has read; never lists. */
export function mayWriteUnread(merged: Merge, config: MappingConfig): boolean {
  const fields = Object.keys(merged.toVendor) as FieldName[];
  return (
    fields.length > 0 && fields.every((field) => ruleOf(field, config) === 'crm' && lensOf(field).scalar)
  );
}
