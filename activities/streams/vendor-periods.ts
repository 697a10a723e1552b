import { log } from '@temporalio/activity';
import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type PeriodCursor,
  type PeriodRules,
  type PeriodSearch,
} from '../../src/domain/streams/period-cursor.ts';
import { pageAfter } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { ChangeStream } from './stream.ts';

/** One answer to a search by a period of modification. */
export type FoundRows<Item> = {
  readonly items: readonly Item[];
  /** What stands in the place of ids, and is none. */
  readonly unusable?: readonly string[];
  /** The vendor's time of the answer; null where it tells none. */
  readonly vendorNow: string | null;
  /** Where the search pages: what tells its rows apart, the largest page, and how many rows there are if the vendor says. */
  readonly page?: { readonly keys: readonly string[]; readonly top: number; readonly count: number | null };
};

export type PeriodSource<Item> = PeriodRules & {
  /** What the cursor is stored under. */
  readonly name: string;
  /** One request: the rows of a period, or a page of them from `skip` on. */
  readonly search: (period: PeriodSearch['period'], skip: number) => Promise<FoundRows<Item>>;
  /** Rows that became visible late and were not taken in since that instant, by our clock; all where it is absent. */
  readonly notTakenSince?: (items: readonly Item[], since: string) => Promise<readonly Item[]>;
};

/** A stream of what the vendor finds by a period of modification: one request a page. */
export function vendorPeriods<Item>(
  { now }: Pick<ActivityDeps, 'now'>,
  source: PeriodSource<Item>,
): ChangeStream<PeriodCursor, Item> {
  return {
    name: source.name,
    first: firstPeriodCursor,
    readPage: async (cursor) => {
      const next = nextSearch(cursor, now(), source);
      const start = next.page ?? { skip: 0, shared: null };
      const { items, unusable = [], vendorNow, page } = await source.search(next.period, start.skip);
      const follows = page === undefined ? null : pageAfter(start, page.keys, page);
      const answered = { vendorNow, answeredAt: now(), follows };
      const { answeredAt } = cursor;
      // A reading shows what it shows: only one that comes after the whole period was past for the overlap is enough.
      const isKnown = next.kind === 'late' && answeredAt !== undefined && source.notTakenSince !== undefined;
      const taken = isKnown ? await source.notTakenSince(items, answeredAt) : items;
      const after = afterSearch(cursor, next, answered, source);
      if (follows === 'moved' && !after.more)
        log.warn('rows moved while they were paged; they are read again', { stream: source.name });
      return { items: taken, unusable, ...after };
    },
  };
}
