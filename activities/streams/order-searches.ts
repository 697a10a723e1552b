import type { Period } from '../../src/domain/streams/period-cursor.ts';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';
import type { DueDetail } from '../../src/ledger/mirror/mirror-ledger.ts';
import { ORDER_MIRROR } from '../../src/mirror/orders/order-mirror.ts';
import type { SearchOrdersInput } from '../../src/partner-api/index.ts';
import { isInstant } from '../support/vendor-time.ts';
import type { ChangeStream, Reading, Sink, StreamOf } from './stream.ts';
import { vendorPages } from './vendor-periods.ts';

const READ_BY = 'pullOrders';

type OfOrders = StreamOf<VendorStreamRow & { readonly reads: 'vendor-order' }>;
type Search = {
  readonly criteria: (period: Period) => SearchOrdersInput;
  readonly longestMs?: number;
};

/**
 * A stream that finds orders by searches over periods of time (order spec 4.2). Each found order has the time of its last update, or null
 * if the vendor sends no valid time. The ledger (Lockstep's database) compares this time in order to know whether the order's details must
 * be read again.
 */
export function orderPages(stream: OfOrders, search: Search): ChangeStream<object, DueDetail> {
  const pages = vendorPages(stream, {
    ...search,
    operation: (vendor) => vendor.searchOrders,
    row: ({ transaction: { id }, lastUpdateDateTime }) => {
      const stamp = isInstant(lastUpdateDateTime) ? new Date(lastUpdateDateTime).toISOString() : null;
      return { id, stamp, item: { rowId: id, stamp } };
    },
  }) as ChangeStream<object, DueDetail>;
  return {
    ...pages,
    readPage: async (cursor) => {
      const page = await pages.readPage(cursor);
      const unusable = page.items.flatMap(({ rowId }) => (isOrderId(rowId) ? [] : [rowId]));
      return { ...page, items: page.items.filter(({ rowId }) => isOrderId(rowId)), unusable };
    },
  };
}

/**
 * Whether an order id is short and plain enough for a request path and the ledger (Lockstep's database). The vendor's documents show ids of
 * at most 13 characters (order spec 2.2).
 */
export function isOrderId(id: string): boolean {
  return /^[\x21-\x7e]{1,100}$/.test(id);
}

/**
 * A sink (receiver of a stream's pages) that notes the found orders, so that their details are read, and moves the cursor. `isReader`:
 * whether this stream itself reads the details, so that it must run again after it found orders.
 */
export function dueOrders({ deps, runtime }: Reading, isReader: boolean): Sink<DueDetail> {
  const { tenant } = runtime.tenant;
  let due = 0;
  return {
    begin: async () => true,
    take: async (rows, move) => {
      const found = { stream: READ_BY, object: ORDER_MIRROR.object, isOfLoad: !isReader };
      due += await deps.ledger.markDetails(tenant, found, rows, move, deps.now());
    },
    finish: async () => ({ found: due, ...(isReader && due > 0 ? { isUnfinished: true as const } : {}) }),
  };
}
