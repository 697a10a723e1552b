import { Decimal } from 'decimal.js';
import { dayIn } from '../store/time-zone.ts';
import { type FormulaContext, FormulaRuntimeError, type FormulaType, type FormulaValue, Num } from './types.ts';

export const DAY_MS = 86_400_000;

/** A text in a formula. An empty text is blank. */
export function textOrBlank(text: string): string | null {
  return text === '' ? null : text;
}

/** Whether two values of a type are equal; null if one is blank and the type is not text. */
export function areEqual(type: FormulaType, left: FormulaValue, right: FormulaValue): boolean | null {
  if (isTextual(type)) return (left ?? '') === (right ?? '');
  if (left === null || right === null) return null;
  return order(left, right) === 0;
}

/** Compares two values that are not blank: negative, zero or positive. */
export function order(left: FormulaValue, right: FormulaValue): number {
  if (left instanceof Decimal && right instanceof Decimal) return left.comparedTo(right);
  if (left === right) return 0;
  return (left ?? '') < (right ?? '') ? -1 : 1;
}

export function isTextual(type: FormulaType): boolean {
  return type === 'text' || type === 'picklist' || type === 'multipicklist' || type === 'null';
}

export function asNumber(value: FormulaValue): Decimal | null {
  if (value === null || value instanceof Decimal) return value;
  throw new FormulaRuntimeError('a number was expected');
}

export function numberOf(value: number): Decimal {
  return new Num(value);
}

export function today({ timeZone, now }: FormulaContext): number {
  return dayIn(timeZone(), now);
}
