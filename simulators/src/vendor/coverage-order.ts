import type { CoverageRow } from './coverage-row.ts';

const ORDER = '/order/api4partners';
const SEARCH_NOTES =
  'Bounds are inclusive. transactionType narrows, but is none of the six criteria. Titles and pointers of errors are ' +
  "the sandbox's own, being not shown. Results are in the order of the time criterion with the fewest matches, or of creation when searched by number.";
const DETAIL_NOTES = 'An id of more than 13 characters is invalid (400); which others are is not shown.';
const V0_NOTES =
  'Deprecated. Orders in the status DFTE, for which v0 has no name, are not visible here. Names of codes that the ' +
  "documents do not pair are the sandbox's own.";
const V1_NOTES = "Codes of orderType, subOrderType and inflation.exception that are not shown are the sandbox's own.";
const ACCREDITATION_NOTES =
  'What the partner does not hold, or holds under the other type, is not found (404). Its totals count all matches.';

function row(
  method: CoverageRow['method'],
  path: string,
  operation: string,
  spec: string,
  notes: string,
  status: CoverageRow['status'] = 'supported',
): CoverageRow {
  return { method, path: `${ORDER}/${path}`, operation, status, spec, notes };
}

/** One row for each route of the order domain (order spec 4). */
export const ORDER_COVERAGE: readonly CoverageRow[] = [
  row(
    'POST',
    'v0/apikeys',
    'generateApiKey',
    'order 2.18, 4.1, 5',
    'A body is ignored, or refused by option strict. The new key works after POST keys of the admin surface; option rotation says whether the ' +
      'key it was made with ends then. Key lifetime is not shown: keys do not expire.',
  ),
  row('POST', 'v0/orders/search', 'searchOrders', 'order 2.2, 2.6, 4.2, 8', `${V0_NOTES} ${SEARCH_NOTES}`),
  row('POST', 'v1/orders/search', 'searchOrders', 'order 2.2, 2.6, 4.2, 8', `${V1_NOTES} ${SEARCH_NOTES}`),
  row('GET', 'v0/orders/{id}', 'readOrder', 'order 2.3-2.12, 4.3', `${V0_NOTES} ${DETAIL_NOTES}`, 'partial'),
  row('GET', 'v1/orders/{id}', 'readOrder', 'order 2.3-2.12, 4.3', `${V1_NOTES} ${DETAIL_NOTES}`, 'partial'),
  row(
    'GET',
    'v0/price-lists/search',
    'searchPriceLists',
    'order 2.13, 4.4',
    'Parameters and bodies are ignored, since the operation has none.',
  ),
  row(
    'GET',
    'v0/accreditations/search',
    'searchAccreditations',
    'order 2.14, 4.5, 8',
    "Deprecated. The pairing of the deployment code 4 with its name is not shown and is the sandbox's own.",
  ),
  row(
    'GET',
    'v1/accreditations/search',
    'searchAccreditations',
    'order 2.14, 4.5, 8',
    "The v1 values of deploymentType are not shown but for 4; 1 is the sandbox's own.",
  ),
  row(
    'POST',
    'v0/product-price-list/search',
    'searchProductPrices',
    'order 2.15, 4.6, 8',
    `${ACCREDITATION_NOTES} priceListStatus C is the present list and F the future one, found only where the list has ` +
      'one; the meanings of the values are not shown, so others are not found.',
  ),
  row('POST', 'v0/product-information/search', 'searchProductInformation', 'order 2.16, 4.7, 8', ACCREDITATION_NOTES),
  row(
    'POST',
    'v0/package-offer-content/search',
    'searchPackageContent',
    'order 2.17, 4.8, 8',
    'Known are the packages of the generated catalog; whether accreditation is enforced here is not shown: it is not.',
  ),
];
