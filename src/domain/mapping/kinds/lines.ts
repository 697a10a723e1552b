import { lineCells } from '../../lines/match-lines.ts';
import type { OfferLine } from '../../record/canonical.ts';
import { shownRevenueCodes } from '../../values/revenue-type.ts';
import { lineFieldNames, linesOfRows, newLineRow } from '../crm/line-rows.ts';
import { writeLines } from '../crm/write-lines.ts';
import { type Lens, type ToVendor, type VendorTarget, withhold } from '../lens.ts';
import { lineBodies, lineOfVendor } from '../vendor/line-bodies.ts';
import { keyOfRows, mapRows } from './rows.ts';

type Lines = readonly OfferLine[];

/**
 * Translates offer lines (products or services of a deal) between the CRM and the vendor (sales spec 2.5). Two lists are equal if they have
 * the same lines in any order; a line is compared by offer, amount and revenue type. An unset value equals only an unset value.
 */
export const LINES: Lens<Lines> = {
  unset: [],
  scalar: false,
  crmFields: (_field, names) => lineFieldNames(names),
  vendor: { place: 'beside' },
  key: (value) => keyOfRows(value, lineCells),
  fromCrm: (graph, at) => linesOfRows(graph.lines, at),
  fromVendor: (value, at) =>
    mapRows(value, (rows) => {
      const lines = rows.map((row) => lineOfVendor(row, at)).filter((line) => line !== undefined);
      return lines.length === rows.length ? lines : undefined;
    }),
  toCrm: (lines, graph, at) => {
    const { write, issues } = writeLines(lines, graph, at);
    return { lines: write, issues };
  },
  toNewCrm: (lines) => ({ lines: lines.filter((line) => line.offerNameId !== null).map(newLineRow) }),
  toVendor: sendLines,
  normalised: (given, observed) =>
    given.length === observed.length && given.every((line, index) => isNormalisedLine(line, observed[index])),
};

/**
 * Offer lines as JSON for a request. An update sends all lines or none: if one line cannot be expressed in the vendor's form, an update
 * without this line would delete it at the vendor. A create leaves out a line that cannot be expressed.
 */
function sendLines(lines: Lines, { field, config, use, present }: VendorTarget): ToVendor {
  const { body, sent, issues } = lineBodies(lines, config, shownRevenueCodes(present.offerLines));
  const [first] = issues;
  if (use === 'update' && first !== undefined) return withhold(first);
  if (sent.length === 0) return { kind: 'unset', leftOut: issues };
  return { kind: 'send', value: body, record: { [field]: sent }, leftOut: issues };
}

function isNormalisedLine(given: OfferLine, observed: OfferLine | undefined): boolean {
  if (given.offerNameId !== observed?.offerNameId) return false;
  if (observed.revenueType !== null && observed.revenueType !== given.revenueType) return false;
  return given.amount === observed.amount || isRounded(given.amount, observed.amount);
}

/** Whether the observed amount is the given amount, rounded or cut to fewer digits. Any other difference counts as a user's edit. */
function isRounded(given: string | null, observed: string | null): boolean {
  if (given === null || observed === null || digits(observed) >= digits(given)) return false;
  const unit = 10 ** -digits(observed);
  const off = Number(given) - Number(observed);
  const isCut = Math.sign(off) === Math.sign(Number(given)) && Math.abs(off) < unit;
  return isCut || Math.abs(off) <= unit / 2 + FLOAT_NOISE;
}

const FLOAT_NOISE = 1e-9;

function digits(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}
