import { log } from '@temporalio/activity';
import {
  dayOf,
  failingPageOf,
  isGivenUp,
  oneMoreFailure,
  type PageFailures,
} from '../../src/domain/streams/catalog-refresh.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import { accreditationId, accreditationRow } from '../../src/mirror/catalog/accreditation-rows.ts';
import { isKey } from '../../src/mirror/catalog/catalog-mirror.ts';
import { mirroredBooks, priceListRows, priceRows } from '../../src/mirror/catalog/price-rows.ts';
import { componentRow, informationRows } from '../../src/mirror/catalog/product-rows.ts';
import {
  afterPage,
  afterStage,
  atFirstPage,
  type CatalogReading,
  pricesAt,
  type Stage,
  withoutList,
} from '../../src/mirror/catalog/reading.ts';
import { type CallOptions, PartnerApiError, pageAfter, type Result } from '../../src/partner-api/index.ts';
import { failure } from '../support/to-failure.ts';
import { type ApiOf, askVendor } from './ask-vendor.ts';
import type { CatalogPage } from './catalog-refresh.ts';
import { failsAlone } from './fails-alone.ts';
import type { StreamOf } from './stream.ts';

type Catalog = StreamOf<RowOf<'refreshCatalog'>>;
type OrderApi = ApiOf<'vendor-order'>;
type Page = CatalogPage<CatalogReading>;
type Reader = (stream: Catalog, reading: CatalogReading, refresh: string) => Promise<Page>;

/** The number of rows that one request for a page asks for (order spec 4.5 to 4.8). */
const TOP = 100;
const CONTENT_TOP = 10;
/**
 * The maximum number of rows that are read from one list of the catalog (such as the prices of one price list). The rest of a longer list
 * is skipped, because the list may never end.
 */
const MOST_ROWS = 1_000_000;
const MOST_ACCREDITATIONS = 1_000;

const READERS: Readonly<Record<Stage, Reader>> = {
  'price-lists': readPriceLists,
  accreditations: readAccreditations,
  information: readInformation,
  prices: readPrices,
  content: readContent,
};

/**
 * Kinds of vendor errors that concern only the list that is being read (such as the prices of one price list). The refresh of the catalog
 * then goes on with the next list.
 */
const OF_A_LIST: ReadonlySet<string> = new Set(['not-found', 'invalid', 'protocol', 'unknown']);
/**
 * Stages of a catalog refresh (one complete reading of the catalog) whose results later stages need for their requests. If such a stage
 * cannot be read, it is not skipped; the refresh fails and is retried.
 */
const NEEDED: ReadonlySet<Stage> = new Set(['price-lists', 'accreditations']);
/** Stages that skip a list that cannot be read. The stage `content` skips a package itself, and keeps its components. */
const SKIPS_LISTS: ReadonlySet<Stage> = new Set(['information', 'prices']);

/**
 * Reads one page of the catalog with one vendor request. If a list of the catalog (such as the prices of one price list) cannot be read, it
 * is skipped, and its rows stay in the CRM.
 */
export async function readCatalogPage(stream: Catalog, reading: CatalogReading, refresh: string): Promise<Page> {
  const { stage, page } = reading;
  const isEndless = page.skip >= MOST_ROWS && !NEEDED.has(stage);
  try {
    return isEndless ? leftOut(reading) : await READERS[stage](stream, reading, refresh);
  } catch (error) {
    if (!SKIPS_LISTS.has(stage) || !(await isUnreadable(stream, reading, refresh, error))) throw error;
    log.warn('a list of the catalog cannot be read', { stage, err: error });
    return leftOut(reading);
  }
}

/**
 * Whether the list that is being read cannot be read: the vendor refuses it, or its page has failed many times while the vendor answered
 * probes (cheap test requests). Counts such failures in the ledger (Lockstep's database).
 */
async function isUnreadable(
  stream: Catalog,
  { stage, place, page, package: read }: CatalogReading,
  refresh: string,
  error: unknown,
): Promise<boolean> {
  if (error instanceof PartnerApiError && OF_A_LIST.has(error.kind) && error.code !== 'BODY_NOT_JSON') return true;
  if (!(await failsAlone(stream, error))) return false;
  const { name, deps, runtime } = stream;
  const [{ tenant }, failing] = [runtime.tenant, failingPageOf(name)];
  const known = (await deps.ledger.cursor(tenant, failing)) as PageFailures | null;
  const failures = oneMoreFailure(known, JSON.stringify([refresh, stage, place, read, page.skip]));
  await deps.ledger.saveCursor(tenant, failing, failures, deps.now());
  return isGivenUp(failures);
}

function leftOut(reading: CatalogReading): Page {
  const { reading: position, ended, failed } = withoutList(reading);
  return { rows: [], position, ended, failed };
}

async function readPriceLists(stream: Catalog, reading: CatalogReading): Promise<Page> {
  const { data } = await ask(stream, (vendor, options) => vendor.searchPriceLists({}, options));
  const today = dayOf(stream.deps.now(), stream.runtime.tenant.mapping.zone);
  const { rows, versions, awaited, unusable } = priceListRows(data, today);
  const { reading: position, ended } = afterPage({ ...reading, versions }, null);
  const books = mirroredBooks(versions, stream.runtime.tenant.vendor.catalog.currencies);
  return { rows, unusable, awaited, books, position, ended };
}

