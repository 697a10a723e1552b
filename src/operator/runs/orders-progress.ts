import { type LoadedUntil, type LoadSearch, searchOf } from '../../domain/streams/orders-load.ts';
import type { MirrorCounts } from '../../ledger/mirror/mirror-ledger.ts';

/**
 * How many orders the CRM shows, how many must still be read (`toLoad`: of these, those that only the first load has found), and how many
 * rows must still be written to the CRM.
 */
export type OrdersProgress = MirrorCounts & {
  /** How far the first load's search by creation date has come; null if the tenant file names no day from which to load orders. */
  readonly load: LoadSearch | null;
  /** When an operator paused the first load, ISO; null if it is not paused. */
  readonly pausedSince: string | null;
};

/**
 * What the ledger stores about the first load of orders. `loaded`: how far its search has come; null if the tenant file names no first day.
 * `pausedSince`: null if it is not paused.
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
