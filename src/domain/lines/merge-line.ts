import type { LinePair } from '../record/base.ts';
import type { Observed, OfferLine } from '../record/canonical.ts';
import type { LineConflict } from '../record/field-decision.ts';
import { sameLine } from './match-lines.ts';

/** What each side said of a line when it was last agreed on. */
export type Before = { readonly crm: OfferLine; readonly vendor: OfferLine };

/** What becomes of a line on each side; null where it goes. */
export type LineOutcome = {
  readonly crm: OfferLine | null;
  readonly vendor: OfferLine | null;
  readonly conflict: LineConflict | null;
};

type LineRuling = {
  /** Whose value stays where both sides changed one. */
  readonly prefer: 'crm' | 'vendor';
  /** Whether the vendor has a code for a revenue type of the CRM. */
  hasCode(revenueType: string): boolean;
};

/** What an offer costs and how it is charged: each is somebody's own edit. Another offer makes it another line. */
const CELLS = ['amount', 'revenueType'] as const;

/** Of a line that nobody has agreed on yet, what a side has and the other never had is an edit of that side. */
export const NEVER: OfferLine = { offerNameId: null, amount: null, revenueType: null };

/**
 * Three-way merge of a line that both sides have, cell by cell: an amount that one side changed and a revenue type that the
 * other did both stay. A line of which a side names another offer is merged as a whole. `before` is null for a line
 * that was added since both sides agreed.
 */
export function mergeLine(
  crm: OfferLine,
  vendor: OfferLine,
  before: Before | null,
  ruling: LineRuling,
): LineOutcome {
  return crm.offerNameId === vendor.offerNameId
    ? byCell(crm, vendor, before ?? { crm: NEVER, vendor: NEVER }, ruling)
    : asWhole(crm, vendor, before, ruling);
}

function byCell(crm: OfferLine, vendor: OfferLine, before: Before, ruling: LineRuling): LineOutcome {
  const inCrm = differing(crm, before.crm);
  const atVendor = differing(vendor, before.vendor);
  const contested = differing(crm, vendor).filter((cell) => inCrm.includes(cell) && atVendor.includes(cell));
  const taken = atVendor.filter((cell) => ruling.prefer === 'vendor' || !inCrm.includes(cell));
  // The CRM's edit takes along what the vendor could not be told of the line before.
  const showable = inCrm.length > 0 ? asVendorCanShow(crm, vendor, ruling.hasCode) : vendor;
  const forCrm = withCells(crm, vendor, taken);
  const forVendor = withCells({ ...showable, ...idOf(crm) }, vendor, taken);
  // But for what is contested each side is told as it is to be.
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

/** Whether a line still shows what won a conflict of it: all of the line where the other side has deleted it. */
export function showsWinner(line: OfferLine, { winner, crm, vendor }: LineConflict): boolean {
  const won = winner === 'crm' ? crm : vendor;
  if (won === null) return false;
  if (crm === null || vendor === null || crm.offerNameId !== vendor.offerNameId) return sameLine(line, won);
  const contested = differing(crm, vendor);
  const isKept = !differing(line, won).some((cell) => contested.includes(cell));
  return isKept && line.offerNameId === won.offerNameId;
}

type Cell = (typeof CELLS)[number];

/** The cells in which two lines do not say the same. */
export function differing(one: OfferLine, other: OfferLine): readonly Cell[] {
  return CELLS.filter((cell) => !sameLine(one, { ...one, [cell]: other[cell] }));
}

function withCells(line: OfferLine, from: OfferLine, cells: readonly Cell[]): OfferLine {
  return { ...line, ...Object.fromEntries(cells.map((cell) => [cell, from[cell]])) };
}

function idOf({ crmLineId }: OfferLine): Pick<OfferLine, 'crmLineId'> {
  return crmLineId === undefined ? {} : { crmLineId };
}

/** The CRM's line as the vendor can show it: with the vendor's own revenue type where it has no code for the CRM's. */
function asVendorCanShow(
  crm: OfferLine,
  vendor: OfferLine,
  hasCode: (revenueType: string) => boolean,
): OfferLine {
  const { revenueType } = crm;
  return revenueType === null || hasCode(revenueType) ? crm : { ...crm, revenueType: vendor.revenueType };
}

/**
 * Whether the vendor shows another revenue type of a line than the CRM, whose own has no code. The vendor's silence about
 * one that it could not have been told is no difference.
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

/** What a merge makes of lines, and what the CRM shows of them until it has its half. */
type HalvesOfLines = {
  readonly crm: readonly OfferLine[];
  readonly forCrm: readonly OfferLine[];
  /** As the vendor was told them. */
  readonly forVendor: readonly OfferLine[];
};

/**
 * What both sides agree on of the lines that they have in common, once the vendor has its half of a merge and the CRM has not: all but
 * the cells that the CRM still has to be given, of which each side keeps what it said before. A line that goes over as a whole is left out.
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
