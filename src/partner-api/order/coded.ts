import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';
import type { Coded, ValueTable } from './values/coded.ts';

/** Schema of a coded member as the given version sends it; missing, null and `''` are null. */
export function coded(table: ValueTable, version: ApiVersion) {
  const read = version === 'v0' ? fromName : fromCode;
  return z
    .string()
    .nullish()
    .transform((value): Coded | null => (value ? read(table, value) : null));
}

/** Finds the documented value of a v1 code. An undocumented code gives a value without a name. */
function fromCode(table: ValueTable, code: string): Coded {
  const row = table.find((candidate) => candidate.code === code);
  return { code, name: row?.name ?? null, known: row !== undefined };
}

/** Reads a v0 value: a display name, or a code where v0 shows codes too (revenue types, order spec 2.10). */
function fromName(table: ValueTable, value: string): Coded {
  const row = table.find((candidate) => candidate.name === value);
  if (row !== undefined) return { code: row.code, name: value, known: true };
  const byCode = fromCode(table, value);
  return byCode.known ? byCode : { code: null, name: value, known: false };
}
