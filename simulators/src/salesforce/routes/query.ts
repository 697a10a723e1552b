import type { Org } from '../org.ts';
import { describeColumns } from '../soql/column-metadata.ts';
import { runSoql } from '../soql/execute.ts';
import { explainSoql } from '../soql/explain.ts';
import { pointing } from '../soql/pointer.ts';
import type { QueryRecord } from '../soql/project.ts';
import { queryEnv } from '../soql/query-env.ts';
import { failure } from '../store/failure.ts';
import { fitting } from './cursors.ts';
import { explainView } from './list-views.ts';
import type { ApiAnswer, ApiRequest, Route } from './route.ts';

const DEFAULT_PAGE_SIZE = 2000;
const MIN_PAGE_SIZE = 200;

/** `Sforce-Query-Options: batchSize=n`, kept between 200 and 2000 as by Salesforce. */
function pageSize(headers: Readonly<Record<string, string>>): number {
  const wanted = /batchSize\s*=\s*(\d+)/i.exec(headers['sforce-query-options'] ?? '')?.[1];
  if (wanted === undefined) return DEFAULT_PAGE_SIZE;
  return Math.min(DEFAULT_PAGE_SIZE, Math.max(MIN_PAGE_SIZE, Number(wanted)));
}

function pageAt(org: Org, { base }: ApiRequest, locator: string): object {
  const { totalSize, records, next } = org.cursors.read(locator);
  const more = next === null ? {} : { nextRecordsUrl: `${base}/query/${next}` };
  return { totalSize, done: next === null, ...more, records };
}

/** All records, or the first page with the address of the next. */
function firstPage(org: Org, request: ApiRequest, records: readonly QueryRecord[]): object {
  const size = pageSize(request.headers);
  if (fitting(records, size) === records.length) return { totalSize: records.length, done: true, records };
  return pageAt(org, request, org.cursors.open(records, size));
}

function runQuery(org: Org, request: ApiRequest, includeDeleted: boolean): ApiAnswer {
  const { query, base, userId } = request;
  const env = {
    ...queryEnv(org, userId, { base, includeDeleted }),
    firstPage: (records: readonly QueryRecord[]) => firstPage(org, request, records),
  };
  const explained = query.get('explain');
  if (explained !== null) {
    const plan = () => explainView(org, request, explained) ?? explainSoql(env, explained);
    return { status: 200, body: pointing(explained, plan) };
  }
  const soql = query.get('q') ?? '';
  if (soql === '') throw failure(400, 'MALFORMED_QUERY', 'A query string has to be specified');
  if (query.get('columns') === 'true') {
    return { status: 200, body: pointing(soql, () => describeColumns(org.store, soql)) };
  }
  const { totalSize, records, looked } = pointing(soql, () => runSoql(env, soql));
  if (looked !== undefined) org.recent.note(request.userId, looked.type, looked.ids);
  // The answer of COUNT() has a size and no records.
  if (records.length === 0) return { status: 200, body: { totalSize, done: true, records } };
  return { status: 200, body: firstPage(org, request, records) };
}

export const QUERY_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    pattern: '/query',
    operation: 'query',
    handle: (org, request) => runQuery(org, request, false),
  },
  {
    method: 'GET',
    pattern: '/queryAll',
    operation: 'queryAll',
    handle: (org, request) => runQuery(org, request, true),
  },
  {
    method: 'GET',
    pattern: '/query/:locator',
    operation: 'queryMore',
    handle: (org, request, params) => ({
      status: 200,
      body: pageAt(org, request, params['locator'] ?? ''),
    }),
  },
  {
    method: 'GET',
    pattern: '/queryAll/:locator',
    operation: 'queryMore',
    handle: (org, request, params) => ({
      status: 200,
      body: pageAt(org, request, params['locator'] ?? ''),
    }),
  },
];
