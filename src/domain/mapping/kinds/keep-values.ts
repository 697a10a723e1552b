type Row = Readonly<Record<string, unknown>>;

/**
 * Merges an object of the CRM with the vendor's object, key by key, because an update that sends the whole object would overwrite edits of
 * vendor users. A key gets the CRM's value if the CRM changed that value since both sides last agreed, or if the vendor has none. Otherwise
 * it gets the vendor's value.
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
 * Merges the CRM's list of rows with the vendor's list, so that sending the whole list does not remove rows that vendor users added. First
 * come the CRM's rows, each merged key by key with the vendor's row of equal identity. Then come the vendor's other rows, except rows that
 * the CRM removed since both sides last agreed.
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
