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

/** How far a tenant's first load of orders has come, as an operator sees it. */
export type LoadReport = {
  readonly shape: 'load-orders/1';
  readonly tenant: string;
  /** `asked`: the operator's command; null if the operator only asked for the state. `changed`: whether the command changed anything. */
  readonly asked: LoadWord | null;
  readonly changed: boolean;
  readonly state: LoadState;
  /** The day from which orders are searched; null if the tenant file names none. */
  readonly since: string | null;
  /**
   * How far the search for orders has come: the creation date up to which orders were searched (ISO), and the searched percentage of the
   * time since `since`. Both are null before the search begins.
   */
  readonly searchedUntil: string | null;
  readonly percent: number | null;
  /** The number of orders that the first load has found and not read yet. */
  readonly toRead: number;
  /** When an operator paused the first load, ISO; null if it is not paused. */
  readonly pausedSince: string | null;
};

/** Thrown if a command on the first load cannot be executed. The message names the reason. */
export class CannotPauseLoad extends Error {
  override readonly name = 'CannotPauseLoad';
}

export type LoadLedger = Pick<StreamLedger, 'cursors'> & Pick<MirrorLedger, 'countMirrored'>;
type LoadTenant = Pick<Tenant, 'tenant'> & { readonly vendor: Pick<Tenant['vendor'], 'ordersSince'> };

/**
 * Reads from the ledger (Lockstep's database) how far the first load of orders has come. `at`: the present instant (ISO), from which the
 * percentage is computed.
 */
export async function ordersLoad(ledger: LoadLedger, { tenant, vendor }: LoadTenant, at: string): Promise<LoadReport> {
  const { toLoad } = await ledger.countMirrored(tenant);
  const [cursor, kept] = await ledger.cursors(tenant, ['loadOrders', LOAD_PAUSE]);
  const load = searchOf(loadedUntil((cursor ?? null) as LoadCursor | null), at);
  const pause = (kept ?? null) as LoadPause | null;
  const wantedSince = vendor.ordersSince ?? null;
  // The stored search does not count if it began at another day than the tenant file names now, because then the load has not started. A
  // paused search is always shown.
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
 * Pauses or resumes the first load of orders. The ledger stores the pause, so it survives restarts. Throws CannotPauseLoad if there is no
 * load to pause. `at`: the present instant, ISO.
 */
export async function controlOrdersLoad(
  { ledger, starts }: LoadPorts,
  of: LoadTenant,
  word: LoadWord,
  at: string,
): Promise<LoadReport> {
  const { tenant } = of;
  const load = await ordersLoad(ledger, of, at);
  const answer = answerTo(word, load.state);
  if (answer === 'as-it-was') return { ...load, asked: word };
  if (answer === 'nothing-to-pause') throw new CannotPauseLoad(whyNot(load));
  if (word === 'pause') {
    await ledger.saveCursor(tenant, LOAD_PAUSE, { since: at } satisfies LoadPause, at);
    // Starts the load's workflow although the load is paused, so that Temporal's UI shows the pause.
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
