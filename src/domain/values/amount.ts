import { Decimal } from 'decimal.js';
import { minorUnits } from './currency.ts';

const Money = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -100,
  toExpPos: 100,
});
const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;

/** An amount as a plain decimal string, rounded half up to the currency's precision, without trailing zeros; null if not finite. */
export function readAmount(value: unknown, currency: string): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !NUMERAL.test(text.trim())) return null;
  const rounded = new Money(text.trim()).toDecimalPlaces(minorUnits(currency));
  return rounded.isZero() ? '0' : rounded.toFixed();
}

/** A decimal string as a JSON number; null if no number represents it exactly. */
export function amountNumber(amount: string): number | null {
  const value = Number(amount);
  return Number.isFinite(value) && new Money(amount).eq(new Money(value)) ? value : null;
}

/** One spelling for equal decimals; a text that is no number stays unchanged. */
export function amountKey(amount: string): string {
  return NUMERAL.test(amount) ? new Money(amount).plus(0).toString() : amount;
}
