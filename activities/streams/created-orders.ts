import { LOAD_PAUSE, type LoadCursor, type LoadPause } from '../../src/domain/streams/orders-load.ts';
import { firstPeriodCursor, type Period } from '../../src/domain/streams/period-cursor.ts';
import { dueOrders, orderPages } from './order-searches.ts';
import { type ChangeStream, readInto, type StreamReader, type StreamSource } from './stream.ts';

/** The longest period, in ms, of a search by creation date (order spec 4.2). */
const LONGEST_MS = 7 * 86_400_000;

/**
 * The cursor of the first load of orders (the load of orders from before the tenant was connected). It contains the first day as the tenant
 * file named it when the load began. If the file names another day now, the load starts again.
 */
type Cursor = LoadCursor & { readonly at: object };

/**
 * The first load of orders: searches all orders by creation date, from the first day in the tenant file, and lists the orders whose details
 * `pullOrders` must read. It also finds orders without a last update, which the search by last update never returns (order spec 2.2). Sends
 * nothing while an operator has paused the load.
 */
export const createdOrders: StreamSource<'loadOrders'> = (stream) => {
  const since = stream.runtime.tenant.vendor.ordersSince ?? null;
  const pages = orderPages(stream, {
    criteria: ({ fromDate, toDate }: Period) => ({ creationDateTime: { from: fromDate, to: toDate } }),
    longestMs: LONGEST_MS,
  });
  const begin = (now: string): Cursor => ({ since, at: begun(since, now) });
  const load = {
    first: begin,
    readPage: async (cursor) => {
      const { at } = cursor.since === since ? cursor : begin(stream.deps.now());
      const page = await pages.readPage(at);
      return { ...page, cursor: { since, at: page.cursor as Cursor['at'] } };
    },
  } satisfies ChangeStream<Cursor, unknown>;
  return unlessPaused(readInto(stream, [load], dueOrders(stream, false)));
};

function unlessPaused({ cursors, read }: StreamReader): StreamReader {
  return {
    cursors: [...cursors, LOAD_PAUSE],
    read: async (pages, stored) => {
      const pause = (stored[cursors.length] ?? null) as LoadPause | null;
      if (pause !== null) return { found: 0, more: false, pausedSince: pause.since };
      return read(pages, stored.slice(0, cursors.length));
    },
  };
}

function begun(since: string | null, now: string): Cursor['at'] {
  const recent = firstPeriodCursor(now);
  if (since === null) return recent;
  const from = new Date(`${since}T00:00:00.000Z`).toISOString();
  const past = { until: from, settledUntil: from };
  return from < recent.until ? past : recent;
}
