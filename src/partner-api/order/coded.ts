import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';
import type { Coded, ValueTable } from './values/coded.ts';

/**
 * Schema of an order's field that contains a code in version 1 of the vendor's order API, and a display name in version 0. A missing value,
 * null and `''` become null.
 */
export function coded(table: ValueTable, version: ApiVersion) {
  const read = version === 'v0' ? fromName : fromCode;
  return z
    .string()
    .nullish()
    .transform((value): Coded | null => (value ? read(table, value) : null));
}

/** Converts a code of version 1 to a code with its documented display name. An undocumented code has no name, and `known` is false. */
function fromCode(table: ValueTable, code: string): Coded {
  const row = table.find((candidate) => candidate.code === code);
  return { code, name: row?.name ?? null, known: row !== undefined };
}

/**
 * Converts a value of version 0 to a display name with its documented code. The value is a display name or, in some fields, a code (revenue
 * types, order spec 2.10). An undocumented value becomes a name without a code, with `known` false.
 */
function fromName(table: ValueTable, value: string): Coded {
  const row = table.find((candidate) => candidate.name === value);
  if (row !== undefined) return { code: row.code, name: value, known: true };
  const byCode = fromCode(table, value);
  return byCode.known ? byCode : { code: null, name: value, known: false };
}
