type Row = Readonly<Record<string, unknown>>;

/**
 * What the vendor shall show of an object, key by key: what the CRM changed since both sides agreed, else what the vendor
 * has, else what the CRM has. A key that the CRM never had stays as the vendor's people entered it.
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
 * What the vendor shall show of a list, row by row: the CRM's rows, each key by key, and then those of the vendor that the
 * CRM never had. A row that the CRM had and removed goes.
 */
export function keepRows<R extends Row>(
  crm: readonly R[],
  agreed: readonly R[],
  vendor: readonly R[],
  identity: (row: R) => unknown,
): readonly R[] {
  const rowIn = (rows: readonly R[], row: R): R | undefined =>
    rows.find((one) => identity(one) === identity(row));
  const partners = new Set(crm.map((row) => rowIn(vendor, row)));
  const own = crm.map((row) => keepKeys(row, rowIn(agreed, row), rowIn(vendor, row)));
  const others = vendor.filter((row) => !partners.has(row));
  return [
    ...own,
    ...others.filter((row) => rowIn(crm, row) !== undefined || rowIn(agreed, row) === undefined),
  ];
}
