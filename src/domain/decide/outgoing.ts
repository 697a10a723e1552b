import { lacksReference } from '../base/recognise-echo.ts';
import { multisetDifference } from '../base/retained-rows.ts';
import { linesOf } from '../lines/match-lines.ts';
import { sameValue, updateBody } from '../mapping/index.ts';
import { currenciesDiffer } from '../merge/currencies.ts';
import type { Merge } from '../merge/merge-types.ts';
import { type Base, EMPTY_BASE } from '../record/base.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import { FIELDS } from '../record/fields.ts';
import type { VendorIntent } from '../record/intent.ts';
import type { Issue } from '../record/issue.ts';
import { directionOf } from '../record/mapping-config.ts';
import { movedTo } from '../record/moved-account.ts';
import { type CrmObservation, crmVersionOf, type VendorObservation } from '../record/observation.ts';
import { listOf } from '../values/text.ts';
import { areNewToVendor, withhold, withoutRefusedLines } from './holds.ts';
import type { DecideInput } from './input.ts';

/** The update to send to the vendor, which results from the CRM's changes. */
export type Outgoing = {
  readonly intent: VendorIntent | null;
  /** Changed fields that Lockstep cannot send to the vendor now, for example because the vendor has refused the value. */
  readonly withheld: readonly FieldName[];
  readonly issues: readonly Issue[];
  /** CRM lines that the vendor has refused. The update omits them. */
  readonly heldLines: readonly OfferLine[];
};

/**
 * Both sides of a linked deal before the merge: the CRM's record with its id, the base (last agreed values), and the vendor's record.
 * Lockstep's own writes are already recognised in the base and in the vendor's record, so they do not look like changes.
 */
export type Known = {
  readonly input: DecideInput;
  readonly crmId: string;
  readonly base: Base | null;
  readonly crm: CrmObservation;
  /**
   * The vendor's record as read, without fields that still show a value from before Lockstep's last write. Null if the vendor was not read.
   */
  readonly vendorNews: VendorObservation | null;
};

/**
 * The update that the merge requires at the vendor, without values that the vendor has refused. Lists in `cleared` are sent as `[]` first,
 * and sent with their rows by the next update. If the vendor's record lacks the partner reference (the CRM record's id), the update
 * contains it. This may be the update's only content.
 */
export function outgoingChange(known: Known, merged: Merge, cleared: readonly FieldName[]): Outgoing {
  const { input, crm } = known;
  const { toVendor, ...heldBack } = acceptableLines(known, merged.toVendor);
  const make = (values: Observed) => updateOf(known, values, cleared);
  const sent = ({ intent }: ReturnType<typeof make>) => intent?.record ?? {};
  const making = { side: 'vendor', savedAt: crmVersionOf(crm), make, sent } as const;
  const { made: rest, issues: refused } = withhold(toVendor, making, input);
  const held = refused.map(({ field }) => field as FieldName);
  return {
    intent: rest.intent,
    withheld: [...rest.withheld, ...held, ...heldBack.withheld],
    issues: [...rest.issues, ...refused, ...heldBack.issues],
    heldLines: heldBack.heldLines,
  };
}

/**
 * The changes for the vendor, without lines that the vendor has refused. If the vendor may already have a refused line, the list of lines
 * is not sent at all. A sent list without that line would delete the line at the vendor.
 */
function acceptableLines(known: Known, toVendor: Observed): Omit<Outgoing, 'intent'> & { readonly toVendor: Observed } {
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

function updateOf(known: Known, toVendor: Observed, cleared: readonly FieldName[]): Omit<Outgoing, 'heldLines'> {
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

/**
 * Lists that Lockstep clears at the vendor and then sends again, because the vendor kept removed rows. `retained`: all lists with such
 * rows.
 */
export function clearable(known: Known, retained: readonly FieldName[]): readonly FieldName[] {
  const { input, base, crm, vendorNews } = known;
  const sides = { base, crm: crm.record, vendor: vendorNews?.record ?? {}, config: input.config };
  return retained.filter(
    (field) => mayBeSentAnew(field, known) && !(field === 'offerLines' && currenciesDiffer(sides)),
  );
}

/**
 * Whether Lockstep may clear this list at the vendor and send it again: the list can be sent now, and no row of it was entered only at the
 * vendor, because the clearing would lose such a row.
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

/**
 * Whether the vendor's list at the last agreement has rows that are in no list of the CRM: neither in the present list nor in the list at
 * the last agreement. Such rows were entered only at the vendor. Always false for lists of codes, because codes that one side adds are
 * synced to the other side.
 */
function hasRowsOfItsOwn(field: FieldName, { base, crm, input }: Known): boolean {
  if (FIELDS[field].kind === 'codes') return false;
  const agreed = base ?? EMPTY_BASE;
  const crmRows = [...listOf(crm.record[field]), ...listOf(agreed.crm[field])];
  return multisetDifference(field, listOf(agreed.vendor[field]), crmRows, input.config).rest.length > 0;
}

function presentAtVendor({ base, vendorNews }: Known): Observed {
  return { ...base?.vendor, ...vendorNews?.record };
}
