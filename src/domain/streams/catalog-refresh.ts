import { calendarDate } from '../values/date.ts';
import type { StreamName } from './streams.ts';

/** The progress of a catalog's refreshes, as the ledger stores it. Instants are ISO. */
export type RefreshCursor<Position extends object = object> = {
  /** When the refresh that runs now began; null if none runs. */
  readonly refresh: string | null;
  /** The position at which the running refresh reads next; null if it has read everything, or if none runs. */
  readonly position: Position | null;
  /** Whether rows that the refresh has read still have to be written to the CRM. */
  readonly hasUnwritten: boolean;
  /** When the last refresh began. `doneAt`: when the last complete refresh ended. */
  readonly begunAt: string;
  readonly doneAt: string | null;
  /** The parts that the last refresh could not read. Their rows stay in the CRM. */
  readonly failed: readonly string[];
  /** Future days (`YYYY-MM-DD`) on which a row of the catalog takes effect, so that a refresh is due on each of them. */
  readonly awaited: readonly string[];
  /**
   * The price books that Lockstep created in the CRM from the vendor's price lists. For the portfolio: the price books that contain its
   * offers.
   */
  readonly books?: readonly MirroredBook[];
};

/** A price book that Lockstep created in the CRM from one version of a vendor's price list. `id`: its external id. */
export type MirroredBook = { readonly id: string; readonly currency: string };

/** The ledger's cursor name for an operator's request to refresh a stream at once. */
export function askedOf(stream: string): string {
  return `asked ${stream}`;
}

/** The name of the ledger's cursor that stores which catalog changes a stream has announced. */
export function seenOf(stream: string): string {
  return `seen ${stream}`;
}

export type Moment = {
  readonly at: string;
  /** When an operator requested a refresh; null without a request. */
  readonly asked: string | null;
  readonly everyMs: number;
  /** The IANA time zone of the tenant's calendar days. */
  readonly zone: string;
};

/**
 * Whether the next refresh is due: its interval has passed, a day on which a row takes effect has begun, or an operator requested the
 * refresh. Pure.
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

/** The streams that read the whole catalog. */
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
