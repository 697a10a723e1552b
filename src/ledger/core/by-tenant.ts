/** By the tenants that were named; those of which there is nothing to tell are left out. */
export type OfTenants<T> = ReadonlyMap<string, T>;

/** Rows of several tenants, each list in the order of its rows. */
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
