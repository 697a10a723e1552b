import type { Org } from '../org.ts';
import { runSoql } from '../soql/execute.ts';
import { malformed, parseSoql } from '../soql/parse.ts';
import { pointing } from '../soql/pointer.ts';
import type { QueryRecord } from '../soql/project.ts';
import { queryEnv } from '../soql/query-env.ts';
import { failure } from '../store/failure.ts';
import type { ApiAnswer, ApiRequest, Route } from './route.ts';

/** Columns that a query may select only if it returns a single row (Tooling API: ValidationRule). */
const ONE_AT_A_TIME = ['Metadata', 'FullName'];

/** Runs SOQL over what the Tooling API shows, for users who see the setup. */
function runToolingQuery(org: Org, request: ApiRequest): ApiAnswer {
  const soql = request.query.get('q') ?? '';
  const env = { ...queryEnv(org, request.userId, { base: `${request.base}/tooling` }), store: org.tooling };
  const { records, totalSize } = pointing(soql, () => {
    const entity = parseSoql(soql).sObject ?? '';
    // Refused like any object that a user may not see.
    if (!org.access.hasUserPermission(request.userId, 'ViewSetup')) {
      throw failure(400, 'INVALID_TYPE', `sObject type '${entity}' is not supported.`);
    }
    return runSoql(env, soql);
  });
  checkOneAtATime(records);
  const entityTypeName = org.tooling.schema.object(parseSoql(soql).sObject ?? '')?.name ?? null;
  return {
    status: 200,
    body: {
      size: records.length,
      totalSize,
      done: true,
      queryLocator: null,
      entityTypeName,
      records: records.map(withMetadata),
    },
  };
}

function checkOneAtATime(records: readonly QueryRecord[]): void {
  const [first] = records;
  if (records.length < 2 || !ONE_AT_A_TIME.some((name) => name in (first ?? {}))) return;
  throw malformed(
    `When retrieving results with Metadata or FullName fields, the query qualifications must specify no more than one row for retrieval. Result size: ${records.length}`,
  );
}

function withMetadata(record: QueryRecord): QueryRecord {
  const metadata = record['Metadata'];
  return typeof metadata === 'string' ? { ...record, Metadata: JSON.parse(metadata) } : record;
}

export const TOOLING_ROUTES: readonly Route[] = [
  { method: 'GET', pattern: '/tooling/query', operation: 'tooling.query', handle: runToolingQuery },
];
