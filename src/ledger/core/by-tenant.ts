/** Results by tenant. A tenant without results has no entry. */
export type OfTenants<T> = ReadonlyMap<string, T>;

/** Groups rows by tenant; within a tenant they keep their order. */
export function byTenant<R extends { readonly tenant: string }, T>(
  rows: readonly R[],
  of: (row: R) => T,
): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) {
    const own = found.get(row.tenant);
    if (own === undefined) found.set(row.tenant, [of(row)]);
    else own.push(of(row));
  }
  return found;
}
