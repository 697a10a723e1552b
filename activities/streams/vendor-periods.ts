import { log } from '@temporalio/activity';
import { earlier } from '../../src/domain/streams/look-back.ts';
import {
  afterSearch,
  firstPeriodCursor,
  nextSearch,
  type Period,
  type PeriodCursor,
  type PeriodRules,
} from '../../src/domain/streams/period-cursor.ts';
import { SHORTEST_MS } from '../../src/domain/streams/period-length.ts';
import { type PagedGroup, PERIOD_SEARCHES, type WholeGroup } from '../../src/domain/streams/period-searches.ts';
import type { VendorStreamRow } from '../../src/domain/streams/streams.ts';
import type { RowVersion } from '../../src/ledger/streams/stream-ledger.ts';
import { type CallOptions, pageAfter, type Result } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { vendorTime } from '../support/vendor-time.ts';
import { type ApiOf, askVendor } from './ask-vendor.ts';
import { type FoundRow, settledVersions, unseenOf } from './row-versions.ts';
import type { ChangeStream, StreamOf } from './stream.ts';

type Answer<Data> = Pick<Result<Data>, 'data' | 'date'> & {
  readonly info: Pick<Result<Data>['info'], 'timestamp' | 'estimatedSearchCount'>;
};

/** The rows in one answer to a vendor search. */
export type Found<Item> = {
  readonly items: readonly Item[];
  /** Ids from the vendor that Lockstep cannot store, because they are empty, too long or contain characters that no id has. */
  readonly unusable?: readonly string[];
};

/** A search that returns all rows in one answer. */
export type WholeSearch<Api, Data, Item> = {
  /** Searches the rows that were modified in a period, with one request. */
  readonly search: (vendor: Api, period: Period, options: CallOptions) => Promise<Result<Data>>;
  readonly found: (data: Data) => Found<Item>;
  /**
   * Used when a period is searched a second time, for late changes. Leaves out rows of records that Lockstep will read again anyway: a
   * vendor change has marked them as due, at `since` or later. `since`: when the last search for new changes was answered, by Lockstep's
   * clock, ISO. Without this function, no row is left out.
   */
  readonly ignoredBySideSince?: (items: readonly Item[], since: string) => Promise<readonly Item[]>;
};

type Page = { readonly skip: number; readonly top: number };

export type PagedSearch<Api, Criteria, Row, Item> = {
  readonly operation: (vendor: Api) => (input: Criteria & Page, options: CallOptions) => Promise<Result<Row[]>>;
  /** The search criteria for a period, without the position and size of the page. */
  readonly criteria: (period: Period) => Criteria;
  /**
   * The maximum length of a period that one search may cover, in ms. Absent if the limit of the operation group (requests that share a key)
   * applies.
   */
  readonly longestMs?: number;
  readonly row: (row: Row) => FoundRow<Item>;
};

/**
 * Finds changes by searches over periods of modification time. One answer contains all rows of a period. The rules for the periods are in
 * `PERIOD_SEARCHES`.
 */
export function vendorPeriods<Row extends VendorStreamRow & { readonly reads: WholeGroup }, Data, Item>(
  stream: StreamOf<Row>,
  { search, found, ignoredBySideSince }: WholeSearch<ApiOf<Row['reads']>, Data, Item>,
): ChangeStream<PeriodCursor, Item> {
  return periodsOf({
    name: stream.name,
    now: stream.deps.now,
    rules: rulesOf(stream),
    ask: async (period) => {
      const answer = await askVendor(stream, (vendor, options) => search(vendor, period, options));
      return { ...found(answer.data), answer, page: null };
    },
    ...(ignoredBySideSince === undefined ? {} : { ignoredBySideSince }),
  });
}

/**
 * Finds changes by searches over periods of modification time, with one request for each page. The cursor moves only after all rows of a
 * period were read.
 */
