import { ACCREDITATION_MIRROR } from './accreditation-mirror.ts';
import type { CatalogMirror } from './catalog-mirror.ts';
import { OFFER_BOOK_ENTRY_MIRROR, OFFER_ENTRY_MIRROR, OFFER_MIRROR } from './offer-mirrors.ts';
import { ENTRY_MIRROR, PRICE_LIST_MIRROR, PRICE_MIRROR, STANDARD_ENTRY_MIRROR } from './price-mirrors.ts';
import { COMPONENT_MIRROR, PRODUCT_MIRROR, RELEASE_MIRROR } from './product-mirrors.ts';

/** The kinds of catalog rows that the order API returns. A kind comes after the kinds to whose rows it refers. */
export const CATALOG_MIRRORS: readonly CatalogMirror[] = [
  PRODUCT_MIRROR,
  RELEASE_MIRROR,
  PRICE_LIST_MIRROR,
  STANDARD_ENTRY_MIRROR,
  ENTRY_MIRROR,
  PRICE_MIRROR,
  COMPONENT_MIRROR,
  ACCREDITATION_MIRROR,
];

/** The kinds of catalog rows that the sales API returns. */
export const PORTFOLIO_MIRRORS: readonly CatalogMirror[] = [OFFER_MIRROR, OFFER_ENTRY_MIRROR, OFFER_BOOK_ENTRY_MIRROR];
