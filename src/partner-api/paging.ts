import { type PageStart, pageAfter } from './page-after.ts';
import type { Result } from './result.ts';

/**
 * A list that is read page by page: how to fetch a page, how to identify a row, the page size, and the error for a list that cannot be read
 * completely.
 */
export type PagedList<Item> = {
  readonly fetchPage: (skip: number, top: number) => Promise<Result<readonly Item[]>>;
  /** The key that identifies a row. */
  readonly keyOf: (item: Item) => string;
  /**
   * The page size: the largest one that the operation allows. It must be at least 2, because each page repeats the last row of the page
   * before it. With one row, a page would contain no new row.
   */
  readonly top: number;
  readonly failure: (code: ListFailure) => Error;
};

/** Why a list was not read to its end: its rows moved at every attempt, or it has too many pages. */
export type ListFailure = 'PAGES_MOVED' | 'LIST_TOO_LONG';

/**
 * The maximum number of pages, without the last page, that may be less than half full. A list that shrinks while it is read has a few such
 * pages. A list with more counts as endless.
 */
const MOST_SHORT_PAGES = 100;

/** A list with more pages than this counts as endless. The longest documented list has a few dozen pages. */
const MOST_PAGES = 10_000;

/**
 * Reads a list once, from its first page to its last, and yields the rows whose keys are not in `seen` yet; it adds these keys to `seen`.
 * Returns true at the end of the list. Returns false as soon as `pageAfter` shows that rows moved between two pages, because some may have
 * been skipped. Keeps one page and the keys in memory. Throws LIST_TOO_LONG if the list seems endless: after ten thousand pages, or after
 * more than a hundred pages that are less than half full. A list that shrinks while it is read has only a few such pages.
 */
export async function* readPass<Item>(
  { fetchPage, keyOf, top, failure }: PagedList<Item>,
  seen: Set<string>,
): AsyncGenerator<Item, boolean> {
  let start: PageStart = { skip: 0, shared: null };
  let count: number | null = null;
  let short = 0;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data, info } = await fetchPage(start.skip, top);
    count = info.estimatedSearchCount ?? count;
    const next = pageAfter(start, data.map(keyOf), { top, count });
    if (next === 'moved') return false;
    yield* unseen(data, keyOf, seen);
    if (next === null) return true;
    if (data.length < top / 2) short += 1;
    if (short > MOST_SHORT_PAGES) throw failure('LIST_TOO_LONG');
    start = next;
  }
  throw failure('LIST_TOO_LONG');
}

/**
 * Yields every row of a list once. If rows move between two pages, the list is read again, up to `attempts` times. Then PAGES_MOVED is
 * thrown, because rows may be missing.
 */
export async function* readAll<Item>(
  list: PagedList<Item>,
  seen: Set<string>,
  attempts = 5,
): AsyncGenerator<Item, void> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (yield* readPass(list, seen)) return;
  }
  throw list.failure('PAGES_MOVED');
}

function* unseen<Item>(data: readonly Item[], keyOf: (item: Item) => string, seen: Set<string>): Generator<Item> {
  for (const item of data) {
    const key = keyOf(item);
    if (seen.has(key)) continue;
    seen.add(key);
    yield item;
  }
}
