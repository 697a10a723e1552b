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

/** All routes (sales spec 4). */
export const OPERATION_ROUTES: readonly SalesRoute[] = [
  sales('POST', 'v0/leads-opportunities', 'createLeadOpportunity'),
  sales('POST', 'v1/leads-opportunities', 'createLeadOpportunity'),
  sales('PATCH', 'v0/leads-opportunities/{id}', 'updateLeadOpportunity'),
  sales('PATCH', 'v1/leads-opportunities/{id}', 'updateLeadOpportunity'),
  sales('GET', 'v0/leads-opportunities/{id}', 'readLeadOpportunity'),
  sales('GET', 'v1/leads-opportunities/{id}', 'readLeadOpportunity'),
  sales('POST', 'v0/leads-opportunities/search', 'searchLeadOpportunities'),
  sales('GET', 'v0/portfolio-items/search', 'searchPortfolioItems'),
];

export const OPERATION_NAMES: readonly string[] = [
  ...new Set(OPERATION_ROUTES.map((route) => route.operation)),
];

const PATTERNS = OPERATION_ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replaceAll('{id}', '[^/]+')}$`),
}));

/** The route that a request belongs to; `undefined` when the interface has none. */
export function routeOf(method: string, path: string): OperationRoute | undefined {
  return PATTERNS.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route;
}

/** The methods that exist at a path, in upper case; empty when the path is none of the interface's. */
export function methodsAt(path: string): readonly string[] {
  return PATTERNS.filter(({ pattern }) => pattern.test(path)).map(({ route }) => route.method);
}

/** Operation and version of a request, for the log and the fault plan; `unknown` when there is no such route. */
export function nameOf(method: string, path: string): OperationName {
  const route = routeOf(method, path);
  return route === undefined ? { operation: 'unknown' } : { operation: route.operation, label: route.label };
}
