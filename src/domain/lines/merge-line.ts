import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';
import type { LineConflict } from '../record/field-decision.ts';
import { sameLine } from './match-lines.ts';

/** The values that a line had on each side when the sides last agreed. */
export type Before = { readonly crm: OfferLine; readonly vendor: OfferLine };

/**
 * The merged line as each side gets it. Null: the side deletes the line. `conflict`: the values in which both sides changed the line
 * differently; null if there are none.
 */
export type LineOutcome = {
  readonly crm: OfferLine | null;
  readonly vendor: OfferLine | null;
  readonly conflict: LineConflict | null;
};

type LineRuling = {
  /** The side (CRM or vendor) whose value wins if both sides changed an amount or a revenue type. */
  readonly prefer: 'crm' | 'vendor';
  /** Whether the vendor has a code for a revenue type of the CRM. */
  hasCode(revenueType: string): boolean;
};

/**
 * The parts of a line that are merged separately, so that edits of different parts on the two sides are both kept. The offer is not among
 * them, because a line with another offer counts as another line.
 */
const CELLS = ['amount', 'revenueType'] as const;

/**
 * Used as the last agreed line if the sides have never agreed on the line. It has no values, so every value that a side has counts as an
 * edit.
 */
export const NEVER: OfferLine = { offerNameId: null, amount: null, revenueType: null };

/**
 * Three-way merge of one line. If one side changed the amount and the other side the revenue type, both changes are kept. If a side changed
 * the offer, the parts are not merged: the whole line of one side is used. `before`: both sides' values at the last agreement; null for a
 * line that was added since.
 */
export function mergeLine(crm: OfferLine, vendor: OfferLine, before: Before | null, ruling: LineRuling): LineOutcome {
  return crm.offerNameId === vendor.offerNameId
    ? byCell(crm, vendor, before ?? { crm: NEVER, vendor: NEVER }, ruling)
    : asWhole(crm, vendor, before, ruling);
}

function byCell(crm: OfferLine, vendor: OfferLine, before: Before, ruling: LineRuling): LineOutcome {
  const inCrm = differing(crm, before.crm);
  const atVendor = differing(vendor, before.vendor);
  const contested = differing(crm, vendor).filter((cell) => inCrm.includes(cell) && atVendor.includes(cell));
  const taken = atVendor.filter((cell) => ruling.prefer === 'vendor' || !inCrm.includes(cell));
  // If the CRM edited the line, its other values are sent too, because the vendor may have lacked a code for them
  // before.
  const showable = inCrm.length > 0 ? asVendorCanShow(crm, vendor, ruling.hasCode) : vendor;
  const forCrm = withCells(crm, vendor, taken);
  const forVendor = withCells({ ...showable, ...idOf(crm) }, vendor, taken);
  // A conflict contains only the values that both sides changed. All other values are merged.
  const against = { crm: withCells(forCrm, crm, contested), vendor: withCells(forVendor, vendor, contested) };
  const conflict = contested.length === 0 ? null : { winner: ruling.prefer, ...against };
  return { crm: forCrm, vendor: forVendor, conflict };
}

function asWhole(
  crm: OfferLine,
  vendor: OfferLine,
  before: Before | null,
  { prefer, hasCode }: LineRuling,
): LineOutcome {
  const isEditedInCrm = before === null || !sameLine(crm, before.crm);
  const isEditedAtVendor = before === null || !sameLine(vendor, before.vendor);
  const theirs = { ...vendor, ...idOf(crm) };
  if (!isEditedInCrm && !isEditedAtVendor) return { crm, vendor: theirs, conflict: null };
  const isContested = isEditedInCrm && isEditedAtVendor;
  const conflict = isContested ? { winner: prefer, crm, vendor } : null;
  const isOurs = isContested ? prefer === 'crm' : isEditedInCrm;
  return isOurs
    ? { crm, vendor: asVendorCanShow(crm, vendor, hasCode), conflict }
    : { crm: theirs, vendor: theirs, conflict };
}

/**
 * Whether a line still has the values with which a side won a conflict. If not, the conflict is out of date and is not shown to users any
 * more. Only values that differed between the sides count. If one side had deleted the line or changed its offer, all values count.
 */
