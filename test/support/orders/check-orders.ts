import { readFileSync } from 'node:fs';
import { tableRows } from '../markdown-table.ts';

/**
 * Compares each order of the vendor with what the CRM shows of it, field by field. It goes by the page for administrators,
 * and shares no code with the mirror.
 */

type Json = Readonly<Record<string, unknown>>;
/** An order of the vendor's API in v1, and CRM rows by their field names. */
export type Shown = { readonly orders: readonly Json[]; readonly lines: readonly Json[] };

const page = readFileSync(new URL('../../../docs/orders.md', import.meta.url), 'utf8');

type Column = { readonly path: readonly string[]; readonly field: string; readonly kind: string };
const columns = (heading: string): readonly Column[] =>
  tableRows(page, heading).map(([path = '', field = '', kind = '']) => ({
    path: path.split('.'),
    field: field.replaceAll('`', ''),
    kind,
  }));
const [ORDER, CONDITION, LINE] = ['Order field', 'Condition field', 'Line field'].map(columns) as [
  readonly Column[],
  readonly Column[],
  readonly Column[],
];

/** Fields of the two CRM objects to query. */
export const ORDER_COLUMNS: readonly string[] = [...ORDER.map(({ field }) => field), 'Name', 'Opportunity__c'];
export const LINE_COLUMNS: readonly string[] = [
  ...[...CONDITION, ...LINE].map(({ field }) => field),
  ...['Line_Key__c', 'Active__c', 'Currency__c', 'Vendor_Order__r.Vendor_Order_Id__c'],
];

/** The differences, one sentence each. */
export function orderDifferences(vendor: readonly Json[], crm: Shown): readonly string[] {
  const known = new Set(vendor.map((order) => idOf(order)));
  const stray = crm.orders.filter((row) => !known.has(String(row['Vendor_Order_Id__c'])));
  return [
    ...stray.map((row) => `the CRM shows ${String(row['Vendor_Order_Id__c'])}, which the vendor does not`),
    ...vendor.flatMap((order) => ofOrder(order, crm)),
  ];
}

function ofOrder(order: Json, { orders, lines }: Shown): readonly string[] {
  const id = idOf(order);
  const rows = orders.filter((row) => row['Vendor_Order_Id__c'] === id);
  const [row] = rows;
  if (row === undefined || rows.length > 1) return [`${id} is there ${rows.length} times`];
  const own = lines.filter((line) => masterOf(line) === id && line['Active__c'] === true);
  const expected = listAt(order, 'licenseChargeConditions').flatMap((condition) => {
    const parts = listAt(condition, 'licenseChargeBreakdown');
    return (parts.length === 0 ? [{}] : parts).map((line) => ({ condition, line }));
  });
  if (own.length !== expected.length) return [`${id} has ${own.length} lines for ${expected.length}`];
  return [
    ...compared(id, ORDER, order, row),
    ...expected.flatMap(({ condition, line }) => {
      const found = own.find(
        (one) =>
          one['Condition_Sequence_Number__c'] === (condition['sequenceNumber'] ?? null) &&
          one['Sequence_Number__c'] === (line['sequenceNumber'] ?? null),
      );
      const name = `${id} ${String(condition['sequenceNumber'])}/${String(line['sequenceNumber'])}`;
      if (found === undefined) return [`${name} is not there`];
      const isPriced = found['Currency__c'] === order['currency'];
      return [
        ...(isPriced ? [] : [`${name}: its currency is not the order's`]),
        ...compared(name, CONDITION, condition, found),
        ...compared(name, LINE, line, found),
      ];
    }),
  ];
}

function compared(name: string, of: readonly Column[], source: Json, row: Json): readonly string[] {
  return of.flatMap(({ path, field, kind }) => {
    const value = path.reduce<unknown>((inner, key) => (inner as Json | null | undefined)?.[key], source);
    const shown = row[field] ?? null;
    return isShown(value, shown, kind) ? [] : [`${name}: ${field} shows ${String(shown)} for ${String(value)}`];
  });
}

function isShown(value: unknown, shown: unknown, kind: string): boolean {
  if (value === undefined || value === null || value === '') return shown === null;
  if (kind === 'number') return typeof shown === 'number' && Math.abs(shown - Number(value)) < 0.00501;
  if (kind === 'flag') return shown === (value === true ? 'Yes' : 'No');
  if (kind === 'instant')
    return Math.floor(Date.parse(String(value)) / 1000) === Math.floor(Date.parse(String(shown)) / 1000);
  return shown === String(value).trim();
}

function listAt(of: Json, key: string): readonly Json[] {
  return (of[key] as readonly Json[] | null | undefined) ?? [];
}

function masterOf(line: Json): unknown {
  return (line['Vendor_Order__r'] as Json | null)?.['Vendor_Order_Id__c'];
}

function idOf(order: Json): string {
  return String((order['transaction'] as Json)['id']);
}
