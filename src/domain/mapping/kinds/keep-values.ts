type Row = Readonly<Record<string, unknown>>;

/**
 * Merges two objects key by key. The CRM's value counts if the CRM changed it since the last agreement or if the vendor has none. Otherwise
 * the vendor's value counts.
 */
export function keepKeys<R extends Row>(crm: R, agreed: R | undefined, vendor: R | undefined): R {
  if (vendor === undefined) return crm;
  const cells = Object.keys(crm).map((key) => {
    const isChanged = (crm[key] || null) !== (agreed?.[key] || null);
    return [key, isChanged ? crm[key] : vendor[key] || crm[key]];
  });
  return Object.fromEntries(cells) as R;
}

/** Merges a list for the vendor: first the CRM's rows, merged key by key, then the vendor's rows, except rows that the CRM removed. */
export function keepRows<R extends Row>(
  crm: readonly R[],
  agreed: readonly R[],
  vendor: readonly R[],
  identity: (row: R) => unknown,
): readonly R[] {
  const rowIn = (rows: readonly R[], row: R): R | undefined => rows.find((one) => identity(one) === identity(row));
  const partners = new Set(crm.map((row) => rowIn(vendor, row)));
  const own = crm.map((row) => keepKeys(row, rowIn(agreed, row), rowIn(vendor, row)));
  const others = vendor.filter((row) => !partners.has(row));
  return [...own, ...others.filter((row) => rowIn(crm, row) !== undefined || rowIn(agreed, row) === undefined)];
}
