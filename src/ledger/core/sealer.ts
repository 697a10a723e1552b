/**
 * The context to which an encrypted value is bound: the tenant, and the names of table, column and row. In another context it cannot be
 * decrypted.
 */
export type Place = { readonly tenant: string; readonly name: string };

/**
 * The name that is used instead of a tenant's name for values that belong to no tenant. These values have a data key of their own under
 * this name. No tenant can have this name.
 */
export const INSTALLATION = '(installation)';

/**
 * Encrypts and decrypts values for the ledger. A value can be decrypted only in the context for which it was encrypted; otherwise `open`
 * throws.
 */
export interface Sealer {
  seal(value: unknown, where: Place): Buffer;
  open(sealed: Buffer, where: Place): unknown;
}

/** The encryption context of a column in one row. Its parts are joined as JSON, so that `a/b` with `c` differs from `a` with `b/c`. */
export function place(tenant: string, table: string, column: string, ...key: readonly string[]): Place {
  return { tenant, name: JSON.stringify([tenant, table, column, ...key]) };
}

export function sealOrNull(sealer: Sealer, value: unknown, where: Place): Buffer | null {
  return value === null || value === undefined ? null : sealer.seal(value, where);
}

export function openOrNull<T>(sealer: Sealer, sealed: Buffer | null, where: Place): T | null {
  return sealed === null ? null : (sealer.open(sealed, where) as T);
}

/** Encrypted bytes in the text form of PostgreSQL's `bytea`, for statements that get rows as JSON. */
export function hex(sealed: Buffer): string {
  return `\\x${sealed.toString('hex')}`;
}
