/**
 * The first load of orders: the orders from before the tenant was connected. They are searched by creation date, beginning with the day in
 * the tenant file (`vendor.ordersSince`), and then read one by one. While an operator has paused the first load, Lockstep still reads
 * orders that change. Pure; `now` is an ISO instant.
 */

/** The name under which the ledger (Lockstep's database) stores an operator's pause of the first load of orders, in its table `cursors`. */
export const LOAD_PAUSE = 'paused loadOrders';
/** An operator's pause of the first load of orders. `since`: when the operator paused the load, ISO. */
export type LoadPause = { readonly since: string };

/**
 * How far the first load has searched for orders. `since`: the day from which orders are wanted, `YYYY-MM-DD`; null if the tenant file
 * contains none. `until`: the creation date up to which orders were searched.
 */
export type LoadCursor = { readonly since: string | null; readonly at: { readonly until: string } };

/**
 * How far the first load has searched for orders, if the tenant file contains the day from which orders are wanted. `since`: this day;
 * `until`: the creation date up to which orders were searched.
 */
export type LoadedUntil = { readonly since: string; readonly until: string };

export function loadedUntil(cursor: LoadCursor | null): LoadedUntil | null {
  return cursor === null || cursor.since === null ? null : { since: cursor.since, until: cursor.at.until };
}

/** The progress of the search for orders in the first load (of the orders from before the tenant was connected). */
export type LoadSearch = {
  /** The day from which orders are wanted, as `YYYY-MM-DD`. */
  readonly since: string;
  readonly searchedUntil: string;
  /** How much of the time from `since` until now was searched for orders, in whole percent. */
  readonly percent: number;
};

/**
 * The progress of the first load's search for orders at `now`. Null if the search has not begun, or if the tenant file does not say from
 * which day orders are wanted.
 */
export function searchOf(loaded: LoadedUntil | null, now: string): LoadSearch | null {
  if (loaded === null) return null;
  const { since, until: searchedUntil } = loaded;
  const [fromMs, untilMs] = [Date.parse(since), Date.parse(searchedUntil)];
  const share = (untilMs - fromMs) / Math.max(1, Date.parse(now) - fromMs);
  // Less than a day is left, so the search has reached the present.
  const isThere = Date.parse(now) - untilMs < DAY_MS;
  return {
    since,
    searchedUntil,
    percent: isThere ? 100 : Math.max(0, Math.min(99, Math.floor(share * 100))),
  };
}

const DAY_MS = 86_400_000;

/** The facts from the ledger (Lockstep's database) and the tenant file that decide the state of a tenant's first load of orders. */
export type LoadFacts = {
  /** The day in the tenant file from which orders are wanted, as `YYYY-MM-DD`; null if there is none. */
  readonly wantedSince: string | null;
  readonly search: LoadSearch | null;
  /** The number of orders that the search found and whose details were not read yet. */
  readonly toLoad: number;
  readonly pause: LoadPause | null;
};

export type LoadState = 'none' | 'running' | 'paused' | 'done';

/**
 * The state of the first load of orders. If the search began at another day than the tenant file names now, the load counts as `running`,
 * because the search for the new day is not complete.
 */
export function loadState({ wantedSince, search, toLoad, pause }: LoadFacts): LoadState {
  if (pause !== null) return 'paused';
  if (wantedSince === null) return 'none';
  return search?.since === wantedSince && search.percent === 100 && toLoad === 0 ? 'done' : 'running';
}

export type LoadWord = 'pause' | 'resume';
/**
 * The answer to an operator's command `pause` or `resume`. `followed`: executed. `as-it-was`: nothing to change, because the load was
 * paused already (or, for `resume`, not paused). `nothing-to-pause`: no load is running.
 */
export type LoadAnswer = 'followed' | 'as-it-was' | 'nothing-to-pause';

export function answerTo(word: LoadWord, state: LoadState): LoadAnswer {
  const isPaused = state === 'paused';
  if ((word === 'pause') === isPaused) return 'as-it-was';
  return isPaused || state === 'running' ? 'followed' : 'nothing-to-pause';
}
