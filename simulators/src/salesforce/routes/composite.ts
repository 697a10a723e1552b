import type { Org } from '../org.ts';
import { ApiFailure, failure } from '../store/failure.ts';
import { isDirectory, isRowLimited, parseDataUrl } from './data-url.ts';
import { type Answers, resolveReferences } from './references.ts';
import { type ApiAnswer, type ApiRequest, type Dispatch, listIn, objectBody, type Route } from './route.ts';

const MAX_REQUESTS = 25;
/** Limit of queries and collection calls together. */
const MAX_ROW_REQUESTS = 5;

export type SubRequest = {
  readonly method: string;
  readonly url: string;
  readonly referenceId: string;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

export type SubAnswer = {
  readonly body: unknown;
  readonly httpHeaders: Readonly<Record<string, string>>;
  readonly httpStatusCode: number;
  readonly referenceId: string;
};

class Rollback extends Error {}

function handleComposite(org: Org, request: ApiRequest, dispatch: Dispatch): ApiAnswer {
  const body = objectBody(request.body);
  const subRequests = listIn(body, 'compositeRequest').map(readSubRequest);
  checkLimits(subRequests);
  const compositeResponse = runSubs(org, request, subRequests, body['allOrNone'] === true, dispatch);
  return { status: 200, body: { compositeResponse } };
}

/** Runs sub-requests in order. With `allOrNone`, a failed sub-request undoes the others, whose answers then report it. */
export function runSubs(
  org: Org,
  request: ApiRequest,
  subRequests: readonly SubRequest[],
  allOrNone: boolean,
  dispatch: Dispatch,
): readonly SubAnswer[] {
  const results: SubAnswer[] = [];
  try {
    org.store.transact(() => {
      for (const sub of subRequests) results.push(runSub(request, sub, results, dispatch));
      if (allOrNone && results.some(isRefused)) throw new Rollback();
    });
    return results;
  } catch (error) {
    if (!(error instanceof Rollback)) throw error;
    const firstFailure = results.find(isRefused);
    return results.map((result) => (result === firstFailure ? result : stoppedBy(result.referenceId)));
  }
}

export function hasFailed(result: SubAnswer): boolean {
  return result.httpStatusCode >= 300;
}

/**
 * Whether a sub-request has failed, or a row of its collection. In a composite request that is all or none, a refused row of a collection
 * undoes everything (REST API Developer Guide, "allOrNone Parameters in Composite and Collections Requests").
 */
function isRefused(result: SubAnswer): boolean {
  const rows: unknown = result.body;
  return hasFailed(result) || (Array.isArray(rows) && rows.some((row) => row?.success === false));
}

export function stoppedBy(referenceId: string): SubAnswer {
  const message = 'The transaction was rolled back since another operation in the same transaction failed.';
  return {
    body: [{ errorCode: 'PROCESSING_HALTED', message }],
    httpHeaders: {},
    httpStatusCode: 400,
    referenceId,
  };
}

function runSub(request: ApiRequest, sub: SubRequest, before: readonly SubAnswer[], dispatch: Dispatch): SubAnswer {
  const answers: Answers = new Map(
    before.filter((each) => !hasFailed(each)).map((each) => [each.referenceId, each.body]),
  );
  const answer = answerOf(() => {
    const { url, body } = resolveReferences({ url: sub.url, body: sub.body }, answers);
    return dispatch({ ...request, ...parseDataUrl(url), method: sub.method, headers: sub.headers, body });
  });
  return {
    body: answer.body ?? null,
    httpHeaders: answer.headers?.['location'] ? { Location: answer.headers['location'] } : {},
    httpStatusCode: answer.status,
    referenceId: sub.referenceId,
  };
}

/** Runs work and turns a failure into its answer. */
export function answerOf(work: () => ApiAnswer): ApiAnswer {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiFailure) return { status: error.status, body: error.body };
    throw error;
  }
}

export function readSubRequest(input: unknown): SubRequest {
  const { method, url, referenceId, body, httpHeaders } = objectBody(input);
  if (typeof method !== 'string' || typeof url !== 'string' || typeof referenceId !== 'string') {
    throw failure(400, 'JSON_PARSER_ERROR', 'Each subrequest needs method, url and referenceId.');
  }
  if (!/^[A-Za-z0-9_]+$/.test(referenceId)) {
    throw failure(400, 'INVALID_INPUT', 'Reference IDs hold letters, digits and underscores only.');
  }
  const headers = Object.entries((httpHeaders as Record<string, string> | undefined) ?? {});
  return {
    method: method.toUpperCase(),
    url,
    referenceId,
    body,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), String(value)])),
  };
}

function checkLimits(subRequests: readonly SubRequest[]): void {
  if (subRequests.length > MAX_REQUESTS) {
    const message = `Limit reached. Cannot submit more than ${MAX_REQUESTS} subrequests in a composite request.`;
    throw failure(400, 'LIMIT_EXCEEDED', message);
  }
  if (subRequests.filter(({ url }) => isRowLimited(url)).length > MAX_ROW_REQUESTS) {
    const message = `Limit reached. Cannot submit more than ${MAX_ROW_REQUESTS} query or collection subrequests.`;
    throw failure(400, 'LIMIT_EXCEEDED', message);
  }
  if (new Set(subRequests.map(({ referenceId }) => referenceId)).size < subRequests.length) {
    throw failure(400, 'INVALID_INPUT', 'Each subrequest needs a referenceId of its own.');
  }
  if (subRequests.some(({ url }) => isDirectory(url))) {
    throw failure(400, 'INVALID_INPUT', 'A subrequest may not be a composite request itself.');
  }
}

function handleBatch(request: ApiRequest, dispatch: Dispatch): ApiAnswer {
  const body = objectBody(request.body);
  const batch = listIn(body, 'batchRequests').map(objectBody);
  if (batch.length > MAX_REQUESTS) {
    const message = `Limit reached. Cannot submit more than ${MAX_REQUESTS} subrequests in a batch.`;
    throw failure(400, 'LIMIT_EXCEEDED', message);
  }
  let hasStopped = false;
  const results = batch.map(({ method, url, richInput }) => {
    if (hasStopped) {
      const stopped = [{ errorCode: 'BATCH_PROCESSING_HALTED', message: 'Batch processing halted' }];
      return { statusCode: 412, result: stopped };
    }
    const answer = answerOf(() => {
      const target = parseDataUrl(String(url));
      return dispatch({
        ...request,
        ...target,
        method: String(method).toUpperCase(),
        headers: {},
        body: richInput,
      });
    });
    if (answer.status >= 300 && body['haltOnError'] === true) hasStopped = true;
    return { statusCode: answer.status, result: answer.body ?? null };
  });
  return { status: 200, body: { hasErrors: results.some(({ statusCode }) => statusCode >= 300), results } };
}

export const COMPOSITE_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    pattern: '/composite',
    operation: 'composite',
    handle: (org, request, _params, dispatch) => handleComposite(org, request, dispatch),
  },
  {
    method: 'POST',
    pattern: '/composite/batch',
    operation: 'composite.batch',
    handle: (_org, request, _params, dispatch) => handleBatch(request, dispatch),
  },
];
