import { type LoadedUntil, type LoadSearch, searchOf } from '../../domain/streams/orders-load.ts';
import type { MirrorCounts } from '../../ledger/mirror/mirror-ledger.ts';

/**
 * How far the vendor's orders have come into the CRM: orders that it shows (`shown`), that were found and whose details are to be read
 * (`toRead`, those of the first load among them: `toLoad`), and rows, of orders and of their lines, that the CRM is to be given (`toWrite`).
 */
export type OrdersProgress = MirrorCounts & {
  /** The search by creation; null where no day is named from which on orders are wanted. */
  readonly load: LoadSearch | null;
  /** Since when an operator has the first load wait, ISO; null where it does not. */
  readonly pausedSince: string | null;
};

/** What is kept of the load: how far it has searched, null where no day is named; `pausedSince` as in the answer. */
export type LoadKept = { readonly loaded: LoadedUntil | null; readonly pausedSince: string | null };

/** Null where no order was ever found. `now` is an ISO instant. */
export function ordersProgress(
  counts: MirrorCounts,
  { loaded, pausedSince }: LoadKept,
  now: string,
): OrdersProgress | null {
  const load = searchOf(loaded, now);
  const isBegun = counts.shown + counts.toRead + counts.toWrite > 0 || (load !== null && load.percent < 100);
  return isBegun || pausedSince !== null ? { ...counts, load, pausedSince } : null;
}
