/**
 * The first load of orders: the years before the tenant came, searched by their creation from the day on that the tenant file names, and
 * then read. A person can have it wait, and it alone: orders that change are read all the same. Pure; `now` is an ISO instant.
 */

/** Where the ledger keeps a person's word that it is to wait, beside the cursors of streams. */
export const LOAD_PAUSE = 'paused loadOrders';
/** Since when it waits, ISO. */
export type LoadPause = { readonly since: string };

/** Since when orders are wanted, a day, and how far they were searched. Null where no day was named. */
export type LoadCursor = { readonly since: string | null; readonly at: { readonly until: string } };

/** The same of a load from a day that was named. */
export type LoadedUntil = { readonly since: string; readonly until: string };

export function loadedUntil(cursor: LoadCursor | null): LoadedUntil | null {
  return cursor === null || cursor.since === null ? null : { since: cursor.since, until: cursor.at.until };
}

/** How far the search is. */
export type LoadSearch = {
  /** A day. */
  readonly since: string;
  readonly searchedUntil: string;
  /** Of the time since, whole percent. */
  readonly percent: number;
};

/** How far the search is by `now`; null where none was begun from a day that was named. */
export function searchOf(loaded: LoadedUntil | null, now: string): LoadSearch | null {
  if (loaded === null) return null;
  const { since, until: searchedUntil } = loaded;
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

/** What is known of a tenant's load. */
export type LoadFacts = {
  /** The day that the tenant file names; null where it names none. */
  readonly wantedSince: string | null;
  readonly search: LoadSearch | null;
  /** Orders that it has found and that are still to be read. */
  readonly toLoad: number;
  readonly pause: LoadPause | null;
};

export type LoadState = 'none' | 'running' | 'paused' | 'done';

/** Where the load stands; one from another day than the search's is still to be searched. */
export function loadState({ wantedSince, search, toLoad, pause }: LoadFacts): LoadState {
  if (pause !== null) return 'paused';
  if (wantedSince === null) return 'none';
  return search?.since === wantedSince && search.percent === 100 && toLoad === 0 ? 'done' : 'running';
}

export type LoadWord = 'pause' | 'resume';
/** What a person's word comes to: it is followed, it is as they say already, or there is nothing that could be paused. */
export type LoadAnswer = 'followed' | 'as-it-was' | 'nothing-to-pause';

export function answerTo(word: LoadWord, state: LoadState): LoadAnswer {
  const isPaused = state === 'paused';
  if ((word === 'pause') === isPaused) return 'as-it-was';
  return isPaused || state === 'running' ? 'followed' : 'nothing-to-pause';
}