async function readAccreditations(stream: Catalog, reading: CatalogReading): Promise<Page> {
  const { page } = reading;
  const input = { skip: page.skip, top: TOP };
  const answer = await ask(stream, (vendor, options) => vendor.searchAccreditations(input, options));
  const keys = answer.data.map(({ id, accreditationType: type }) => `${type?.code ?? ''} ${id}`);
  const follows = followsOf(reading, keys, TOP, answer);
  const known = page.skip === 0 ? [] : reading.accreditations;
  const all = [...known, ...answer.data.flatMap((one) => accreditationId(one) ?? [])];
  const byKey = new Map(all.map((one) => [`${one.type} ${one.id}`, one]));
  if (byKey.size > MOST_ACCREDITATIONS) throw failure('CONTRACT', 'the vendor shows too many accreditations');
  const accreditations = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
  const rows = answer.data.flatMap((one) => accreditationRow(one) ?? []);
  const unusable = answer.data.flatMap((one) => (accreditationId(one) === null ? [one.id] : []));
  // If an accreditation were missing, its rows would seem to have vanished, so the refresh reads all accreditations again later.
  if (follows === 'moved') return { rows, unusable, position: atFirstPage(reading), ended: [], rests: true };
  const { reading: position, ended } = afterPage({ ...reading, accreditations }, follows);
  return { rows, unusable, position, ended };
}

async function readInformation(stream: Catalog, reading: CatalogReading): Promise<Page> {
  const { skip } = reading.page;
  const accreditation = reading.accreditations[reading.place];
  if (accreditation === undefined) return leftOut(reading);
  const { type: accreditationType, id } = accreditation;
  const input = { accreditationType, accreditationId: id, skip, top: TOP };
  const answer = await ask(stream, (vendor, options) => vendor.searchProductInformation(input, options));
  const keys = answer.data.map(({ number, release }) => `${number} ${release ?? ''}`);
  return {
    rows: answer.data.flatMap(informationRows),
    unusable: unusableNumbers(answer.data),
    ...onward(reading, followsOf(reading, keys, TOP, answer)),
  };
}

async function readPrices(stream: Catalog, reading: CatalogReading): Promise<Page> {
  const at = pricesAt(reading);
  if (at === null) return leftOut(reading);
  const { accreditation, version } = at;
  const input = {
    ...{ accreditationType: accreditation.type, accreditationId: accreditation.id },
    ...{ priceListId: version.id, priceListStatus: version.status },
    ...{ skip: reading.page.skip, top: TOP },
  };
  const answer = await ask(stream, (vendor, options) => vendor.searchProductPrices(input, options));
  const { revenueTypes: preferred, currencies: wanted } = stream.runtime.tenant.vendor.catalog;
  const keys = answer.data.map(({ number }) => number);
  return {
    rows: answer.data.flatMap((product) => priceRows(product, version, { preferred, wanted })),
    unusable: unusableNumbers(answer.data),
    ...onward(reading, followsOf(reading, keys, TOP, answer)),
  };
}

async function readContent(stream: Catalog, reading: CatalogReading, refresh: string): Promise<Page> {
  const { ledger } = stream.deps;
  const { tenant } = stream.runtime.tenant;
  const isBegun = reading.page.skip > 0 || reading.restarts > 0;
  const found = isBegun ? null : await ledger.nextFollowed(tenant, refresh, 'product', reading.package?.number ?? '');
  const current = isBegun ? reading.package : found && { number: found.id, release: found.follow };
  if (current === null) {
    const { reading: position, ended } = afterStage(reading);
    return { rows: [], position, ended };
  }
  const input = { ...current, skip: reading.page.skip, top: CONTENT_TOP };
  const at = { ...reading, package: current };
  const answer = await ask(stream, (vendor, options) => vendor.searchPackageContent(input, options)).catch(
    async (error: unknown) => {
      if (!(await isUnreadable(stream, at, refresh, error))) throw error;
      log.warn('the content of a package cannot be read', { err: error });
      return null;
    },
  );
  const keys = answer?.data.map(({ number, release }) => `${number} ${release}`) ?? [];
  const follows = answer === null ? null : followsOf(at, keys, CONTENT_TOP, answer);
  const after = onward(at, follows);
  // The content could not be read completely, so the components known before stay.
  if (answer === null || after.failed !== undefined)
    await ledger.keepMembers(tenant, refresh, 'component', current.number);
  const parts = answer?.data ?? [];
  const known = await ledger.knownRows(
    tenant,
    'product',
    parts.map(({ number }) => number).filter(isKey),
    stream.deps.now(),
  );
  const numbers = new Set(known.map(({ id }) => id));
  return {
    rows: parts.flatMap((part) => componentRow(current, part, numbers) ?? []),
    unusable: unusableNumbers(parts),
    ...after,
  };
}

function ask<Data>(
  stream: Catalog,
  send: (vendor: OrderApi, options: CallOptions) => Promise<Result<Data>>,
): Promise<Result<Data>> {
  return askVendor(stream, send);
}

function followsOf(
  { page }: CatalogReading,
  keys: readonly string[],
  top: number,
  { info }: Pick<Result<unknown>, 'info'>,
) {
  return pageAfter(page, keys, { top, count: info.estimatedSearchCount ?? null });
}

function onward(reading: CatalogReading, follows: ReturnType<typeof pageAfter>) {
  const { reading: position, ended, failed } = afterPage(reading, follows);
  return { position, ended, failed };
}

function unusableNumbers(rows: readonly { readonly number: string }[]): readonly string[] {
  return rows.flatMap(({ number }) => (isKey(number) ? [] : [number]));
}
