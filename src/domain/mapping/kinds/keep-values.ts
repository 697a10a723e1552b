type Row = Readonly<Record<string, unknown>>;

/**
 * Merges two objects key by key. The CRM's value is used if the CRM changed it since both sides last agreed, or if the vendor has no value.
 * Otherwise the vendor's value is used.
 */
export function keepKeys<R extends Row>(crm: R, agreed: R | undefined, vendor: R | undefined): R {
  if (vendor === undefined) return crm;
  const cells = Object.keys(crm).map((key) => {
    const isChanged = (crm[key] || null) !== (agreed?.[key] || null);
    return [key, isChanged ? crm[key] : vendor[key] || crm[key]];
  });
  return Object.fromEntries(cells) as R;
}

/**
 * Merges a list of rows for the vendor. First come the CRM's rows, each merged key by key with the vendor's row of equal identity. Then
 * come the vendor's other rows, except rows that the CRM removed since both sides last agreed.
 */
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
