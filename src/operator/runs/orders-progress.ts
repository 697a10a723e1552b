import { type LoadedUntil, type LoadSearch, searchOf } from '../../domain/streams/orders-load.ts';
import type { MirrorCounts } from '../../ledger/mirror/mirror-ledger.ts';

/**
 * How far a tenant's orders were transferred. Besides the counts of the ledger: how many orders the CRM shows, how many must still be read
 * (of these, `toLoad` were found only by the first load), and how many rows must still be written to the CRM.
 */
export type OrdersProgress = MirrorCounts & {
  /** How far the first load's search by creation date has come; null if the tenant file names no day from which to load orders. */
  readonly load: LoadSearch | null;
  /** When an operator paused the first load, ISO; null if it is not paused. */
  readonly pausedSince: string | null;
};

/**
 * What the ledger stores about the first load of orders. `loaded`: how far the load's search has come; null if the tenant file names no day
 * from which to load. `pausedSince`: when an operator paused the load; null if it is not paused.
 */
export type LoadKept = { readonly loaded: LoadedUntil | null; readonly pausedSince: string | null };

/** The progress of a tenant's orders; null if no order was ever found. `now` is an ISO instant. */
export function ordersProgress(
  counts: MirrorCounts,
  { loaded, pausedSince }: LoadKept,
  now: string,
): OrdersProgress | null {
  const load = searchOf(loaded, now);
  const isBegun = counts.shown + counts.toRead + counts.toWrite > 0 || (load !== null && load.percent < 100);
  return isBegun || pausedSince !== null ? { ...counts, load, pausedSince } : null;
}
