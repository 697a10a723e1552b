import type { MappingConfig } from '../mapping/config.ts';
import { sameValue } from '../mapping/index.ts';
import type { FieldName, Observed, OfferLine } from '../record/canonical.ts';
import { FIELDS } from '../record/fields.ts';

/**
 * Whether what a side shows is a normalised form of what it was given: blanks folded, a long text cut off, an amount
 * rounded to fewer digits, a revenue type that it does not keep. Such a difference is nobody's edit. What the vendor
 * does to values is not shown by its documents, so only forms that no user is likely to make by hand count.
 */
export function isNormalised(field: FieldName, given: unknown, shown: unknown): boolean {
  const { kind } = FIELDS[field];
  if (kind === 'lines') return sameLines(given as readonly OfferLine[], shown as readonly OfferLine[]);
  if (kind !== 'text' || typeof given !== 'string') return false;
  const [full, kept] = [folded(given), folded(typeof shown === 'string' ? shown : '')];
  return kept === full || (kept.length >= SHORTEST_CUT && full.startsWith(kept));
}

/** Whether a side shows a field as it was sent, or in a normalised form of it; what is not known on either is not. */
export function isShown(field: FieldName, sent: Observed, shown: Observed, config: MappingConfig): boolean {
  if (sent[field] === undefined || shown[field] === undefined) return false;
  return (
    sameValue(field, shown[field], sent[field], config) || isNormalised(field, sent[field], shown[field])
  );
}

/** A shorter rest may well be the work of a person. */
const SHORTEST_CUT = 40;

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function sameLines(given: readonly OfferLine[], shown: readonly OfferLine[]): boolean {
  return (
    given.length === shown.length &&
    given.every((line, index) => {
      const other = shown[index];
      return other !== undefined && sameLine(line, other);
    })
  );
}

function sameLine(given: OfferLine, shown: OfferLine): boolean {
  if (given.offerNameId !== shown.offerNameId) return false;
  if (shown.revenueType !== null && shown.revenueType !== given.revenueType) return false;
  return given.amount === shown.amount || isRounded(given.amount, shown.amount);
}

/** Rounded or cut off to the digits that are shown; further away is an edit. */
function isRounded(given: string | null, shown: string | null): boolean {
  if (given === null || shown === null || digits(shown) >= digits(given)) return false;
  const unit = 10 ** -digits(shown);
  const off = Number(given) - Number(shown);
  const isCut = Math.sign(off) === Math.sign(Number(given)) && Math.abs(off) < unit;
  return isCut || Math.abs(off) <= unit / 2 + FLOAT_NOISE;
}

const FLOAT_NOISE = 1e-9;

function digits(amount: string): number {
  return amount.split('.')[1]?.length ?? 0;
}