export function showsWinner(line: OfferLine, { winner, crm, vendor }: LineConflict): boolean {
  const won = winner === 'crm' ? crm : vendor;
  if (won === null) return false;
  if (crm === null || vendor === null || crm.offerNameId !== vendor.offerNameId) return sameLine(line, won);
  const contested = differing(crm, vendor);
  const isKept = !differing(line, won).some((cell) => contested.includes(cell));
  return isKept && line.offerNameId === won.offerNameId;
}

type Cell = (typeof CELLS)[number];

/** The parts (amount, revenue type) in which two lines differ. */
export function differing(one: OfferLine, other: OfferLine): readonly Cell[] {
  return CELLS.filter((cell) => !sameLine(one, { ...one, [cell]: other[cell] }));
}

function withCells(line: OfferLine, from: OfferLine, cells: readonly Cell[]): OfferLine {
  return { ...line, ...Object.fromEntries(cells.map((cell) => [cell, from[cell]])) };
}

function idOf({ crmLineId }: OfferLine): Pick<OfferLine, 'crmLineId'> {
  return crmLineId === undefined ? {} : { crmLineId };
}

/**
 * A CRM line as the vendor can store it. If the vendor has no code for the CRM's revenue type, the line keeps the vendor's present revenue
 * type.
 */
function asVendorCanShow(crm: OfferLine, vendor: OfferLine, hasCode: (revenueType: string) => boolean): OfferLine {
  const { revenueType } = crm;
  return revenueType === null || hasCode(revenueType) ? crm : { ...crm, revenueType: vendor.revenueType };
}

/**
 * Whether the vendor has no code for the revenue type of a CRM line, so that the vendor line that is paired with it keeps another type.
 * True if a deal has at least one such pair. A pair counts only if its vendor line has a revenue type. `agreed`: the base (last agreed
 * values).
 */
export function hasUnmappedRevenueType(
  crm: Observed,
  agreed: { readonly vendor: Observed; readonly linePairs: readonly LinePair[] },
  hasCode: (revenueType: string) => boolean,
): boolean {
  return agreed.linePairs.some(({ crmLineId, position }) => {
    const own = crm.offerLines?.find((line) => line.crmLineId === crmLineId);
    const theirs = agreed.vendor.offerLines?.[position];
    if (own === undefined || !theirs?.revenueType) return false;
    return asVendorCanShow(own, theirs, hasCode) !== own;
  });
}

/** The lines of a deal during a merge of lines. `crm`: as the CRM shows them now. `forCrm`, `forVendor`: as each side will get them. */
type HalvesOfLines = {
  readonly crm: readonly OfferLine[];
  readonly forCrm: readonly OfferLine[];
  /** The lines as Lockstep sent them to the vendor, with the ids of their CRM lines, if known. */
  readonly forVendor: readonly OfferLine[];
};

/**
 * The lines on which both sides agree after the vendor has applied a merge of lines that the CRM has not applied yet. If the CRM must still
 * get an amount or a revenue type, this value keeps its earlier agreed state on both sides. The CRM's old value then does not count as an
 * edit. A line whose offer (vendor's product) changed is left out, because a line with another offer counts as another line.
 */
export function partlyAppliedLines(
  { crm, forCrm, forVendor }: HalvesOfLines,
  agreedOn: (crmLineId: string) => Before | null,
): readonly Before[] {
  const byId = (lines: readonly OfferLine[]) => new Map(lines.map((line) => [line.crmLineId, line]));
  const [shownById, dueById] = [byId(crm), byId(forCrm)];
  return forVendor.flatMap((sent) => {
    const { crmLineId: id } = sent;
    const [shown, due] = [shownById.get(id), dueById.get(id)];
    if (id === undefined || shown === undefined || due === undefined) return [];
    if (shown.offerNameId !== sent.offerNameId || shown.offerNameId !== due.offerNameId) return [];
    const cells = differing(due, shown);
    const before = agreedOn(id) ?? { crm: NEVER, vendor: NEVER };
    return [{ crm: withCells(shown, before.crm, cells), vendor: withCells(sent, before.vendor, cells) }];
  });
}
