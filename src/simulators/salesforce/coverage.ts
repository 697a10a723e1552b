/** What of Salesforce's HTTP surface the simulator covers. A test holds this table against the registered routes. */
export type CoverageRow = {
  readonly method: string;
  /** Path below `/services/data/vXX.0`, or a whole path where it begins with `/services` or `/id`. */
  readonly path: string;
  readonly status: 'full' | 'partial' | 'none';
  readonly notes: string;
};

function row(method: string, path: string, status: CoverageRow['status'], notes = ''): CoverageRow {
  return { method, path, status, notes };
}

export const COVERAGE: readonly CoverageRow[] = [
  row('POST', '/services/oauth2/token', 'partial', 'JWT bearer and client credentials; no other grants'),
  row('POST', '/services/oauth2/revoke', 'full', 'access tokens; there are no refresh tokens'),
  row('GET', '/services/oauth2/userinfo', 'partial', 'the common claims'),
  row('GET', '/id/:organization/:user', 'partial', 'the common claims'),
  row('GET', '/services/oauth2/authorize', 'none', 'no browser flows'),
  row('POST', '/services/Soap/u/:version', 'none', 'SOAP login is being retired'),
  row('GET', '/services/data', 'full', 'v31.0 to v67.0'),
  row('GET', '/', 'partial', 'only the resources of this table'),
  row('GET', '/limits', 'partial', 'API requests, bulk jobs and storage are counted, the others are unused'),
  row('GET', '/sobjects', 'full'),
  row('GET', '/sobjects/:type', 'full'),
  row('GET', '/sobjects/:type/describe', 'partial', 'no layouts, record types, compound fields or formulas'),
  row('GET', '/sobjects/:type/updated', 'full', 'seconds are ignored, 30 days at most'),
  row('GET', '/sobjects/:type/deleted', 'full', 'seconds are ignored, 30 days at most'),
  row(
    'GET',
    '/query',
    'partial',
    'explain and columns=true too; no TYPEOF, ROLLUP, CUBE, convertTimezone, filters by distance; days are those of UTC',
  ),
  row('GET', '/queryAll', 'partial', 'as query, with deleted rows'),
  row('GET', '/query/:locator', 'full', 'the last 50 cursors'),
  row('GET', '/queryAll/:locator', 'full', 'the last 50 cursors'),
  row('POST', '/composite', 'partial', 'collateSubrequests is ignored'),
  row('POST', '/composite/batch', 'full'),
  row('POST', '/composite/tree/:type', 'full'),
  row('POST', '/composite/sobjects', 'full'),
  row('PATCH', '/composite/sobjects', 'full'),
  row('DELETE', '/composite/sobjects', 'full'),
  row('PATCH', '/composite/sobjects/:type/:field', 'full'),
  row('GET', '/composite/sobjects/:type', 'full'),
  row('POST', '/composite/sobjects/:type', 'full'),
  row('POST', '/sobjects/:type', 'partial', 'JSON bodies; no binary parts'),
  row(
    'GET',
    '/sobjects/:type/:id',
    'partial',
    'fields, conditions by date, and by ETag for accounts; JSON only',
  ),
  row('PATCH', '/sobjects/:type/:id', 'partial', 'If-Unmodified-Since, and If-Match for accounts; JSON only'),
  row('DELETE', '/sobjects/:type/:id', 'full'),
  row('GET', '/sobjects/:type/:field/:value', 'full', 'by external id, or from an id over a relationship'),
  row('PATCH', '/sobjects/:type/:field/:value', 'full'),
  row('DELETE', '/sobjects/:type/:field/:value', 'full'),
  row(
    'GET',
    '/search',
    'partial',
    'FIND, IN, RETURNING with WHERE, ORDER BY, LIMIT; no WITH, USING, snippets; found at once',
  ),
  row('GET', '/parameterizedSearch', 'partial', 'q, in, sobject, fields, limits'),
  row('POST', '/parameterizedSearch', 'partial', 'q, in, sobjects, fields, overallLimit'),
  row(
    'GET',
    '/recent',
    'partial',
    'rows of queries FOR VIEW and FOR REFERENCE; nobody works in a browser here',
  ),
  row('POST', '/composite/graph', 'partial', 'the depth of a graph is not measured'),
  row(
    'POST',
    '/jobs/ingest',
    'partial',
    'CSV, multipart too; no hardDelete (a permission), no assignment rules',
  ),
  row('GET', '/jobs/ingest', 'partial', 'all jobs at once; no filters'),
  row('GET', '/jobs/ingest/:id', 'partial', 'processing times are 0'),
  row('PATCH', '/jobs/ingest/:id', 'full', 'UploadComplete, Aborted'),
  row('DELETE', '/jobs/ingest/:id', 'full'),
  row('PUT', '/jobs/ingest/:id/batches', 'full', 'once, 100 MB'),
  row('GET', '/jobs/ingest/:id/successfulResults', 'full'),
  row('GET', '/jobs/ingest/:id/failedResults', 'full'),
  row('GET', '/jobs/ingest/:id/unprocessedrecords', 'full'),
  row('POST', '/jobs/query', 'partial', 'fields of the object and its parents; no functions'),
  row('GET', '/jobs/query', 'partial', 'all jobs at once; no filters'),
  row('GET', '/jobs/query/:id', 'partial', 'processing times are 0'),
  row('PATCH', '/jobs/query/:id', 'full', 'Aborted'),
  row('DELETE', '/jobs/query/:id', 'full'),
  row('GET', '/jobs/query/:id/results', 'full'),
  row('GET', '/jobs/query/:id/resultPages', 'full'),
  row(
    'POST',
    '/services/async/:version/job',
    'partial',
    'CSV and JSON; no XML, ZIP, serial mode or PK chunking',
  ),
  row('GET', '/services/async/:version/job/:id', 'full'),
  row('POST', '/services/async/:version/job/:id', 'full'),
  row('POST', '/services/async/:version/job/:id/batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch/result', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch/result/:result', 'full'),
  row('GET', '/tooling/query', 'none', 'Tooling and Metadata API'),
];
