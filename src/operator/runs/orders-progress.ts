import { type LoadedUntil, type LoadSearch, searchOf } from '../../domain/streams/orders-load.ts';
import type { MirrorCounts } from '../../ledger/mirror/mirror-ledger.ts';

/**
 * How many of a tenant's orders Lockstep has copied into the CRM. `MirrorCounts` contains the ledger's counts: orders in the CRM (`shown`),
 * orders whose details must still be read (`toRead`), and rows that must still be written to the CRM (`toWrite`). `toLoad` is the part of
 * `toRead` that only the first load (of old orders) has found.
 */
export type OrdersProgress = MirrorCounts & {
  /** How far the first load's search by creation date has come; null if the tenant file names no day from which to load orders. */
  readonly load: LoadSearch | null;
  /** When an operator paused the first load, ISO; null if it is not paused. */
  readonly pausedSince: string | null;
};

/**
 * The data in the ledger (Lockstep's database) about the first load of orders. `loaded`: how far the load's search has come; null if the
 * tenant file names no day from which to load, or if no search has begun. `pausedSince`: when an operator paused the load, ISO; null if it
 * is not paused.
 */
export type LoadKept = { readonly loaded: LoadedUntil | null; readonly pausedSince: string | null };

/**
 * How many of a tenant's orders were copied into the CRM. Null if no order was found yet and no first load is running or paused. `now`:
 * ISO.
 */
export function ordersProgress(
  counts: MirrorCounts,
  { loaded, pausedSince }: LoadKept,
  now: string,
): OrdersProgress | null {
  const load = searchOf(loaded, now);
  const isBegun = counts.shown + counts.toRead + counts.toWrite > 0 || (load !== null && load.percent < 100);
  return isBegun || pausedSince !== null ? { ...counts, load, pausedSince } : null;
}
