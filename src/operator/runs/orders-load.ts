import {
  answerTo,
  LOAD_PAUSE,
  type LoadCursor,
  type LoadPause,
  type LoadState,
  type LoadWord,
  loadedUntil,
  loadState,
  searchOf,
} from '../../domain/streams/orders-load.ts';
import type { StreamStarts } from '../../intake/stream-starts.ts';
import type { MirrorLedger } from '../../ledger/mirror/mirror-ledger.ts';
import type { StreamLedger } from '../../ledger/streams/stream-ledger.ts';
import type { Tenant } from '../../platform/tenant.ts';

/** Where a tenant's first load of orders stands. */
export type LoadReport = {
  readonly shape: 'load-orders/1';
  readonly tenant: string;
  /** A person's word, and whether it made anything otherwise; null where they only looked. */
  readonly asked: LoadWord | null;
  readonly changed: boolean;
  readonly state: LoadState;
  /** The day from which on orders are searched; null where none is named. */
  readonly since: string | null;
  /** ISO, and of the time since, whole percent; null before the search has begun. */
  readonly searchedUntil: string | null;
  readonly percent: number | null;
  /** Orders that it has found and that are still to be read. */
  readonly toRead: number;
  /** Since when an operator has it wait, ISO; null where it does not. */
  readonly pausedSince: string | null;
};

/** A person's word that cannot be followed; the message says why. */
export class CannotPauseLoad extends Error {
  override readonly name = 'CannotPauseLoad';
}

export type LoadLedger = Pick<StreamLedger, 'cursors'> & Pick<MirrorLedger, 'countMirrored'>;
type LoadTenant = Pick<Tenant, 'tenant'> & { readonly vendor: Pick<Tenant['vendor'], 'ordersSince'> };

/** Where it stands. `at` is an ISO instant. */
export async function ordersLoad(
  ledger: LoadLedger,
  { tenant, vendor }: LoadTenant,
  at: string,
): Promise<LoadReport> {
  const { toLoad } = await ledger.countMirrored(tenant);
  const [cursor, kept] = await ledger.cursors(tenant, ['loadOrders', LOAD_PAUSE]);
  const load = searchOf(loadedUntil((cursor ?? null) as LoadCursor | null), at);
  const pause = (kept ?? null) as LoadPause | null;
  const wantedSince = vendor.ordersSince ?? null;
  // Searched anew from another day, it is not begun.
  const search = load?.since === wantedSince || pause !== null ? load : null;
  return {
    ...{ shape: 'load-orders/1', tenant, asked: null, changed: false },
    state: loadState({ wantedSince, search, toLoad, pause }),
    since: search?.since ?? wantedSince,
    searchedUntil: search?.searchedUntil ?? null,
    percent: search?.percent ?? null,
    toRead: toLoad,
    pausedSince: pause?.since ?? null,
  };
}

export type LoadPorts = {
  readonly ledger: LoadLedger & Pick<StreamLedger, 'saveCursor' | 'forgetCursors'>;
  readonly starts: StreamStarts;
};

/**
 * Has it wait or go on, and it alone; what is under way finishes. The word is in the ledger, so that it holds whatever dies. Throws
 * CannotPauseLoad where there is nothing to pause. `at` is an ISO instant.
 */
export async function tellOrdersLoad(
  { ledger, starts }: LoadPorts,
  of: LoadTenant,
  word: LoadWord,
  at: string,
): Promise<LoadReport> {
  const { tenant } = of;
  const told = await ordersLoad(ledger, of, at);
  const answer = answerTo(word, told.state);
  if (answer === 'as-it-was') return { ...told, asked: word };
  if (answer === 'nothing-to-pause') throw new CannotPauseLoad(whyNot(told));
  if (word === 'pause') {
    await ledger.saveCursor(tenant, LOAD_PAUSE, { since: at } satisfies LoadPause, at);
    // Its run says in the Temporal UI that it is paused.
    await starts.start(tenant, 'loadOrders');
  } else {
    await ledger.forgetCursors(tenant, [LOAD_PAUSE]);
    for (const stream of ['loadOrders', 'pullOrders'] as const) await starts.start(tenant, stream);
  }
  return { ...(await ordersLoad(ledger, of, at)), asked: word, changed: true };
}

function whyNot({ tenant, state, since }: LoadReport): string {
  return state === 'none'
    ? `There is no first load of ${tenant}'s orders to pause: its tenant file names no day (vendor.ordersSince).`
    : `The first load of ${tenant}'s orders, since ${since}, is done: there is nothing to pause.`;
}
