import type { Codes, Text } from '../record/canonical.ts';

/** Normal form of a scalar: text, numbers and booleans as text, `''` and null as unset; undefined for anything else. */
export function readText(value: unknown): Text | undefined {
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return undefined;
}

/** Members in first-seen order, without doubles and empty ones. */
export function codeSet(members: readonly string[]): Codes {
  return [...new Set(members.filter((member) => member !== ''))];
}

/** A JSON object, or undefined. */
export function readObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>;
}

/** Null and the empty string: what the vendor shows of a field that is not set. */
export function isUnset(value: unknown): boolean {
  return value === null || value === '';
}

/** A JSON array, or an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
