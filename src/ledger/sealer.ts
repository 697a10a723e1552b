/** What the ledger needs of sealing; `platform/sealing.ts` gives it. Opening elsewhere than sealed throws. */
export interface Sealer {
  seal(value: unknown, context: string): Buffer;
  open(sealed: Buffer, context: string): unknown;
}

/**
 * The one place that a sealed value opens at. JSON keeps the parts apart: `a/b` + `c` and `a` + `b/c` are two places.
 */
export function place(tenant: string, table: string, column: string, ...key: readonly string[]): string {
  return JSON.stringify([tenant, table, column, ...key]);
}

export function sealOrNull(sealer: Sealer, value: unknown, context: string): Buffer | null {
  return value === null || value === undefined ? null : sealer.seal(value, context);
}

export function openOrNull<T>(sealer: Sealer, sealed: Buffer | null, context: string): T | null {
  return sealed === null ? null : (sealer.open(sealed, context) as T);
}
