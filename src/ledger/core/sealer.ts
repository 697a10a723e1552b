/**
 * The context that an encrypted value is bound to: a tenant, and the names of table, column and row. In another context the value cannot be
 * decrypted.
 */
export type Place = { readonly tenant: string; readonly name: string };

/** The owner of the data key for values that belong to no tenant. No tenant can have this name. */
export const INSTALLATION = '(installation)';

/** Encrypts values for the ledger. Throws if a value is decrypted in another context than that of its encryption. */
export interface Sealer {
  seal(value: unknown, where: Place): Buffer;
  open(sealed: Buffer, where: Place): unknown;
}

/** The encryption context of a column in one row. Its components are JSON, so `a/b` + `c` and `a` + `b/c` differ. */
export function place(tenant: string, table: string, column: string, ...key: readonly string[]): Place {
  return { tenant, name: JSON.stringify([tenant, table, column, ...key]) };
}

export function sealOrNull(sealer: Sealer, value: unknown, where: Place): Buffer | null {
  return value === null || value === undefined ? null : sealer.seal(value, where);
}

export function openOrNull<T>(sealer: Sealer, sealed: Buffer | null, where: Place): T | null {
  return sealed === null ? null : (sealer.open(sealed, where) as T);
}

/** Encrypted bytes as PostgreSQL writes `bytea` as text, for rows that a statement gets as JSON. */
export function hex(sealed: Buffer): string {
  return `\\x${sealed.toString('hex')}`;
}
