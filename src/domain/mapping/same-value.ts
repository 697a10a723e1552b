import { lineCells } from '../lines/same-line.ts';
import type { FieldName } from '../record/canonical.ts';
import { FIELDS, type FieldKind } from '../record/fields.ts';
import { calendarDate } from '../values/date.ts';
import { readObject } from '../values/text.ts';
import type { MappingConfig } from './config.ts';
import { ENTITY_KEYS } from './kinds/entity.ts';

/**
 * Whether two values of a field say the same. Null, `''` and `[]` are one unset. Sets and contacts are unordered,
 * e-mail addresses case folded, dates compared by calendar date in the tenant's zone, lines as a multiset of offer,
 * amount and revenue type (amounts come at their currency's precision from the observers). `undefined` is unknown
 * and equals only itself.
 *
 * It compares one key of each value, so it is an equivalence by construction. A revenue type counts even where the
 * other line has none: were it a wildcard, setting or clearing one would go unnoticed.
 */
export function sameValue(field: FieldName, a: unknown, b: unknown, config: MappingConfig): boolean {
  if (a === undefined || b === undefined) return a === b;
  const { kind } = FIELDS[field];
  return keyOf(kind, a, config) === keyOf(kind, b, config);
}

function keyOf(kind: FieldKind, value: unknown, config: MappingConfig): string {
  const key = KEYS[kind](value, config);
  return key === '[]' || key === '""' ? UNSET : key;
}

const UNSET = 'null';

const KEYS: Readonly<Record<FieldKind, (value: unknown, config: MappingConfig) => string>> = {
  text: (value) => JSON.stringify(value),
  code: (value) => JSON.stringify(value),
  email: (value) => JSON.stringify(fold(value)),
  date: (value, config) =>
    JSON.stringify(typeof value === 'string' ? (calendarDate(value, config.zone) ?? value) : value),
  codes: (value) => JSON.stringify([...new Set(listOf(value))].sort()),
  entity: entityKey,
  lines: (value) => rowsKey(value, lineCells),
  'customer-contacts': (value) =>
    rowsKey(value, (row) => [fold(row['email']), ...CONTACT_KEYS.map((key) => row[key])]),
  'partner-contacts': (value) =>
    rowsKey(value, (row) => [fold(row['salesRepEmail']), row['salesRepFirstName'], row['salesRepLastName']]),
};

const CONTACT_KEYS = ['firstName', 'lastName', 'phoneNumber', 'salutation', 'jobTitle'] as const;

function entityKey(value: unknown): string {
  const entity = readObject(value);
  const cells = entity === undefined ? [] : ENTITY_KEYS.map((key) => entity[key] || null);
  return cells.every((cell) => cell === null) ? UNSET : JSON.stringify(cells);
}

function rowsKey(
  value: unknown,
  cells: (row: Readonly<Record<string, unknown>>) => readonly unknown[],
): string {
  const rows = listOf(value).map((row) =>
    JSON.stringify(cells(readObject(row) ?? {}).map((cell) => cell || null)),
  );
  return JSON.stringify(rows.sort());
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function fold(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
