/**
 * The context to which an encrypted value is bound: the tenant, and the names of table, column and row. In another context it cannot be
 * decrypted.
 */
export type Place = { readonly tenant: string; readonly name: string };

/** Stands in place of a tenant as the owner of the data key for values that belong to no tenant. No tenant can have this name. */
export const INSTALLATION = '(installation)';

/**
 * Encrypts and decrypts values for the ledger. Throws if a value is to be decrypted in another context than the one for which it was
 * encrypted.
 */
export interface Sealer {
  seal(value: unknown, where: Place): Buffer;
  open(sealed: Buffer, where: Place): unknown;
}

/** The encryption context of a column in one row. Its parts are written as JSON, so that `a/b` + `c` and `a` + `b/c` differ. */
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
