import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import type { PageStart } from '../../partner-api/index.ts';
import type { AccreditationId } from './accreditation-rows.ts';
import { bookOf, type PriceListVersion } from './price-rows.ts';
import type { CatalogPackage } from './product-rows.ts';

/**
 * The continuation after a page of a list: the start of the next page, or null if the list has ended. `moved`: the list changed at the
 * vendor between two pages, so rows may be missing.
 */
export type PageFollows = PageStart | 'moved' | null;

/**
 * The stages of a refresh (complete read) of the catalog, in order. Each stage lists the kinds of rows that are completely read at its end.
 */
export const STAGES = {
  'price-lists': ['price-list'],
  accreditations: ['accreditation'],
  information: ['product', 'release'],
  prices: ['price', 'standard-entry', 'entry'],
  content: ['component'],
} as const satisfies Readonly<Record<string, readonly CatalogKind[]>>;
export type Stage = keyof typeof STAGES;
const IN_ORDER = Object.keys(STAGES) as readonly Stage[];

/**
 * How far a refresh (complete read) of the catalog has read. The ledger stores it in a cursor. It is small enough for that, because a
 * partner has only dozens of accreditations and price lists.
 */
export type CatalogReading = {
  readonly stage: Stage;
  /** The index of the catalog list that is being read now, among the lists that the current stage reads. */
  readonly place: number;
  readonly page: PageStart;
  /** How often the list that is being read now was started again, because the list changed at the vendor during the read. */
  readonly restarts: number;
  readonly versions: readonly PriceListVersion[];
  readonly accreditations: readonly AccreditationId[];
  /** The last package whose components were read. Packages are read in the order of their numbers; null before the first. */
  readonly package: CatalogPackage | null;
};

const FIRST_PAGE: PageStart = { skip: 0, shared: null };
/**
 * How often a refresh (complete read) of the catalog starts a list again that changes at the vendor during the read. After that, it skips
 * the list.
 */
const MOST_RESTARTS = 3;

export const FIRST_READING: CatalogReading = {
  stage: 'price-lists',
  place: 0,
  page: FIRST_PAGE,
  restarts: 0,
  versions: [],
  accreditations: [],
  package: null,
};

/** The accreditation and the version of a price list whose prices a refresh (complete read) of the catalog reads now. */
export type PricesOf = { readonly accreditation: AccreditationId; readonly version: PriceListVersion };

export function pricesAt({ place, versions, accreditations }: CatalogReading): PricesOf | null {
  const accreditation = accreditations[Math.floor(place / versions.length)];
  const version = versions[place % versions.length];
  return accreditation === undefined || version === undefined ? null : { accreditation, version };
}

/**
 * The next step of a refresh (complete read) of the catalog. `reading`: the refresh's new position; null after the last stage. `ended`: the
 * kinds of rows that are completely read before this step.
 */
export type Onward = {
  readonly reading: CatalogReading | null;
  readonly ended: readonly CatalogKind[];
  /** A list of the vendor's catalog that could not be read. The rows of this list do not count as removed from the catalog. */
  readonly failed?: string;
};

/** The next step of a refresh (complete read) of the catalog after a page of a list. Pure. */
export function afterPage(reading: CatalogReading, follows: PageFollows): Onward {
  if (follows === null) return nextList(reading);
  if (follows !== 'moved') return { reading: { ...reading, page: follows }, ended: [] };
  if (reading.restarts === MOST_RESTARTS) return withoutList(reading);
  const { restarts } = reading;
  return { reading: { ...atFirstPage(reading), restarts: restarts + 1 }, ended: [] };
}

/** The next step of a refresh (complete read) of the catalog if a list cannot be read: the list is skipped and noted as failed. Pure. */
export function withoutList(reading: CatalogReading): Onward {
  return { ...nextList(reading), failed: scopeOf(reading) };
}

/** The progress of a refresh (complete read) of the catalog, set back to the first page of the current list. */
export function atFirstPage(reading: CatalogReading): CatalogReading {
  return { ...reading, page: FIRST_PAGE };
}

/** The next step of a refresh (complete read) of the catalog after a stage's last list or package. Pure. */
export function afterStage(reading: CatalogReading): Onward {
  const stage = IN_ORDER[IN_ORDER.indexOf(reading.stage) + 1];
  const ended = STAGES[reading.stage];
  if (stage === undefined) return { reading: null, ended };
  const next = { ...reading, stage, place: 0, page: FIRST_PAGE, restarts: 0 };
  const onward = listsOf(next) === 0 ? afterStage(next) : { reading: next, ended: [] };
  return { reading: onward.reading, ended: [...ended, ...onward.ended] };
}

function nextList(reading: CatalogReading): Onward {
  const next = { ...reading, place: reading.place + 1, page: FIRST_PAGE, restarts: 0 };
  return next.place < listsOf(reading) ? { reading: next, ended: [] } : afterStage(reading);
}

function listsOf({ stage, versions, accreditations }: CatalogReading): number {
  switch (stage) {
    case 'price-lists':
    case 'accreditations':
      return 1;
    case 'information':
      return accreditations.length;
    case 'prices':
      return accreditations.length * versions.length;
    case 'content':
      return Number.POSITIVE_INFINITY;
  }
}

/**
 * The name under which a refresh (complete read) of the catalog notes that it could not read its current list: the stage and, for prices,
 * the price book.
 */
function scopeOf(reading: CatalogReading): string {
  if (reading.stage !== 'prices') return reading.stage;
  const at = pricesAt(reading);
  return at === null ? 'prices' : `prices ${bookOf(at.version)}`;
}

/**
 * The rows of a kind that must stay in the CRM although a refresh (complete read) of the catalog has not read them, because their list
 * could not be read (`failed`). `all`: whether all rows of the kind stay. `masters`: the ids of the price books whose rows stay.
 */
export function keptOf(
  kind: CatalogKind,
  failed: readonly string[],
): { readonly all: boolean; readonly masters: readonly string[] } {
  const isIn = (kinds: readonly CatalogKind[]): boolean => kinds.includes(kind);
  const books = failed.flatMap((scope) => (scope.startsWith('prices ') ? [scope.slice(7)] : []));
  const all =
    // Product information lists the packages. If it failed, a missing package and its components may still exist.
    (failed.includes('information') && isIn([...STAGES.information, ...STAGES.content])) ||
    (books.length > 0 && kind === 'standard-entry');
  return { all, masters: isIn(['price', 'entry']) ? books : [] };
}
