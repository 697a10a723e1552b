/**
 * The first load of orders: the orders from before the tenant was connected. They are searched by creation date, beginning with the day
 * that the tenant file names, and then read. While an operator has paused the first load, orders that change are still read. Pure; `now` is
 * an ISO instant.
 */

/** The ledger's cursor name for an operator's pause of the first load. */
export const LOAD_PAUSE = 'paused loadOrders';
/** An operator's pause of the first load. `since`: when it was paused, ISO. */
export type LoadPause = { readonly since: string };

/**
 * The cursor of the first load. `since`: the first day whose orders are wanted; null if the tenant file names none. `until`: the creation
 * date up to which orders were searched.
 */
export type LoadCursor = { readonly since: string | null; readonly at: { readonly until: string } };

/** The cursor of a first load for which the tenant file names the first day of wanted orders. */
export type LoadedUntil = { readonly since: string; readonly until: string };

export function loadedUntil(cursor: LoadCursor | null): LoadedUntil | null {
  return cursor === null || cursor.since === null ? null : { since: cursor.since, until: cursor.at.until };
}

/** The progress of the first load's search. */
export type LoadSearch = {
  /** The day from which orders are wanted, as `YYYY-MM-DD`. */
  readonly since: string;
  readonly searchedUntil: string;
  /** How much of the time from `since` until now was searched, in whole percent. */
  readonly percent: number;
};

/** The progress of the search at `now`. Null if no search has begun, or if the tenant file names no first day. */
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

/** What the ledger and the tenant file say about a tenant's first load. */
export type LoadFacts = {
  /** The first day of wanted orders in the tenant file; null if it names none. */
  readonly wantedSince: string | null;
  readonly search: LoadSearch | null;
  /** Orders that the search found and no reader has read yet. */
  readonly toLoad: number;
  readonly pause: LoadPause | null;
};

export type LoadState = 'none' | 'running' | 'paused' | 'done';

/** The state of the first load. If the search began at another day than the tenant file now names, the load is still `running`. */
export function loadState({ wantedSince, search, toLoad, pause }: LoadFacts): LoadState {
  if (pause !== null) return 'paused';
  if (wantedSince === null) return 'none';
  return search?.since === wantedSince && search.percent === 100 && toLoad === 0 ? 'done' : 'running';
}

export type LoadWord = 'pause' | 'resume';
/**
 * The answer to an operator's `pause` or `resume`. `followed`: executed. `as-it-was`: the load was already in that state.
 * `nothing-to-pause`: there is no load.
 */
export type LoadAnswer = 'followed' | 'as-it-was' | 'nothing-to-pause';

export function answerTo(word: LoadWord, state: LoadState): LoadAnswer {
  const isPaused = state === 'paused';
  if ((word === 'pause') === isPaused) return 'as-it-was';
  return isPaused || state === 'running' ? 'followed' : 'nothing-to-pause';
}
