import type { Codes, Text } from '../record/canonical.ts';

/** The normal form of a scalar: text, numbers and booleans as text, `''` and null as null; undefined for anything else. */
export function readText(value: unknown): Text | undefined {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** Returns codes in first-seen order, without duplicates and empty texts. */
export function codeSet(members: readonly string[]): Codes {
  return [...new Set(members.filter((member) => member !== ''))];
}

/** The value as a JSON object; undefined if it is none. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

/** Whether a value is null or the empty string, the vendor's forms of an unset field. */
export function isUnset(value: unknown): boolean {
  return value === null || value === '';
}

/** The value as a JSON array; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
