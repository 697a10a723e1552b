import { writeCsv } from '../bulk/csv.ts';
import { type JobState, type QueryJob, requireState } from '../bulk/jobs.ts';
import { bulkTable, extract, locatorOf, NO_MORE, pageAt } from '../bulk/query.ts';
import type { Org } from '../org.ts';
import { failure } from '../store/failure.ts';
import { readFormat } from './bulk-ingest.ts';
import { describeJob, jobList, termsOf } from './bulk-job.ts';
import { type ApiAnswer, type ApiRequest, objectBody, type Route } from './route.ts';

/** The page size if the client requests none. */
const DEFAULT_PAGE = 50_000;
/** How many pages one call of `resultPages` lists. */
const PARALLEL_PAGES = 5;

function createJob(org: Org, request: ApiRequest): ApiAnswer {
  const body = objectBody(request.body);
  const { operation, query } = body;
  if (operation !== 'query' && operation !== 'queryAll') {
    throw failure(400, 'INVALIDJOB', `InvalidJob : The operation ${String(operation)} is not supported.`);
  }
  const soql = String(query ?? '');
  const { object } = bulkTable(org, request.userId, soql, operation);
  const job = org.bulk.openQuery(termsOf(request, object, readFormat(body)), operation, soql);
  org.bulk.run(job, extract(org, job));
  return { status: 200, body: describeJob(job) };
}

/** The job whose results are asked for. Throws 409 for another API version than the job was created with, and 400 while the job runs. */
function completed(org: Org, request: ApiRequest, id: string): QueryJob {
  const job = org.bulk.find('query', id);
  if (job.apiVersion !== request.version) {
    throw failure(409, 'API_ERROR', `The job was made with version ${job.apiVersion}.0 of the API.`);
  }
  requireState(job, ['JobComplete'], 'it has no results.');
  return job;
}

function sizeOf(request: ApiRequest): number {
  const wanted = Number(request.query.get('maxRecords') ?? DEFAULT_PAGE);
  return Number.isInteger(wanted) && wanted > 0 ? wanted : DEFAULT_PAGE;
}

function results(org: Org, request: ApiRequest, id: string): ApiAnswer {
  const job = completed(org, request, id);
  const { table, locator } = pageAt(job, request.query.get('locator'), sizeOf(request));
  return {
    status: 200,
    headers: { 'Sforce-Locator': locator, 'Sforce-NumberOfRecords': String(table.rows.length) },
    text: { contentType: 'text/csv', content: writeCsv(table, job.format) },
  };
}

function resultPages(org: Org, request: ApiRequest, id: string): ApiAnswer {
  const job = completed(org, request, id);
  const size = sizeOf(request);
  const count = Math.max(1, Math.ceil((job.result?.rows.length ?? 0) / size));
  const first = Number(request.query.get('page') ?? 0);
  const root = `${request.base}/jobs/query/${job.id}`;
  const last = Math.min(count, first + PARALLEL_PAGES);
  const resultPages = Array.from({ length: last - first }, (_, i) => ({
    resultLink: `${root}/results?locator=${locatorOf((first + i) * size)}&maxRecords=${size}`,
  }));
  const nextRecordsUrl = last < count ? `${root}/resultPages?page=${last}&maxRecords=${size}` : NO_MORE;
  return { status: 200, body: { resultPages, nextRecordsUrl, done: last >= count } };
}

function abort(org: Org, request: ApiRequest, id: string): ApiAnswer {
  const job = org.bulk.find('query', id);
  if (objectBody(request.body)['state'] !== 'Aborted') {
    throw failure(400, 'INVALIDJOBSTATE', 'A client can only abort a query job.');
  }
  requireState(job, ['UploadComplete', 'InProgress'], 'it cannot be aborted any more.');
  org.bulk.moveTo(job, 'Aborted');
  return { status: 200, body: describeJob(job) };
}

const ENDED: readonly JobState[] = ['JobComplete', 'Aborted', 'Failed'];

function removeJob(org: Org, id: string): ApiAnswer {
  const job = org.bulk.find('query', id);
  requireState(job, ENDED, 'it cannot be deleted before it has ended.');
  org.bulk.remove(job);
  return { status: 204 };
}

/** Bulk API 2.0, query: `jobs/query` and below. */
export const BULK_QUERY_ROUTES: readonly Route[] = [
  { method: 'POST', pattern: '/jobs/query', operation: 'bulk.query.create', handle: createJob },
  {
    method: 'GET',
    pattern: '/jobs/query',
    operation: 'bulk.query.list',
    handle: (org) => jobList(org.bulk.ofKind('query')),
  },
  {
    method: 'GET',
    pattern: '/jobs/query/:id',
    operation: 'bulk.query.read',
    handle: (org, _request, { id = '' }) => ({ status: 200, body: describeJob(org.bulk.find('query', id)) }),
  },
  {
    method: 'PATCH',
    pattern: '/jobs/query/:id',
    operation: 'bulk.query.abort',
    handle: (org, request, { id = '' }) => abort(org, request, id),
  },
  {
    method: 'DELETE',
    pattern: '/jobs/query/:id',
    operation: 'bulk.query.delete',
    handle: (org, _request, { id = '' }) => removeJob(org, id),
  },
  {
    method: 'GET',
    pattern: '/jobs/query/:id/results',
    operation: 'bulk.query.results',
    handle: (org, request, { id = '' }) => results(org, request, id),
  },
  {
    method: 'GET',
    pattern: '/jobs/query/:id/resultPages',
    operation: 'bulk.query.resultPages',
    handle: (org, request, { id = '' }) => resultPages(org, request, id),
  },
];
