import { ACCREDITATION_MIRROR } from '../../src/mirror/catalog/accreditation-mirror.ts';
import {
  ENTRY_MIRROR,
  PRICE_LIST_MIRROR,
  PRICE_MIRROR,
  STANDARD_ENTRY_MIRROR,
} from '../../src/mirror/catalog/price-mirrors.ts';
import {
  COMPONENT_MIRROR,
  PRODUCT_MIRROR,
  RELEASE_MIRROR,
} from '../../src/mirror/catalog/product-mirrors.ts';
import { FIRST_READING } from '../../src/mirror/catalog/reading.ts';
import { readCatalogPage } from './catalog-pages.ts';
import { catalogRefresh } from './catalog-refresh.ts';
import type { StreamSource } from './stream.ts';

/** What others need comes first. */
const KINDS = [
  PRODUCT_MIRROR,
  RELEASE_MIRROR,
  PRICE_LIST_MIRROR,
  STANDARD_ENTRY_MIRROR,
  ENTRY_MIRROR,
  PRICE_MIRROR,
  COMPONENT_MIRROR,
  ACCREDITATION_MIRROR,
] as const;

/** What the partner may sell at which price: accreditations, products, price lists, prices, and what packages hold. */
export const vendorCatalog: StreamSource<'refreshCatalog'> = (stream) =>
  catalogRefresh(stream, {
    kinds: KINDS,
    first: FIRST_READING,
    readPage: (reading, refresh) => readCatalogPage(stream, reading, refresh),
  });
