import type { MirroredBook, RefreshCursor } from '../../src/domain/streams/catalog-refresh.ts';
import type { RowOf } from '../../src/domain/streams/streams.ts';
import { isKey } from '../../src/mirror/catalog/catalog-mirror.ts';
import { PORTFOLIO_MIRRORS } from '../../src/mirror/catalog/catalog-mirrors.ts';
import { offerRows } from '../../src/mirror/catalog/offer-rows.ts';
import { pageAfter } from '../../src/partner-api/index.ts';
import { failure } from '../support/to-failure.ts';
import { askVendor } from './ask-vendor.ts';
import { type CatalogPage, catalogRefresh, currenciesOf } from './catalog-refresh.ts';
import type { StreamOf, StreamSource } from './stream.ts';

type Position = { readonly skip: number; readonly shared: string | null };

const FIRST_PAGE: Position = { skip: 0, shared: null };

/** The number of items that one request for a page asks for. The vendor's documents show no limit (sales spec 4.5). */
const TOP = 500;
const MOST_ITEMS = 100_000;

/**
 * Copies the offers of the vendor's portfolio into the CRM, as products. Sales persons need these products for the lines of shared
 * opportunities. At the vendor, each line of a lead-opportunity (the vendor's record of a deal) names its product by the offer's id.
 */
export const vendorPortfolio: StreamSource<'refreshPortfolio'> = (stream) =>
  catalogRefresh<Position>(stream, {
    kinds: PORTFOLIO_MIRRORS,
    first: FIRST_PAGE,
    books: () => booksOf(stream),
    readPage: (position) => readItems(stream, position),
  });

async function readItems(
  stream: StreamOf<RowOf<'refreshPortfolio'>>,
  position: Position,
): Promise<CatalogPage<Position>> {
  if (position.skip > MOST_ITEMS) throw failure('CONTRACT', 'the portfolio does not end');
  const { data, info } = await askVendor(stream, (vendor, options) =>
    vendor.searchPortfolioItems({ skip: position.skip, top: TOP }, options),
  );
  const keys = data.map((item) => item.salesPortfolioId ?? '');
  const follows = pageAfter(position, keys, { top: TOP, count: info.estimatedSearchCount ?? null });
  const [currencies, books] = [await currenciesOf(stream), await booksOf(stream)];
  const rows = data.flatMap((item) => offerRows(item, currencies, books));
  const unusable = data.flatMap(({ salesPortfolioId: id }) => (isKey(id) ? [] : [id ?? '']));
  // Items may be missing because the list changed meanwhile, so the stream reads all of them again later.
  if (follows === 'moved') return { rows, unusable, position: FIRST_PAGE, ended: [], rests: true };
  return {
    rows,
    unusable,
    position: follows,
    ended: follows === null ? PORTFOLIO_MIRRORS.map(({ kind }) => kind) : [],
  };
}

/** The CRM's price books that Lockstep created from the vendor's price lists, as the catalog's last refresh stored them. */
async function booksOf({ deps, runtime }: StreamOf<RowOf<'refreshPortfolio'>>): Promise<readonly MirroredBook[]> {
  const catalog = (await deps.ledger.cursor(runtime.tenant.tenant, 'refreshCatalog')) as RefreshCursor | null;
  return catalog?.books ?? [];
}
