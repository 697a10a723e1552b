import type { CrmValue } from '../domain/record/crm-graph.ts';
import { beginning } from '../domain/record/shown-text.ts';

/** The lengths of the CRM package's text fields and of record names, in characters. */
const TEXT_LENGTH = 255;
const NAME_LENGTH = 80;

/**
 * Converts a vendor's value to the value of a CRM field, by the field's kind. Returns null for a value that cannot be converted, because
 * one malformed date would make Salesforce refuse a whole request with many rows.
 */
export const KINDS = {
  /** A text, cut to the length of the CRM field. The field is longer than every documented length. */
  text: (value) => cut(value, TEXT_LENGTH),
  name: (value) => cut(value, NAME_LENGTH),
  /** A code from a set of values that may grow: stored as the vendor sends it, known or not. The CRM package contains the labels. */
  code: (value) => (isCoded(value) ? cut(value.code ?? value.name, TEXT_LENGTH) : cut(value, TEXT_LENGTH)),
  number: numberOf,
  /** `Yes` or `No` as a text, because a checkbox cannot distinguish "no" from unknown. */
  flag: (value) => (typeof value === 'boolean' ? (value ? 'Yes' : 'No') : null),
  date: dateOf,
  instant: instantOf,
} as const satisfies Readonly<Record<string, (value: unknown) => CrmValue>>;

export type Kind = keyof typeof KINDS;

type Coded = { readonly code: string | null; readonly name: string | null };

function isCoded(value: unknown): value is Coded {
  return typeof value === 'object' && value !== null && 'code' in value && 'name' in value;
}

function cut(value: unknown, length: number): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text.trim() === '') return null;
  return beginning(text, length).trim();
}

/**
 * Reads a number, or a text with a decimal number; null if it is neither. JavaScript's numbers suffice, because Salesforce also stores
 * doubles.
 */
function numberOf(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : null;
}

/** Salesforce's range of dates: 1700-01-01 to 4000-12-31. */
const FIRST_DAY = '1700-01-01';
const LAST_DAY = '4000-12-31';

function dateOf(value: unknown): string | null {
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:$|T)/.exec(typeof value === 'string' ? value : '') ?? [];
  if (day === undefined || day < FIRST_DAY || day > LAST_DAY) return null;
  const parsed = new Date(`${day}T00:00:00.000Z`);
  return Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== day ? null : day;
}

function instantOf(value: unknown): string | null {
  const date = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(date.getTime())) return null;
  const iso = date.toISOString();
  return iso.length === 24 && iso >= FIRST_DAY && iso.slice(0, 10) <= LAST_DAY ? iso : null;
}
