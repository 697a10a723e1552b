import type { z } from 'zod';
import type { OrderOperation, OrderRoute, SalesOperation, SalesRoute } from '../operations.ts';
import { ORDER_ANSWERS } from './order-answers.ts';
import { gatewayMessage, SALES_ANSWERS } from './sales-answers.ts';

/** The body of each documented status of a route. */
export type Answers = Readonly<Record<number, z.ZodType>>;

const GATEWAY: Answers = { 401: gatewayMessage, 403: gatewayMessage, 429: gatewayMessage };
const { badDate, unavailable } = SALES_ANSWERS;
const WRITE: Answers = { 406: badDate, 503: unavailable };

const SALES: Readonly<Record<SalesOperation, Answers>> = {
  createLeadOpportunity: { 201: SALES_ANSWERS.created, 400: SALES_ANSWERS.createRefused, ...WRITE },
  updateLeadOpportunity: { 200: SALES_ANSWERS.updated, 400: SALES_ANSWERS.updateRefused, ...WRITE },
  readLeadOpportunity: { 200: SALES_ANSWERS.read, 500: SALES_ANSWERS.outOfScope, 503: unavailable },
  searchLeadOpportunities: { 200: SALES_ANSWERS.found, 400: SALES_ANSWERS.searchRefused, 503: unavailable },
  searchPortfolioItems: { 200: SALES_ANSWERS.portfolio, 400: SALES_ANSWERS.portfolioRefused },
};

const INVALID: Answers = { 400: ORDER_ANSWERS.invalid };
const INVALID_OR_MISSING: Answers = { ...INVALID, 404: ORDER_ANSWERS.notFound };

const ORDER: Readonly<Record<OrderOperation, (version: 'v0' | 'v1') => Answers>> = {
  generateApiKey: () => ({ 200: ORDER_ANSWERS.key }),
  searchOrders: (version) => ({ 200: ORDER_ANSWERS.orders[version], ...INVALID }),
  readOrder: (version) => ({ 200: ORDER_ANSWERS.order[version], ...INVALID_OR_MISSING }),
  searchPriceLists: () => ({ 200: ORDER_ANSWERS.priceLists }),
  searchAccreditations: (version) => ({ 200: ORDER_ANSWERS.accreditations[version], ...INVALID }),
  searchProductPrices: () => ({ 200: ORDER_ANSWERS.prices, ...INVALID_OR_MISSING }),
  searchProductInformation: () => ({ 200: ORDER_ANSWERS.information, ...INVALID_OR_MISSING }),
  searchPackageContent: () => ({ 200: ORDER_ANSWERS.content, ...INVALID_OR_MISSING }),
};

/** The answers of a route, by status: exactly the statuses of sales spec 4 and order spec 4. */
export function answersOf(route: SalesRoute | OrderRoute): Answers {
  const own =
    route.scope === 'sales'
      ? SALES[route.operation as SalesOperation]
      : ORDER[route.operation as OrderOperation](route.label);
  return { ...own, ...GATEWAY };
}

/** The body with which a strict sandbox refuses what the documents do not allow, with status 400. */
export function strictAnswerOf({ scope, operation }: SalesRoute | OrderRoute): z.ZodType {
  if (scope === 'order') return ORDER_ANSWERS.invalid;
  return operation === 'searchPortfolioItems' ? SALES_ANSWERS.portfolioStrictRefused : SALES_ANSWERS.strictRefused;
}
