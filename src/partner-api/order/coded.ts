import { z } from 'zod';
import type { ApiVersion } from '../versions.ts';

/** One documented value: its v1 code and v0 display name, each null where the documents do not show it. */
export type ValueRow = {
  readonly code: string | null;
  readonly name: string | null;
  readonly meaning: string;
};

export type ValueTable = readonly ValueRow[];

/**
 * A value of an open set. `known` is false for one that the documents do not show: it then has a code (from v1) or
 * a name (from v0), as sent.
 */
export type Coded = { readonly code: string | null; readonly name: string | null; readonly known: boolean };

/** The v1 code of a v0 display name, null when the documents do not show it. */
export function codeOfName(table: ValueTable, name: string): string | null {
  return table.find((row) => row.name === name)?.code ?? null;
}

/** The v0 display name of a v1 code, null when the documents do not show it. */
export function nameOfCode(table: ValueTable, code: string): string | null {
  return table.find((row) => row.code === code)?.name ?? null;
}

/** Reads a v1 code. */
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

/** Schema of a coded member as the given version sends it; missing, null and `''` are null. */
export function coded(table: ValueTable, version: ApiVersion) {
  const read = version === 'v0' ? fromName : fromCode;
  return z
    .string()
    .nullish()
    .transform((value): Coded | null => (value ? read(table, value) : null));
}

/** A value that the documents do not show, and where it stood in the data. */
export type UnknownValue = { readonly path: string; readonly value: string };

/** Lists every value of an answer's data that its table does not know, for a report. */
export function findUnknownValues(data: unknown, path = ''): readonly UnknownValue[] {
  if (typeof data !== 'object' || data === null) return [];
  if (isCoded(data)) return data.known ? [] : [{ path, value: data.code ?? data.name ?? '' }];
  const step = (key: string): string => (Array.isArray(data) ? `${path}[${key}]` : `${path}.${key}`);
  return Object.entries(data).flatMap(([key, value]) =>
    findUnknownValues(value, step(key).replace(/^\./, '')),
  );
}

function isCoded(value: object): value is Coded {
  return 'known' in value && typeof value.known === 'boolean' && 'code' in value && 'name' in value;
}
