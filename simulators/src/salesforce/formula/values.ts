import { Decimal } from 'decimal.js';
import { dayIn } from '../store/time-zone.ts';
import {
  type FormulaContext,
  FormulaRuntimeError,
  type FormulaType,
  type FormulaValue,
  Num,
} from './types.ts';

export const DAY_MS = 86_400_000;

/** Text as formulas know it: an empty one is blank. */
export function textOrBlank(text: string): string | null {
  return text === '' ? null : text;
}

/** Whether two values of a type are equal. Texts always are or are not; with another type's blank nothing can be said. */
export function areEqual(type: FormulaType, left: FormulaValue, right: FormulaValue): boolean | null {
  if (isTextual(type)) return (left ?? '') === (right ?? '');
  if (left === null || right === null) return null;
  return order(left, right) === 0;
}

/** Below, equal or above zero as the left value is; neither is blank. */
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
