import { calendarDate } from '../values/date.ts';
import type { StreamName } from './streams.ts';

/** Where the refreshes of a catalog stand, as the ledger keeps it. Instants are ISO. */
export type RefreshCursor<Position extends object = object> = {
  /** The refresh under way, by the instant it began; null between two. */
  readonly refresh: string | null;
  /** How far it has read; null when it has read everything, or where none is under way. */
  readonly position: Position | null;
  /** Kinds were read whole since rows were written last. */
  readonly hasUnwritten: boolean;
  /** When the last one began, and when the last one ended. */
  readonly begunAt: string;
  readonly doneAt: string | null;
  /** What the last one could not read; nothing of that has left. */
  readonly failed: readonly string[];
  /** Days (`YYYY-MM-DD`) on which something takes effect. */
  readonly awaited: readonly string[];
};

/** Where a person's word is kept that a stream is to be refreshed at once. */
export function askedOf(stream: string): string {
  return `asked ${stream}`;
}

/** Where is kept what a stream's refreshes have told of what changed at the vendor. */
export function seenOf(stream: string): string {
  return `seen ${stream}`;
}

export type Moment = {
  readonly at: string;
  /** When somebody asked for a refresh; null where nobody did. */
  readonly asked: string | null;
  readonly everyMs: number;
  /** The zone in which a day begins. */
  readonly zone: string;
};

/** Whether the next refresh begins: its time has come, a day that was waited for has begun, or somebody asked for it. Pure. */
export function isDue(
  { begunAt, awaited }: Pick<RefreshCursor, 'begunAt' | 'awaited'>,
  { at, asked, everyMs, zone }: Moment,
): boolean {
  if (Date.parse(at) - Date.parse(begunAt) >= everyMs) return true;
  if (asked !== null && asked > begunAt) return true;
  const [today, last] = [dayOf(at, zone), dayOf(begunAt, zone)];
  return awaited.some((day) => day > last && day <= today);
}

/** The calendar date of an instant. */
export function dayOf(at: string, zone: string): string {
  return calendarDate(at, zone) ?? at.slice(0, 10);
}

/** The streams that read the catalog whole. */
export const CATALOG_STREAMS = [
  'refreshCatalog',
  'refreshPortfolio',
] as const satisfies readonly StreamName[];
export type CatalogStream = (typeof CATALOG_STREAMS)[number];

/** The kinds of rows of the catalog, in the order in which people look at them, each with what shows it. */
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
} as const satisfies Readonly<Record<string, CatalogStream>>;
export type CatalogKind = keyof typeof CATALOG_KINDS;
