import { log } from '@temporalio/activity';
import { CATALOG_MIRRORS } from '../../src/mirror/catalog/catalog-mirrors.ts';
import { FIRST_READING } from '../../src/mirror/catalog/reading.ts';
import { readCatalogPage } from './catalog-pages.ts';
import { catalogRefresh } from './catalog-refresh.ts';
import type { Reading, StreamSource } from './stream.ts';

/** Reads the vendor's catalog into the CRM: accreditations, products, price lists, prices and package contents. */
export const vendorCatalog: StreamSource<'refreshCatalog'> = (stream) =>
  catalogRefresh(stream, {
    kinds: CATALOG_MIRRORS,
    first: FIRST_READING,
    readPage: (reading, refresh) => readCatalogPage(stream, reading, refresh),
    ended: () => offersIntoBooks(stream),
  });

/** Requests a refresh of the portfolio (the vendor's offers), so that its offers get entries in new price books at once. */
async function offersIntoBooks({ deps, runtime }: Reading): Promise<void> {
  await deps.requestStream(runtime.tenant.tenant, 'refreshPortfolio').catch((err: unknown) => {
    log.warn('offers get entries in new price books later', { err });
  });
}
