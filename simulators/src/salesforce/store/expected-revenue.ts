import { Decimal } from 'decimal.js';
import type { Value } from './row.ts';

/** Amount times probability, rounded to two decimals. */
export function expectedRevenue(row: Readonly<Record<string, Value>>): number | null {
  const { Amount: amount, Probability: probability } = row;
  if (typeof amount !== 'number') return null;
  return new Decimal(amount)
    .times(Number(probability ?? 0))
    .div(100)
    .toDecimalPlaces(2)
    .toNumber();
}
