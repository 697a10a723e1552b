import type { Ledger } from '../ledger/ledger.ts';

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

type LoadCursor = { readonly since: string | null; readonly at: { readonly until: string } };

/** Null where no order was ever found. `now` is an ISO instant. */
export async function readOrdersProgress(
  ledger: Pick<Ledger, 'cursor' | 'countMirrored'>,
  tenant: string,
  now: string,
): Promise<OrdersProgress | null> {
  const counts = await ledger.countMirrored(tenant);
  const cursor = (await ledger.cursor(tenant, 'loadOrders')) as LoadCursor | null;
  const load = loadOf(cursor, now);
  const isBegun = counts.shown + counts.toRead + counts.toWrite > 0 || (load !== null && load.percent < 100);
  return isBegun ? { ...counts, load } : null;
}

function loadOf(cursor: LoadCursor | null, now: string): OrdersProgress['load'] {
  if (cursor === null || cursor.since === null) return null;
  const { since } = cursor;
  const searchedUntil = cursor.at.until;
  const [fromMs, untilMs] = [Date.parse(since), Date.parse(searchedUntil)];
  const share = (untilMs - fromMs) / Math.max(1, Date.parse(now) - fromMs);
  // What is left of the last hours is the present.
  const isThere = Date.parse(now) - untilMs < DAY_MS;
  return {
    since,
    searchedUntil,
    percent: isThere ? 100 : Math.max(0, Math.min(99, Math.floor(share * 100))),
  };
}

const DAY_MS = 86_400_000;
