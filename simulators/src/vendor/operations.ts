import type { OperationName } from '../core/request-log.ts';
import type { Scope } from './options.ts';

/** One route of the vendor's API. `path` is in the form of the documents: `{id}` stands for one segment. */
export type OperationRoute = {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly operation: string;
  readonly label: 'v0' | 'v1';
  readonly scope: Scope;
};

/** The operations of the sales domain, by the names that logs, faults and counters use. */
export type SalesOperation =
  | 'createLeadOpportunity'
  | 'updateLeadOpportunity'
  | 'readLeadOpportunity'
  | 'searchLeadOpportunities'
  | 'searchPortfolioItems';

export type OrderOperation =
  | 'generateApiKey'
  | 'searchOrders'
  | 'readOrder'
  | 'searchPriceLists'
  | 'searchAccreditations'
  | 'searchProductPrices'
  | 'searchProductInformation'
  | 'searchPackageContent';

export type OrderRoute = OperationRoute & { readonly operation: OrderOperation };
export type SalesRoute = OperationRoute & { readonly operation: SalesOperation };

const SALES = '/sales/api4partners';

function sales(method: OperationRoute['method'], path: string, operation: SalesOperation): SalesRoute {
  return {
    method,
    path: `${SALES}/${path}`,
    operation,
    label: path.startsWith('v1') ? 'v1' : 'v0',
    scope: 'sales',
  };
}

/** All routes of the sales domain (sales spec 4). */
export const SALES_ROUTES: readonly SalesRoute[] = [
  sales('POST', 'v0/leads-opportunities', 'createLeadOpportunity'),
  sales('POST', 'v1/leads-opportunities', 'createLeadOpportunity'),
  sales('PATCH', 'v0/leads-opportunities/{id}', 'updateLeadOpportunity'),
  sales('PATCH', 'v1/leads-opportunities/{id}', 'updateLeadOpportunity'),
  sales('GET', 'v0/leads-opportunities/{id}', 'readLeadOpportunity'),
  sales('GET', 'v1/leads-opportunities/{id}', 'readLeadOpportunity'),
  sales('POST', 'v0/leads-opportunities/search', 'searchLeadOpportunities'),
  sales('GET', 'v0/portfolio-items/search', 'searchPortfolioItems'),
];

const ORDER = '/order/api4partners';

function order(method: OperationRoute['method'], path: string, operation: OrderOperation): OrderRoute {
  return {
    method,
    path: `${ORDER}/${path}`,
    operation,
    label: path.startsWith('v1') ? 'v1' : 'v0',
    scope: 'order',
  };
}

/** All routes of the order domain (order spec 4). */
export const ORDER_ROUTES: readonly OrderRoute[] = [
  order('POST', 'v0/apikeys', 'generateApiKey'),
  order('POST', 'v0/orders/search', 'searchOrders'),
  order('POST', 'v1/orders/search', 'searchOrders'),
  order('GET', 'v0/orders/{id}', 'readOrder'),
  order('GET', 'v1/orders/{id}', 'readOrder'),
  order('GET', 'v0/price-lists/search', 'searchPriceLists'),
  order('GET', 'v0/accreditations/search', 'searchAccreditations'),
  order('GET', 'v1/accreditations/search', 'searchAccreditations'),
  order('POST', 'v0/product-price-list/search', 'searchProductPrices'),
  order('POST', 'v0/product-information/search', 'searchProductInformation'),
  order('POST', 'v0/package-offer-content/search', 'searchPackageContent'),
];

/** All routes of both domains. */
export const OPERATION_ROUTES: readonly (SalesRoute | OrderRoute)[] = [...SALES_ROUTES, ...ORDER_ROUTES];

/** Whether a route is a v0 one that a v1 path replaces (sales spec 9, order spec 9). */
export function isDeprecated({ operation, label }: OperationRoute): boolean {
  const hasSuccessor = OPERATION_ROUTES.some((other) => other.operation === operation && other.label === 'v1');
  return label === 'v0' && hasSuccessor;
}

/** True for the addresses of the order domain, existing or not. */
export function isOrderPath(path: string): boolean {
  return path.startsWith(`${ORDER}/`);
}

export const OPERATION_NAMES: readonly string[] = [...new Set(OPERATION_ROUTES.map((route) => route.operation))];

const PATTERNS = OPERATION_ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('{id}', '[^/]+')}$`),
}));

/** The routes at a path, of any method: `search` counts as an id if the method has no operation of that name. */
function routesAt(path: string): readonly (SalesRoute | OrderRoute)[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route);
}

/** The route that a request belongs to; `undefined` when the interface has none. */
export function routeOf(method: string, path: string): SalesRoute | OrderRoute | undefined {
  return routesAt(path).find((route) => route.method === method);
}

/**
 * The methods that exist at a path, in upper case; empty for a path that the interface lacks. A path without `{id}` comes before one with
 * it, as OpenAPI has it.
 */
export function methodsAt(path: string): readonly string[] {
  const all = routesAt(path);
  const exact = all.filter((route) => route.path === path);
  return (exact.length > 0 ? exact : all).map((route) => route.method);
}

/** Operation and version of a request, for the log and the fault plan; `unknown` when there is no such route. */
export function nameOf(method: string, path: string): OperationName {
  const route = routeOf(method, path);
  return route === undefined ? { operation: 'unknown' } : { operation: route.operation, label: route.label };
}
