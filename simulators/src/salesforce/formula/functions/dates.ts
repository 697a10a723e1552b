import {
  type Compiled,
  type FormulaContext,
  FormulaRuntimeError,
  type FormulaType,
  type FormulaValue,
  Num,
} from '../types.ts';
import { DAY_MS, today } from '../values.ts';
import { type Call, checkArguments, type FunctionDef, simple } from './call.ts';

/** A formula function whose value follows from the present time. */
const moment =
  (type: FormulaType, run: (context: FormulaContext) => FormulaValue): FunctionDef =>
  (call) => {
    checkArguments(call, []);
    return { type, run };
  };

const part = (type: 'date' | 'time', of: (date: Date) => number): FunctionDef =>
  simple('number', [type], (value) => new Num(of(new Date(Number(value)))));

function dateOf(year: FormulaValue, month: FormulaValue, day: FormulaValue): FormulaValue {
  const [y, m, d] = [year, month, day].map((each) => Math.trunc(Number(each))) as [number, number, number];
  const ms = Date.UTC(y, m - 1, d);
  const date = new Date(ms);
  const exists = y >= 1 && y <= 9999 && date.getUTCMonth() === m - 1 && date.getUTCDate() === d;
  if (exists) return ms;
  throw new FormulaRuntimeError('Year, month or day out of range in DATE() function');
}

const DATE = /^\d{4}-\d{1,2}-\d{1,2}$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)Z?$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?$/;

function dateFromText(text: string): FormulaValue {
  if (!DATE.test(text)) throw new FormulaRuntimeError('DATEVALUE() was given a text that is no date');
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return dateOf(new Num(year), new Num(month), new Num(day));
}

function instantFromText(text: string): FormulaValue {
  const match = INSTANT.exec(text);
  const ms = Date.parse(`${match?.[1]}T${match?.[2]}Z`);
  if (Number.isNaN(ms)) throw new FormulaRuntimeError('DATETIMEVALUE() was given a text that is no date-time');
  return ms;
}

function timeFromText(text: string): FormulaValue {
  const match = TIME.exec(text);
  if (match === null) throw new FormulaRuntimeError('TIMEVALUE() was given a text that is no time');
  const [, hours, minutes, seconds, fraction = '0'] = match;
  return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 + Number(fraction.padEnd(3, '0'));
}

const startOfDay = (ms: number) => Math.floor(ms / DAY_MS) * DAY_MS;

/** A conversion from a text or another date type. All times are in GMT. */
function conversion(
  type: 'date' | 'datetime' | 'time',
  fromText: (text: string) => FormulaValue,
  fromInstant: (ms: number) => FormulaValue,
): FunctionDef {
  return (call: Call) => {
    checkArguments(call, ['text|date|datetime']);
    const [argument] = call.args as [Compiled];
    const isText = argument.type === 'text';
    return {
      type,
      run: (context) => {
        const value = argument.run(context);
        if (value === null) return null;
        return isText ? fromText(String(value).trim()) : fromInstant(Number(value));
      },
    };
  };
}

/** ADDMONTHS. The last day of a month stays a last day. A day that the target month lacks becomes its last day. */
const addMonths: FunctionDef = (call) => {
  checkArguments(call, ['date|datetime', 'number']);
  const [from, months] = call.args as [Compiled, Compiled];
  return {
    type: from.type,
    run: (context) => {
      const [ms, count] = [from.run(context), months.run(context)];
      return ms === null || count === null ? null : monthsLater(Number(ms), Math.trunc(Number(count)));
    },
  };
};

function monthsLater(ms: number, count: number): number {
  const date = new Date(ms);
  const lastDay = (month: number) => new Date(Date.UTC(date.getUTCFullYear(), month + 1, 0)).getUTCDate();
  const day = date.getUTCDate();
  const isLast = day === lastDay(date.getUTCMonth());
  const month = date.getUTCMonth() + count;
  const target = isLast ? lastDay(month) : Math.min(day, lastDay(month));
  return Date.UTC(date.getUTCFullYear(), month, target) + (ms - startOfDay(ms));
}

/** Functions on dates and times (Help: "Formula Operators and Functions", date and time functions). */
export const DATES: Readonly<Record<string, FunctionDef>> = {
  TODAY: moment('date', today),
  NOW: moment('datetime', ({ now }) => Math.floor(now.getTime() / 1000) * 1000),
  TIMENOW: moment('time', ({ now }) => now.getTime() % DAY_MS),
  DATE: simple('date', ['number', 'number', 'number'], dateOf),
  DATEVALUE: conversion('date', dateFromText, startOfDay),
  DATETIMEVALUE: conversion('datetime', instantFromText, (ms) => ms),
  TIMEVALUE: conversion('time', timeFromText, (ms) => ms % DAY_MS),
  YEAR: part('date', (date) => date.getUTCFullYear()),
  MONTH: part('date', (date) => date.getUTCMonth() + 1),
  DAY: part('date', (date) => date.getUTCDate()),
  WEEKDAY: part('date', (date) => date.getUTCDay() + 1),
  HOUR: part('time', (date) => date.getUTCHours()),
  MINUTE: part('time', (date) => date.getUTCMinutes()),
  SECOND: part('time', (date) => date.getUTCSeconds()),
  MILLISECOND: part('time', (date) => date.getUTCMilliseconds()),
  ADDMONTHS: addMonths,
};
