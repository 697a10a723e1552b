import { Decimal } from 'decimal.js';
import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { readAmount } from '../../domain/values/amount.ts';

/** Fields of an order from which the opportunity's totals are computed. */
export const TOTALLED_FIELDS = [
  'Net_Amount__c',
  'Currency__c',
  'Booked__c',
  'Status__c',
  'Vendor_Modified__c',
  'Vendor_Order_Id__c',
] as const;

/** The opportunity's fields that summarise its orders. */
export const TOTAL_FIELDS = [
  'Vendor_Order_Count__c',
  'Vendor_Booked_Amount__c',
  'Vendor_Booked_Currency__c',
  'Vendor_Last_Order_Status__c',
  'Vendor_Last_Order_Change__c',
] as const;

/** The statuses of orders that were not sold in the end, as codes of version 1 and names of version 0 of the API (order spec 2.6). */
const NOT_SOLD: ReadonlySet<string> = new Set([
  ...['CAN', 'Cancelled'],
  ...['CCD', 'Discarded'],
  ...['RFD', 'Finance Refused'],
  ...['CRFU', 'Consent Refused'],
  ...['QUOR', 'Quote Rejected'],
]);

/**
 * The totals of an opportunity's orders: the number of all orders, the status and time of the last change, and the booked amount. The
 * booked amount adds up the orders that the vendor's finance department approved and that were not cancelled, discarded or refused
 * afterwards (order spec 2.2). If these orders have several currencies, the amount is null and the currency field lists the currencies.
 * Pure.
 */
export function orderTotals(orders: readonly CrmFields[]): CrmFields {
  const booked = orders.filter(
    (order) => textOf(order, 'Booked__c') !== '' && !NOT_SOLD.has(textOf(order, 'Status__c')),
  );
  const currencies = [...new Set(booked.map((order) => textOf(order, 'Currency__c')))].sort();
  const amounts = booked.flatMap((order) =>
    typeof order['Net_Amount__c'] === 'number' ? [order['Net_Amount__c']] : [],
  );
  const sum = amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
  const [last] = [...orders].sort(latestFirst);
  return {
    Vendor_Order_Count__c: orders.length,
    Vendor_Booked_Amount__c:
      currencies.length === 1 && amounts.length > 0 ? Number(readAmount(sum.toFixed(), currencies[0] ?? '')) : null,
    Vendor_Booked_Currency__c: currencies.join(', ') || null,
    Vendor_Last_Order_Status__c: last?.['Status__c'] ?? null,
    Vendor_Last_Order_Change__c: last?.['Vendor_Modified__c'] ?? null,
  };
}

/** Compares two orders, the latest first. Salesforce's timestamps sort as text; within one second the greater id is later. */
function latestFirst(a: CrmFields, b: CrmFields): number {
  const of = (order: CrmFields): string =>
    `${textOf(order, 'Vendor_Modified__c')} ${textOf(order, 'Vendor_Order_Id__c')}`;
  return of(a) < of(b) ? 1 : -1;
}

function textOf(order: CrmFields, field: string): string {
  const value = order[field];
  return typeof value === 'string' ? value : '';
}
