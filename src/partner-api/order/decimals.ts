import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { numeral } from '../schema/answer.ts';

/** The number of decimals of percentages, ratios and durations, according to the documents (order spec 2.15). */
export const RATIO_DIGITS = 10;

/** The number of decimals of prices in the product price list (order spec 2.15). */
export const PRICE_DIGITS = 2;

const unset = z.union([z.literal(''), z.null()]).optional();

/**
 * Makes the schema of a required decimal. It rounds the value half up to `digits` decimals and returns a plain decimal string without
 * trailing zeros.
 */
export function decimal(digits: number) {
  return numeral.transform((value) => roundDecimal(String(value), digits));
}

/** Makes the schema of an optional decimal, which is rounded half up to `digits` decimals. A missing value, null and `''` become null. */
export function optionalDecimal(digits: number) {
  return z.union([numeral, unset]).transform((value): string | null => {
    return value === null || value === undefined || value === '' ? null : roundDecimal(String(value), digits);
  });
}

/**
 * Schema of an optional decimal that keeps every digit as sent. The decimal is rounded later, because the number of decimals depends on the
 * order's currency.
 */
export const exactDecimal = z.union([numeral, unset]).transform((value): string | null => {
  return value === null || value === undefined || value === '' ? null : new Decimal(String(value)).toFixed();
});

/**
 * Rounds a decimal half up to `digits` decimals. Further decimals come only from the vendor's serialization and mean nothing (order spec
 * 2.5).
 */
export function roundDecimal(text: string, digits: number): string {
  return new Decimal(text).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed();
}

/** The number of decimals of an amount: the 2 that the documents name, or more for currencies that have more (KWD: 3). */
export function amountDigits(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return PRICE_DIGITS;
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return Math.max(PRICE_DIGITS, format.resolvedOptions().maximumFractionDigits ?? PRICE_DIGITS);
}
