import type { FunctionExp } from '@jetstreamapp/soql-parser-js';
import { notSimulated } from '../not-simulated.ts';
import { field } from '../schema/fields.ts';
import type { FieldDef, ObjectDef } from '../schema/types.ts';
import { apiInstantMs } from '../store/instant.ts';
import type { Row, Value } from '../store/row.ts';
import type { Store } from '../store/store.ts';
import { wallTime } from '../store/time-zone.ts';
import { invalidField, malformed } from './parse.ts';
import { type FieldUse, readPath, resolvePath } from './path.ts';

/** A value computed for each row: a field of the row or of a parent, or a date function of one. */
export type RowValue = { readonly field: FieldDef; readonly of: (row: Row) => Value };

export type DateFunctionContext = {
  readonly store: Store;
  readonly object: ObjectDef;
  readonly alias: string | undefined;
  /** IANA name of the user's zone. */
  readonly timeZone: string;
};

const DAY_MS = 86_400_000;

/** Parts of a date, by the names of the SOQL reference's "Date Functions". Days and hours are those of UTC without `convertTimezone`. */
const PARTS: Readonly<Record<string, (date: Date) => number>> = {
  CALENDAR_MONTH: (date) => date.getUTCMonth() + 1,
  CALENDAR_QUARTER: quarterOf,
  CALENDAR_YEAR: (date) => date.getUTCFullYear(),
  DAY_IN_MONTH: (date) => date.getUTCDate(),
  DAY_IN_WEEK: (date) => date.getUTCDay() + 1,
  DAY_IN_YEAR: dayInYear,
  FISCAL_MONTH: (date) => date.getUTCMonth() + 1,
  FISCAL_QUARTER: quarterOf,
  FISCAL_YEAR: (date) => date.getUTCFullYear(),
  HOUR_IN_DAY: (date) => date.getUTCHours(),
  WEEK_IN_MONTH: (date) => Math.ceil(date.getUTCDate() / 7),
  WEEK_IN_YEAR: (date) => Math.ceil(dayInYear(date) / 7),
};
const WITH_TIME_ONLY = new Set(['HOUR_IN_DAY', 'DAY_ONLY']);

function quarterOf(date: Date): number {
  return Math.floor(date.getUTCMonth() / 3) + 1;
}

function dayInYear(date: Date): number {
  const startMs = Date.UTC(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - startMs) / DAY_MS) + 1;
}

export function isDateFunction(name: string | undefined): boolean {
  const upper = name?.toUpperCase() ?? '';
  return upper === 'DAY_ONLY' || Object.hasOwn(PARTS, upper);
}

/** Compiles a field's name. Throws INVALID_FIELD. */
export function fieldValue(store: Store, object: ObjectDef, name: string, alias?: string, use?: FieldUse): RowValue {
  const path = resolvePath(store, object, name, alias, use);
  return { field: path.field, of: (row) => readPath(store, row, path) };
}

/**
 * Compiles a date function of a field, or of `convertTimezone` of one. Throws MALFORMED_QUERY for other functions,
 * INVALID_FIELD for other fields.
 */
export function dateFunctionValue({ store, object, alias, timeZone }: DateFunctionContext, fn: FunctionExp): RowValue {
  const name = fn.functionName?.toUpperCase() ?? '';
  const [given] = fn.parameters ?? [];
  const inner = typeof given === 'object' && given.functionName?.toUpperCase() === 'CONVERTTIMEZONE';
  const parameter = inner ? given.parameters?.[0] : given;
  if (name === 'DISTANCE') throw notSimulated(name);
  if (!isDateFunction(name) || typeof parameter !== 'string') {
    throw malformed(`unexpected token: '${fn.rawValue ?? name}'`);
  }
  const source = fieldValue(store, object, parameter, alias);
  const { type } = source.field;
  if (inner && type !== 'datetime') {
    throw invalidField(`the function convertTimezone does not take the field ${source.field.name}`, parameter);
  }
  if (type !== 'datetime' && (type !== 'date' || WITH_TIME_ONLY.has(name))) {
    throw invalidField(`the function ${name} does not take the field ${source.field.name}`, parameter);
  }
  const part = PARTS[name];
  return {
    field: field(name, part === undefined ? 'date' : 'int'),
    of: (row) => {
      const value = source.of(row);
      if (typeof value !== 'string') return null;
      const utc = new Date(value.length === 10 ? Date.parse(`${value}T00:00:00Z`) : apiInstantMs(value));
      const date = inner ? wallTime(timeZone, utc) : utc;
      return part === undefined ? date.toISOString().slice(0, 10) : part(date);
    },
  };
}
