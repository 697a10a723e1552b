import { ACCREDITATION_MIRROR } from './accreditation-mirror.ts';
import type { CatalogMirror } from './catalog-mirror.ts';
import { OFFER_BOOK_ENTRY_MIRROR, OFFER_ENTRY_MIRROR, OFFER_MIRROR } from './offer-mirrors.ts';
import { ENTRY_MIRROR, PRICE_LIST_MIRROR, PRICE_MIRROR, STANDARD_ENTRY_MIRROR } from './price-mirrors.ts';
import { COMPONENT_MIRROR, PRODUCT_MIRROR, RELEASE_MIRROR } from './product-mirrors.ts';

/** Catalog kinds from the order API. A kind follows the kinds whose rows it needs. */
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

/** Catalog kinds from the sales API. */
export const PORTFOLIO_MIRRORS: readonly CatalogMirror[] = [OFFER_MIRROR, OFFER_ENTRY_MIRROR, OFFER_BOOK_ENTRY_MIRROR];
