import { firstPeriodCursor, type Period } from '../../src/domain/streams/period-cursor.ts';
import { dueOrders, orderPages } from './order-searches.ts';
import { type ChangeStream, readInto, type StreamSource } from './stream.ts';

/** Order spec 4.2, by the creation. */
const LONGEST_MS = 7 * 86_400_000;

/** Since when orders are wanted, and how far they were searched. A tenant that wants older ones has all searched anew. */
type LoadCursor = { readonly since: string | null; readonly at: object };

/**
 * Searches orders by their creation, from the day on that the tenant file names, and notes those that were not read: the
 * years before the tenant came, and orders that no search by the last update shows, because they have none (order spec 2.2).
 * Their details are `pullOrders`'s work.
 */
export const createdOrders: StreamSource<'loadOrders'> = (stream) => {
  const since = stream.runtime.tenant.vendor.ordersSince ?? null;
  const pages = orderPages(stream, {
    criteria: ({ fromDate, toDate }: Period) => ({ creationDateTime: { from: fromDate, to: toDate } }),
    longestMs: LONGEST_MS,
  });
  const begin = (now: string): LoadCursor => ({ since, at: begun(since, now) });
  const load = {
    first: begin,
    readPage: async (cursor) => {
      const { at } = cursor.since === since ? cursor : begin(stream.deps.now());
      const page = await pages.readPage(at);
      return { ...page, cursor: { since, at: page.cursor } };
    },
  } satisfies ChangeStream<LoadCursor, unknown>;
  return readInto(stream, [load], dueOrders(stream, false));
};

function begun(since: string | null, now: string): object {
  const recent = firstPeriodCursor(now);
  if (since === null) return recent;
  const from = new Date(`${since}T00:00:00.000Z`).toISOString();
  return from < recent.until ? { until: from, settledUntil: from } : recent;
}
