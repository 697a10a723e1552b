import { Decimal } from 'decimal.js';
import { minorUnits } from './currency.ts';

const Money = Decimal.clone({
  precision: 60,
  rounding: Decimal.ROUND_HALF_UP,
  toExpNeg: -100,
  toExpPos: 100,
});
const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})?$/i;

/**
 * An amount as a plain decimal string, rounded half up to the currency's precision, without trailing zeros. Null if the value is no number.
 */
export function readAmount(value: unknown, currency: string): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || !NUMERAL.test(text.trim())) return null;
  const rounded = new Money(text.trim()).toDecimalPlaces(minorUnits(currency));
  return rounded.isZero() ? '0' : rounded.toFixed();
}

/** The sum of amounts as a plain decimal string. An unset amount counts as zero; null if all are unset. */
export function sumAmounts(amounts: readonly (string | null)[]): string | null {
  const set = amounts.filter((amount) => amount !== null);
  return set.length === 0 ? null : total(set).toFixed();
}

/**
 * Changes amounts in proportion to their sizes so that their sum becomes `sum`. The changes are rounded to the currency's smallest unit,
 * and the largest amount also gets the rest that rounding leaves. If all amounts are zero, the first one gets the whole sum.
 */
export function spreadAmount(sum: string, amounts: readonly string[], currency: string): readonly string[] {
  const missing = new Money(sum).minus(total(amounts));
  const sizes = amounts.map((amount) => new Money(amount).abs());
  const size = total(sizes);
  const shares = sizes.map((each) =>
    size.isZero() ? new Money(0) : missing.times(each).div(size).toDecimalPlaces(minorUnits(currency)),
  );
  const largest = sizes.findIndex((each) => sizes.every((other) => other.lte(each)));
  const left = missing.minus(total(shares));
  return amounts.map((amount, at) => {
    const share = shares[at] ?? 0;
    return new Money(amount)
      .plus(share)
      .plus(at === largest ? left : 0)
      .toFixed();
  });
}

function total(amounts: readonly Decimal.Value[]): Decimal {
  return amounts.reduce<Decimal>((sum, amount) => sum.plus(amount), new Money(0));
}

/**
 * A decimal string as a JavaScript number, for JSON. Null if the number has not exactly the same value, because the amount would then
 * change on its way.
 */
export function amountNumber(amount: string): number | null {
  const value = Number(amount);
  return Number.isFinite(value) && new Money(amount).eq(new Money(value)) ? value : null;
}

/** A text that is the same for equal decimals, such as `1.5` and `1.50`. A text that is no number is returned unchanged. */
export function amountKey(amount: string): string {
  return NUMERAL.test(amount) ? new Money(amount).plus(0).toString() : amount;
}