export function vendorPages<Row extends VendorStreamRow & { readonly reads: PagedGroup }, Criteria, Shown, Item>(
  stream: StreamOf<Row>,
  { operation, criteria, row, longestMs }: PagedSearch<ApiOf<Row['reads']>, Criteria, Shown, Item>,
): ChangeStream<PeriodCursor, Item> {
  const reads: PagedGroup = stream.row.reads;
  const { top } = PERIOD_SEARCHES[reads];
  return periodsOf({
    name: stream.name,
    now: stream.deps.now,
    rules: { ...rulesOf(stream), ...(longestMs === undefined ? {} : { longestMs }) },
    ask: async (period, skip) => {
      const answer = await askVendor(stream, (vendor, options) =>
        operation(vendor)({ ...criteria(period), skip, top }, options),
      );
      const rows = answer.data.map(row);
      const keys = rows.map(({ id, stamp }) => `${id} ${stamp ?? ''}`);
      const unseen = await unseenOf(stream, rows);
      const seen = settledVersions(unseen, vendorTime(answer));
      return { items: unseen.map(({ item }) => item), answer, page: { keys, top }, seen };
    },
  });
}

/**
 * The rules for a stream's search periods: the limits of its operation group (requests that share a key), and the overlap of neighbouring
 * periods from the tenant file.
 */
function rulesOf({ row, runtime }: StreamOf<VendorStreamRow>): PeriodRules {
  const { longestMs, sharedMs } = PERIOD_SEARCHES[row.reads];
  return { longestMs, sharedMs, overlapMs: runtime.tenant.vendor.poll.overlapMs };
}

type Shown<Item> = Found<Item> & {
  readonly answer: Answer<unknown>;
  /**
   * The size and the row keys of the answer's page; null if the answer has no pages. The position of the next page is computed from them.
   * `keys`: id and modification time of each row. They show whether rows moved between two requests; if so, the rows are read again. `top`:
   * how many rows a full page has.
   */
  readonly page: { readonly keys: readonly string[]; readonly top: number } | null;
  /** Versions of rows that are already read, so that later searches may skip them. */
  readonly seen?: readonly RowVersion[];
};

/** A search over periods of time, with the rules for their length and overlap. */
export type Periods<Item> = {
  /** The stream's name, for the log. */
  readonly name: string;
  readonly now: ActivityDeps['now'];
  readonly rules: PeriodRules;
  /** Sends one request for the rows of a period, starting at row `skip` if the search has pages. */
  readonly ask: (period: Period, skip: number) => Promise<Shown<Item>>;
  readonly ignoredBySideSince?: (items: readonly Item[], since: string) => Promise<readonly Item[]>;
};

/**
 * Makes a stream that reads the vendor's changes period by period. `vendorPeriods` and `vendorPages` use this function for their streams.
 */
export function periodsOf<Item>({
  name,
  now,
  rules,
  ask,
  ignoredBySideSince,
}: Periods<Item>): ChangeStream<PeriodCursor, Item> {
  return {
    first: firstPeriodCursor,
    readPage: async (cursor) => {
      const next = nextSearch(cursor, now(), rules);
      const start = next.page ?? { skip: 0, shared: null };
      const { items, unusable = [], answer, page, seen } = await ask(next.period, start.skip);
      const count = answer.info.estimatedSearchCount;
      const follows = page === null ? null : pageAfter(start, page.keys, { top: page.top, count });
      const answered = { vendorNow: vendorTime(answer), answeredAt: now(), follows };
      const { answeredAt } = cursor;
      // A row of a repeated search (`late`) is skipped only if its record was marked due after `answeredAt`. The changes that this search
      // finds are older, so only a read after `answeredAt` is sure to show them.
      const isKnown = next.kind === 'late' && answeredAt !== undefined && ignoredBySideSince !== undefined;
      const taken = isKnown ? await ignoredBySideSince(items, answeredAt) : items;
      const after = afterSearch(cursor, next, answered, rules);
      if (follows === 'moved' && !after.more)
        log.warn('rows moved while they were paged; they are read again', { stream: name });
      if (seen === undefined) return { items: taken, unusable, ...after };
      // Later searches start at this instant, apart from the part that neighbouring periods share.
      const forgetBefore = earlier(after.cursor.settledUntil, rules.sharedMs + SHORTEST_MS);
      return { items: taken, unusable, ...after, seen: { rows: seen, forgetBefore } };
    },
  };
}
