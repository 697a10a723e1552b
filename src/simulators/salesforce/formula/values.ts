import { Decimal } from 'decimal.js';
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

const calendars = new Map<string, Intl.DateTimeFormat>();

function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const fresh = new Intl.DateTimeFormat('en-CA', { timeZone });
  calendars.set(timeZone, fresh);
  return fresh;
}

/** Midnight UTC of the calendar day that it is in a time zone. */
export function dayIn(timeZone: string, date: Date): number {
  const [year = 0, month = 1, day = 1] = calendarOf(timeZone).format(date).split('-').map(Number);
  return Date.UTC(year, month - 1, day);
}

export function today({ timeZone, now }: FormulaContext): number {
  return dayIn(timeZone(), now);
}
