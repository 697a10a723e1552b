import type { OfferLine } from '../record/canonical.ts';
import { amountKey } from '../values/amount.ts';

/** Whether two offer lines say the same. A revenue type counts even where the other line has none. */
export function sameLine(a: OfferLine, b: OfferLine): boolean {
  const other = lineCells(b);
  return lineCells(a).every((cell, index) => cell === other[index]);
}

/** What a line says, one cell a value: offer, amount, revenue type. Values that mean the same are one; unset is null. */
export function lineCells(row: Readonly<Record<string, unknown>>): readonly unknown[] {
  const { offerNameId, amount, revenueType } = row;
  return [offerNameId, typeof amount === 'string' ? amountKey(amount) : amount, revenueType].map(
    (cell) => cell || null,
  );
}
