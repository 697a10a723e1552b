import { crmRows } from '../../activities/streams/crm-rows.ts';
import { readInto, type StreamOf, type StreamReader } from '../../activities/streams/stream.ts';
import { vendorPages } from '../../activities/streams/vendor-periods.ts';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';

/**
 * A stream from the vendor into an object of the CRM, as CONTRIBUTING.md asks for one: what its row in `STREAMS` would be, and
 * what its file in `activities/streams/` would hold. There its type is `StreamSource<'pullOrders'>`, and nothing else differs.
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

/** Searches the orders that changed at the vendor, and keeps them in the CRM. */
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
