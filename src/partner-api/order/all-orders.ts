import { listFailure } from '../all-pages.ts';
import { type PagedList, readAll, readPass } from '../paging.ts';
import type { CallOptions } from '../result.ts';
import type { SearchOrdersInput } from './inputs.ts';
import type { OrderSummary } from './order-answers.ts';
import type { searchOrders } from './orders.ts';
import { halveCriteria, splitCriteria } from './windows.ts';

const TOP = 100;

/**
 * A key that identifies an order in one state: its id and the time of its last update. Neighbouring time windows overlap, so an order may
 * be read twice; by the key, it is yielded only once. If the order was updated between the two reads, it has another key and is yielded
 * again.
 */
const keyOf = (order: OrderSummary): string => `${order.transaction.id} ${order.lastUpdateDateTime ?? ''}`;

/**
 * Makes the function that yields all orders that meet the criteria, read with version 1 of the API. If a time range is longer than the
 * documents allow (order spec 4.2), it is read in windows of allowed length, oldest first. Orders may move from one page to another during
 * the read of a window, so that some are missed. This is noticed, because each page must begin with the last order of the page before it.
 * If orders have moved, the window is read again as two halves. A window of less than four seconds, or with an open end, is read again as a
 * whole, up to five times. An order that is updated meanwhile may be yielded again in its newer state.
 */
export function allOrders(search: ReturnType<typeof searchOrders>, now: () => Date) {
  return async function* (criteria: SearchOrdersInput, options?: CallOptions): AsyncGenerator<OrderSummary, void> {
    let previous = new Set<string>();
    for (const window of splitCriteria(criteria, now())) {
      const seen = new Set<string>();
      for await (const order of readWindow(search, window, seen, options)) {
        if (!previous.has(keyOf(order))) yield order;
      }
      previous = seen;
    }
  };
}

async function* readWindow(
  search: ReturnType<typeof searchOrders>,
  criteria: SearchOrdersInput,
  seen: Set<string>,
  options: CallOptions | undefined,
): AsyncGenerator<OrderSummary, void> {
  const list: PagedList<OrderSummary> = {
    fetchPage: (skip, top) => search({ ...criteria, skip, top }, { signal: options?.signal }),
    keyOf,
    top: TOP,
    failure: listFailure({ operation: 'searchOrders', domain: 'order' }),
  };
  if (yield* readPass(list, seen)) return;
  const halves = halveCriteria(criteria);
  if (halves === null) {
    yield* readAll(list, seen);
    return;
  }
  for (const half of halves) yield* readWindow(search, half, seen, options);
}
