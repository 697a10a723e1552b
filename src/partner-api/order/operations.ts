import { allPages } from '../all-pages.ts';
import type { OrderApi } from '../api.ts';
import type { OperationContext } from '../context.ts';
import { allOrders } from './all-orders.ts';
import { generateApiKey } from './api-key.ts';
import {
  searchAccreditations,
  searchPackageContent,
  searchPriceLists,
  searchProductInformation,
  searchProductPrices,
} from './catalog.ts';
import type { Accreditation, PackageContent, ProductInformation, ProductPrice } from './catalog-answers.ts';
import type {
  SearchAccreditationsInput,
  SearchPackageContentInput,
  SearchProductInformationInput,
  SearchProductPricesInput,
} from './inputs.ts';
import { readOrder, searchOrders } from './orders.ts';

/** Creates the eight operations of the order API, and the async iterables over all rows of its paged lists. */
export function orderOperations(context: OperationContext): OrderApi {
  const orders = searchOrders(context);
  return {
    generateApiKey: generateApiKey(context),
    searchOrders: orders,
    readOrder: readOrder(context),
    searchPriceLists: searchPriceLists(context),
    searchAccreditations: searchAccreditations(context),
    searchProductPrices: searchProductPrices(context),
    searchProductInformation: searchProductInformation(context),
    searchPackageContent: searchPackageContent(context),
    allOrders: allOrders(orders, context.now),
    ...pagedLists(context),
  };
}

/** Creates an async iterable for each paged list. It reads the largest pages that the operation allows (order spec 4.5 to 4.8). */
function pagedLists(context: OperationContext) {
  const accreditations = searchAccreditations(context);
  return {
    allAccreditations: allPages<SearchAccreditationsInput, Accreditation>(
      { operation: 'searchAccreditations', domain: 'order' },
      (input, options) => accreditations(input, { signal: options?.signal }),
      100,
      ({ id, accreditationType }) => `${accreditationType?.code} ${id}`,
    ),
    allProductPrices: allPages<SearchProductPricesInput, ProductPrice>(
      { operation: 'searchProductPrices', domain: 'order' },
      searchProductPrices(context),
      100,
      ({ number }) => number,
    ),
    allProductInformation: allPages<SearchProductInformationInput, ProductInformation>(
      { operation: 'searchProductInformation', domain: 'order' },
      searchProductInformation(context),
      100,
      ({ number, release }) => `${number} ${release ?? ''}`,
    ),
    allPackageContent: allPages<SearchPackageContentInput, PackageContent>(
      { operation: 'searchPackageContent', domain: 'order' },
      searchPackageContent(context),
      10,
      (item) => JSON.stringify(item),
    ),
  };
}
