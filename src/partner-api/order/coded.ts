import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';
import type { Coded, ValueTable } from './values/coded.ts';

/** Schema of a field with a code, as this version of the API sends it. Missing, null and `''` become null. */
export function coded(table: ValueTable, version: ApiVersion) {
  const read = version === 'v0' ? fromName : fromCode;
  return z
    .string()
    .nullish()
    .transform((value): Coded | null => (value ? read(table, value) : null));
}

/** The documented value for a code of version 1. For an undocumented code, a value without a name. */
function fromCode(table: ValueTable, code: string): Coded {
  const row = table.find((candidate) => candidate.code === code);
  return { code, name: row?.name ?? null, known: row !== undefined };
}

/** The documented value for what version 0 sends: a display name or, in some fields, a code (revenue types, order spec 2.10). */
function fromName(table: ValueTable, value: string): Coded {
  const row = table.find((candidate) => candidate.name === value);
  if (row !== undefined) return { code: row.code, name: value, known: true };
  const byCode = fromCode(table, value);
  return byCode.known ? byCode : { code: null, name: value, known: false };
}
