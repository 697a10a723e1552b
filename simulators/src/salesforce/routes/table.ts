import { notSimulatedIn } from '../not-simulated.ts';
import type { Org } from '../org.ts';
import { withAssignmentRuleHeader } from '../org-rules/assignment-header.ts';
import { withDuplicateRuleHeader } from '../org-rules/duplicate-header.ts';
import { failure, notFound } from '../store/failure.ts';
import { BULK_INGEST_ROUTES } from './bulk-ingest.ts';
import { BULK_QUERY_ROUTES } from './bulk-query.ts';
import { COLLECTION_ROUTES } from './collections.ts';
import { answerOf, COMPOSITE_ROUTES } from './composite.ts';
import { GRAPH_ROUTES } from './graph.ts';
import { LAYOUT_ROUTES } from './layouts.ts';
import { LIST_VIEW_ROUTES } from './list-views.ts';
import { ORG_ROUTES } from './org-info.ts';
import { PICKLIST_VALUE_ROUTES } from './picklist-values.ts';
import type { PlannedFaults } from './planned-faults.ts';
import { QUERY_ROUTES } from './query.ts';
import { RECORD_ROUTES } from './records.ts';
import { type ApiAnswer, type ApiRequest, allowedMethods, matchRoute, type Route } from './route.ts';
import { SEARCH_ROUTES } from './search.ts';
import { TOOLING_ROUTES } from './tooling.ts';
import { TREE_ROUTES } from './tree.ts';

/** Every call of the data API. The first match wins, so routes with fixed words come before those with placeholders. */
export const DATA_ROUTES: readonly Route[] = [
  ...ORG_ROUTES,
  ...QUERY_ROUTES,
  ...SEARCH_ROUTES,
  ...COMPOSITE_ROUTES,
  ...GRAPH_ROUTES,
  ...COLLECTION_ROUTES,
  ...TREE_ROUTES,
  ...BULK_INGEST_ROUTES,
  ...BULK_QUERY_ROUTES,
  ...LAYOUT_ROUTES,
  ...PICKLIST_VALUE_ROUTES,
  ...LIST_VIEW_ROUTES,
  ...TOOLING_ROUTES,
  ...RECORD_ROUTES,
];

/** Answers a call of the data API, failures included. A failed call's changes are undone. */
export function dispatch(org: Org, request: ApiRequest, planned: PlannedFaults): ApiAnswer {
  const dispatchPart = (part: ApiRequest): ApiAnswer => {
    const operation = matchRoute(DATA_ROUTES, part.method, part.path)?.route.operation ?? 'unknown';
    return planned.part(operation, `${part.path}\n${JSON.stringify(part.body)}`) ?? dispatch(org, part, planned);
  };
  const answer = answerOf(() => {
    const found = matchRoute(DATA_ROUTES, request.method, request.path);
    if (found === undefined) throw unmatched(request);
    const { route, params } = found;
    const seen = withAssignmentRuleHeader(
      withDuplicateRuleHeader(org.access.seenBy(org, request.userId), request.headers),
      request.headers,
    );
    const rowFault = (rows: number) => planned.row(route.operation, rows);
    return org.limits.transaction(() =>
      org.store.transact(() => route.handle(seen, { ...request, rowFault }, params, dispatchPart)),
    );
  });
  for (const sentence of notSimulatedIn(answer)) org.asked.add(sentence);
  return answer;
}

function unmatched({ method, path }: ApiRequest): Error {
  const allowed = allowedMethods(DATA_ROUTES, path);
  if (allowed.length === 0) return notFound();
  const message = `HTTP Method '${method}' not allowed. Allowed are ${allowed.join(',')}`;
  return failure(405, 'METHOD_NOT_ALLOWED', message);
}
