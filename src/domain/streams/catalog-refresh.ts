import { calendarDate } from '../values/date.ts';
import type { StreamName } from './streams.ts';

/**
 * The progress of refreshing a catalog (reading all its rows at the vendor), as the ledger (Lockstep's database) stores it. Instants are
 * ISO.
 */
export type RefreshCursor<Position extends object = object> = {
  /** When the running refresh of the catalog (reading of all its rows) began, ISO; null if no refresh runs. */
  readonly refresh: string | null;
  /**
   * The position from which the running refresh of the catalog (reading of all its rows) reads next. Null if it has read everything, or if
   * no refresh runs.
   */
  readonly position: Position | null;
  /** Whether catalog rows that a refresh (reading of all rows) has read still have to be written to the CRM. */
  readonly hasUnwritten: boolean;
  /**
   * `begunAt`: when the last refresh of the catalog (reading of all its rows) began, ISO. `doneAt`: when the last complete refresh ended,
   * ISO; null if there was none.
   */
  readonly begunAt: string;
  readonly doneAt: string | null;
  /**
   * The parts of the catalog that the last refresh (reading of all its rows) could not read. The CRM rows of these parts stay as they are.
   */
  readonly failed: readonly string[];
  /**
   * Future days (`YYYY-MM-DD`) on which a row of the catalog takes effect. A refresh (new reading of the whole catalog) is due on each of
   * these days.
   */
  readonly awaited: readonly string[];
  /**
   * Price books in the CRM, by stream. For the stream of prices: the price books that Lockstep created from the vendor's price lists. For
   * the stream of the portfolio (the vendor's list of offers, that is, products): the price books that contain these offers.
   */
  readonly books?: readonly MirroredBook[];
};

/** A price book that Lockstep created in the CRM from one version of a vendor's price list. `id`: its external id. */
export type MirroredBook = { readonly id: string; readonly currency: string };

/** The name under which the ledger (Lockstep's database) stores an operator's request to read a stream at once, in its table `cursors`. */
export function askedOf(stream: string): string {
  return `asked ${stream}`;
}

/**
 * The name under which the ledger (Lockstep's database) stores which catalog changes a stream has announced to operators, in its table
 * `cursors`.
 */
export function seenOf(stream: string): string {
  return `seen ${stream}`;
}

/**
 * How often in succession a page of the catalog has failed although the vendor answered other requests. `page`: names the page and its
 * refresh (reading of the whole catalog).
 */
export type PageFailures = { readonly page: string; readonly failures: number };

/** The name under which the ledger (Lockstep's database) stores which page of a stream fails (`PageFailures`), in its table `cursors`. */
export function failingPageOf(stream: string): string {
  return `failing page ${stream}`;
}

/**
 * How often a page of the catalog must fail, in succession, before a refresh skips its list. The stream's workflow retries a failed page
 * after 1 second, then after doubled intervals of up to a minute, so these failures take about a quarter of an hour.
 */
const MOST_FAILURES = 20;

/** The failures of a page after one more of them. `known`: the stored failures; null if there are none. Pure. */
export function oneMoreFailure(known: PageFailures | null, page: string): PageFailures {
  return { page, failures: known?.page === page ? known.failures + 1 : 1 };
}

/** Whether a page has failed so often that a refresh of the catalog skips its list. */
export function isGivenUp({ failures }: PageFailures): boolean {
  return failures >= MOST_FAILURES;
}

export type Moment = {
  readonly at: string;
  /** When an operator last requested a refresh of the catalog (reading of all its rows), ISO; null if no operator requested one. */
  readonly asked: string | null;
  readonly everyMs: number;
  /** The IANA time zone in which the tenant's days begin and end. */
  readonly zone: string;
};

/**
 * Whether the next refresh of a catalog is due. It is due in three cases: its interval has passed, a day on which a catalog row takes
 * effect has begun, or an operator has requested a refresh since the last one. Pure.
 */
export function isDue(
  { begunAt, awaited }: Pick<RefreshCursor, 'begunAt' | 'awaited'>,
  { at, asked, everyMs, zone }: Moment,
): boolean {
  if (Date.parse(at) - Date.parse(begunAt) >= everyMs) return true;
  if (asked !== null && asked > begunAt) return true;
  const [today, last] = [dayOf(at, zone), dayOf(begunAt, zone)];
  return awaited.some((day) => day > last && day <= today);
}

/** The calendar date of an instant in a time zone. */
export function dayOf(at: string, zone: string): string {
  return calendarDate(at, zone) ?? at.slice(0, 10);
}

/** The streams that read all rows of the vendor's catalog again and again, because the vendor reports no catalog changes. */
export const CATALOG_STREAMS = ['refreshCatalog', 'refreshPortfolio'] as const satisfies readonly StreamName[];
export type CatalogStream = (typeof CATALOG_STREAMS)[number];

/** The kinds of catalog rows in display order, each with the stream that reads it. */
export const CATALOG_KINDS = {
  accreditation: 'refreshCatalog',
  product: 'refreshCatalog',
  release: 'refreshCatalog',
  component: 'refreshCatalog',
  'price-list': 'refreshCatalog',
  price: 'refreshCatalog',
  'standard-entry': 'refreshCatalog',
  entry: 'refreshCatalog',
  offer: 'refreshPortfolio',
  'offer-entry': 'refreshPortfolio',
  'offer-book-entry': 'refreshPortfolio',
} as const satisfies Readonly<Record<string, CatalogStream>>;
export type CatalogKind = keyof typeof CATALOG_KINDS;
