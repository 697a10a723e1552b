/** One documented value: its v1 code and its v0 display name, each null if the documents do not show it. */
export interface ValueRow {
  readonly code: string | null;
  readonly name: string | null;
  readonly meaning: string;
}

export type ValueTable = readonly ValueRow[];

/**
 * A code with its display name. If the vendor's API documents do not list the pair, only one of the two is known: the code, from an answer
 * of version 1 of the API, or the name, from an answer of version 0.
 */
export interface Coded {
  /** The v1 code; null if not known. */
  readonly code: string | null;
  /** The v0 display name; null if not known. */
  readonly name: string | null;
  /** Whether the documents show the value. */
  readonly known: boolean;
}

/** The v1 code of a v0 display name, null when the documents do not show it. */
export function codeOfName(table: ValueTable, name: string): string | null {
  return table.find((row) => row.name === name)?.code ?? null;
}

/** The v0 display name of a v1 code; null if the vendor's API documents give none. */
export function nameOfCode(table: ValueTable, code: string): string | null {
  return table.find((row) => row.code === code)?.name ?? null;
}

/** A code or name that the documents do not show, and its path in the answer's data. */
export interface UnknownValue {
  readonly path: string;
  readonly value: string;
}

/** Lists every code or name in an answer's data that the documents do not show, for a report. */
export function findUnknownValues(data: unknown, path = ''): readonly UnknownValue[] {
  if (typeof data !== 'object' || data === null) return [];
  if (isCoded(data)) return data.known ? [] : [{ path, value: data.code ?? data.name ?? '' }];
  const step = (key: string): string => (Array.isArray(data) ? `${path}[${key}]` : `${path}.${key}`);
  return Object.entries(data).flatMap(([key, value]) => findUnknownValues(value, step(key).replace(/^\./, '')));
}

function isCoded(value: object): value is Coded {
  return 'known' in value && typeof value.known === 'boolean' && 'code' in value && 'name' in value;
}
