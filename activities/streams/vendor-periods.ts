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
import {
  type PagedGroup,
  PERIOD_SEARCHES,
  type WholeGroup,
} from '../../src/domain/streams/period-searches.ts';
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

/** What one answer shows. */
export type Found<Item> = {
  readonly items: readonly Item[];
  /** What stands in the place of ids, and is none. */
  readonly unusable?: readonly string[];
};

/** A search that tells all that it finds in one answer. */
export type WholeSearch<Api, Data, Item> = {
  /** The search, by a period of modification. Called for one request at a time. */
  readonly search: (vendor: Api, period: Period, options: CallOptions) => Promise<Result<Data>>;
  readonly found: (data: Data) => Found<Item>;
  /** Rows that became visible late and were not taken in since that instant, by our clock; all where it is absent. */
  readonly ignoredBySideSince?: (items: readonly Item[], since: string) => Promise<readonly Item[]>;
};

type Page = { readonly skip: number; readonly top: number };

/** A search that comes in pages. */
export type PagedSearch<Api, Criteria, Row, Item> = {
  readonly operation: (
    vendor: Api,
  ) => (input: Criteria & Page, options: CallOptions) => Promise<Result<Row[]>>;
  /** What the search asks for by a period of modification; the page is not its business. */
  readonly criteria: (period: Period) => Criteria;
  /** How long its periods may be, where that is not as of its group's other searches. */
  readonly longestMs?: number;
  readonly row: (row: Row) => FoundRow<Item>;
};

/**
 * What the vendor finds by a period of modification, where one answer tells all. What there is to know of such searches,
 * `PERIOD_SEARCHES` has; how late a change may show itself, the tenant file (`vendor.poll.overlap`).
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
 * What the vendor finds by a period of modification, page by page: a search whose rows were not all read does not move the
 * cursor. One request a page.
 */
export function vendorPages<
  Row extends VendorStreamRow & { readonly reads: PagedGroup },
  Criteria,
  Shown,
  Item,
>(
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

/** How a stream's group searches, and how late a change may show itself to the tenant. */
function rulesOf({ row, runtime }: StreamOf<VendorStreamRow>): PeriodRules {
  const { longestMs, sharedMs } = PERIOD_SEARCHES[row.reads];
  return { longestMs, sharedMs, overlapMs: runtime.tenant.vendor.poll.overlapMs };
}

type Shown<Item> = Found<Item> & {
  readonly answer: Answer<unknown>;
  /** What tells the rows of a page apart, and how many it may have; null where the answer shows all. */
  readonly page: { readonly keys: readonly string[]; readonly top: number } | null;
  /** Versions of rows that are not to be taken in again. */
  readonly seen?: readonly RowVersion[];
};

/** Periods of one search, by the rules of its group. */
export type Periods<Item> = {
  /** For the log. */
  readonly name: string;
  readonly now: ActivityDeps['now'];
  readonly rules: PeriodRules;
  /** One request: the rows of a period, or a page of them from `skip` on. */
  readonly ask: (period: Period, skip: number) => Promise<Shown<Item>>;
  readonly ignoredBySideSince?: (items: readonly Item[], since: string) => Promise<readonly Item[]>;
};

/** What both kinds of searches have in common; a stream uses one of the two above. */
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
      // A reading shows what it shows: only one that comes after the whole period was past for the overlap is enough.
      const isKnown = next.kind === 'late' && answeredAt !== undefined && ignoredBySideSince !== undefined;
      const taken = isKnown ? await ignoredBySideSince(items, answeredAt) : items;
      const after = afterSearch(cursor, next, answered, rules);
      if (follows === 'moved' && !after.more)
        log.warn('rows moved while they were paged; they are read again', { stream: name });
      if (seen === undefined) return { items: taken, unusable, ...after };
      // No search begins before what is settled, but for the shared stretch.
      const forgetBefore = earlier(after.cursor.settledUntil, rules.sharedMs + SHORTEST_MS);
      return { items: taken, unusable, ...after, seen: { rows: seen, forgetBefore } };
    },
  };
}
