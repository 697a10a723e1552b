import type { MirrorCounts } from '../ledger/mirror-ledger.ts';

/** How far the vendor's orders have come into the CRM. */
export type OrdersProgress = {
  /** Orders that the CRM shows. */
  readonly shown: number;
  /** Orders that were found, and whose details are to be read. */
  readonly toRead: number;
  /** Rows, of orders and of their lines, that the CRM is to be given. */
  readonly toWrite: number;
  /** The search by creation; null where no day is named from which on orders are wanted. */
  readonly load: {
    /** A day. */
    readonly since: string;
    readonly searchedUntil: string;
    /** Of the time since, whole percent. */
    readonly percent: number;
  } | null;
};

/** What the cursor of `loadOrders` says: from which day on orders are wanted, and until when they were searched. */
export type OrdersLoaded = { readonly since: string; readonly until: string };

/** Null where no order was ever found. `loaded`: null where no day is named. `now` is an ISO instant. */
export function ordersProgress(
  counts: MirrorCounts,
  loaded: OrdersLoaded | null,
  now: string,
): OrdersProgress | null {
  const load = loaded === null ? null : loadOf(loaded, now);
  const isBegun = counts.shown + counts.toRead + counts.toWrite > 0 || (load !== null && load.percent < 100);
  return isBegun ? { ...counts, load } : null;
}

function loadOf({ since, until }: OrdersLoaded, now: string): NonNullable<OrdersProgress['load']> {
  const [fromMs, untilMs] = [Date.parse(since), Date.parse(until)];
  const share = (untilMs - fromMs) / Math.max(1, Date.parse(now) - fromMs);
  // What is left of the last hours is the present.
  const isThere = Date.parse(now) - untilMs < DAY_MS;
  return {
    since,
    searchedUntil: until,
    percent: isThere ? 100 : Math.max(0, Math.min(99, Math.floor(share * 100))),
  };
}

const DAY_MS = 86_400_000;
