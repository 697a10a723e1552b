/** The one place that a sealed value opens at: of one tenant, by a name. */
export type Place = { readonly tenant: string; readonly name: string };

/** Seals what the ledger keeps. Opening elsewhere than sealed throws. */
export interface Sealer {
  seal(value: unknown, where: Place): Buffer;
  open(sealed: Buffer, where: Place): unknown;
}

/** A table's column in one row. JSON keeps the parts apart: `a/b` + `c` and `a` + `b/c` are two places. */
export function place(tenant: string, table: string, column: string, ...key: readonly string[]): Place {
  return { tenant, name: JSON.stringify([tenant, table, column, ...key]) };
}

export function sealOrNull(sealer: Sealer, value: unknown, where: Place): Buffer | null {
  return value === null || value === undefined ? null : sealer.seal(value, where);
}

export function openOrNull<T>(sealer: Sealer, sealed: Buffer | null, where: Place): T | null {
  return sealed === null ? null : (sealer.open(sealed, where) as T);
}
