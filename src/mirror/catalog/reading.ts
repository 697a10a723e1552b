import type { CatalogKind } from '../../domain/streams/catalog-refresh.ts';
import type { PageStart } from '../../partner-api/index.ts';
import type { AccreditationId } from './accreditation-rows.ts';
import { bookOf, type PriceListVersion } from './price-rows.ts';
import type { CatalogPackage } from './product-rows.ts';

/** What follows a page: the next one, nothing, or the rows moved since the page before, so that some may be missed. */
export type PageFollows = PageStart | 'moved' | null;

/** What the stages of a reading show, in their order: when one was read whole, its kinds count. */
export const STAGES = {
  'price-lists': ['price-list'],
  accreditations: ['accreditation'],
  information: ['product', 'release'],
  prices: ['price', 'standard-entry', 'entry'],
  content: ['component'],
} as const satisfies Readonly<Record<string, readonly CatalogKind[]>>;
export type Stage = keyof typeof STAGES;
const IN_ORDER = Object.keys(STAGES) as readonly Stage[];

/** How far the catalog was read. It fits into the ledger's cursor: a partner has dozens of accreditations and price lists. */
export type CatalogReading = {
  readonly stage: Stage;
  /** Which of the lists that the stage reads. */
  readonly place: number;
  readonly page: PageStart;
  /** How often the list was begun again, because its rows moved. */
  readonly restarts: number;
  readonly versions: readonly PriceListVersion[];
  readonly accreditations: readonly AccreditationId[];
  /** The package whose content is read, the last one in the order of numbers; null before the first. */
  readonly package: CatalogPackage | null;
};

const FIRST_PAGE: PageStart = { skip: 0, shared: null };
/** A list that moves while it is read as often as this is given up for this time. */
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

/** The accreditation and the version of a price list whose prices are read at a place. */
export type PricesOf = { readonly accreditation: AccreditationId; readonly version: PriceListVersion };

export function pricesAt({ place, versions, accreditations }: CatalogReading): PricesOf | null {
  const accreditation = accreditations[Math.floor(place / versions.length)];
  const version = versions[place % versions.length];
  return accreditation === undefined || version === undefined ? null : { accreditation, version };
}

/** Where reading goes on, and which kinds were read whole by it. `reading` is null behind the last stage. */
export type Onward = {
  readonly reading: CatalogReading | null;
  readonly ended: readonly CatalogKind[];
  /** What could not be read, so that nothing of it has left. */
  readonly failed?: string;
};

/** After a page of a list. Pure. */
export function afterPage(reading: CatalogReading, follows: PageFollows): Onward {
  if (follows === null) return nextList(reading);
  if (follows !== 'moved') return { reading: { ...reading, page: follows }, ended: [] };
  if (reading.restarts === MOST_RESTARTS) return withoutList(reading);
  const { restarts } = reading;
  return { reading: { ...atFirstPage(reading), restarts: restarts + 1 }, ended: [] };
}

/** After a list that cannot be read: it is left out, and noted. Pure. */
export function withoutList(reading: CatalogReading): Onward {
  return { ...nextList(reading), failed: scopeOf(reading) };
}

/** The same list from its beginning. */
export function atFirstPage(reading: CatalogReading): CatalogReading {
  return { ...reading, page: FIRST_PAGE };
}

/** After the last package. Pure. */
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

/** How many lists a stage reads. */
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

/** What of the catalog a list that is read is about. */
function scopeOf(reading: CatalogReading): string {
  if (reading.stage !== 'prices') return reading.stage;
  const at = pricesAt(reading);
  return at === null ? 'prices' : `prices ${bookOf(at.version)}`;
}

/** Which rows stay although a refresh did not show them: what they are now could not be read. */
export function keptOf(
  kind: CatalogKind,
  failed: readonly string[],
): { readonly all: boolean; readonly masters: readonly string[] } {
  const isIn = (kinds: readonly CatalogKind[]): boolean => kinds.includes(kind);
  const books = failed.flatMap((scope) => (scope.startsWith('prices ') ? [scope.slice(7)] : []));
  const all =
    // Packages are found by their information, and a part of one that was not found is not gone.
    (failed.includes('information') && isIn([...STAGES.information, ...STAGES.content])) ||
    (books.length > 0 && kind === 'standard-entry');
  return { all, masters: isIn(['price', 'entry']) ? books : [] };
}
