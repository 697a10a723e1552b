import { crmRows } from '../../activities/streams/crm-rows.ts';
import { readInto, type StreamOf, type StreamReader } from '../../activities/streams/stream.ts';
import { vendorPages } from '../../activities/streams/vendor-periods.ts';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';

/**
 * An example stream from the vendor into a CRM object, as CONTRIBUTING.md describes: its would-be row in `STREAMS`, and the content of its
 * file in `activities/streams/`. Only the type differs: there it is `StreamSource<'pullOrders'>`.
 */
export const PULL_ORDERS = {
  activity: 'searchVendorOrders',
  reads: 'vendor-order',
  every: 300_000,
  summary: 'search changed orders',
  into: {
    object: 'Vendor_Order__c',
    externalId: 'Vendor_Order_Id__c',
    fields: ['Status__c', 'Ordered__c', 'Currency__c'],
  },
} as const satisfies VendorStreamRow;

/** Searches changed orders at the vendor and writes them to the CRM. */
export const vendorOrders = (stream: StreamOf<typeof PULL_ORDERS>): StreamReader => {
  const orders = vendorPages(stream, {
    operation: (vendor) => vendor.searchOrders,
    criteria: ({ fromDate, toDate }) => ({ lastUpdateDateTime: { from: fromDate, to: toDate } }),
    row: ({ transaction, lastUpdateDateTime, creationDateTime, currency }) => ({
      id: transaction.id,
      stamp: lastUpdateDateTime,
      item: {
        Vendor_Order_Id__c: transaction.id,
        Status__c: transaction.status?.code ?? null,
        Ordered__c: creationDateTime,
        Currency__c: currency,
      },
    }),
  });
  return readInto(stream, [orders], crmRows(stream));
};
