/** How the simulator covers one route of Salesforce's HTTP API. A test holds this table against the registered routes. */
export type CoverageRow = {
  readonly method: string;
  /** Path below `/services/data/vXX.0`. A path that begins with `/services`, `/id` or `/.well-known` is complete. */
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
  row('GET', '/services/oauth2/revoke', 'full'),
  row('POST', '/services/oauth2/introspect', 'partial', 'access tokens; no times'),
  row('GET', '/services/oauth2/userinfo', 'partial', 'the common claims'),
  row('GET', '/id/:organization/:user', 'partial', 'the common claims'),
  row(
    'GET',
    '/.well-known/openid-configuration',
    'partial',
    'names the addresses for browsers, of keys and of registration, where nobody answers',
  ),
  row('GET', '/services/oauth2/authorize', 'none', 'no browser flows'),
  row(
    'POST',
    '/services/Soap/u/:version',
    'partial',
    'convertLead, merge, undelete, getServerTimestamp; no login (it is being retired) and no other call; planned faults answer as REST does; of the headers the session and DuplicateRuleHeader; of LeadConvert all but the e-mail and the elements that documents call internal (bypassAccountDedupeCheck, bypassContactDedupeCheck, …Record); nothing was found on a contact without its account, or of another, in convertLead, on the account of an opportunity that is given to it, on the code where a queue owns the lead, on field-level security of mapped fields, nor on the codes of a merge of too many; merge takes `request` as the WSDL names it, and nothing was found on the `mergeRequests` that jsforce sends',
  ),
  row('POST', '/services/Soap/c/:version', 'partial', 'the same calls, by the enterprise WSDL'),
  row(
    'POST',
    '/services/Soap/m/:version',
    'partial',
    'deploy, checkDeployStatus and describeMetadata of the Metadata API: judges every component by the types of the WSDL, by what it names and by rules of its type; compiles no component; the org itself stays as it was started, so objects, fields and permission sets that it lacks are refused unless the deployment only checks; no retrieve, no destructive changes, no Apex',
  ),
  row(
    'GET',
    '/services/data',
    'full',
    'v31.0 to v67.0; those before are 410, and nothing was found on their error code',
  ),
  row(
    'GET',
    '/',
    'partial',
    'only the resources of this table; every answer is JSON, and an address may end in .json: no XML, whatever Accept says; compressed by gzip or deflate from 1,024 bytes',
  ),
  row('GET', '/limits', 'partial', 'API requests, bulk jobs and storage are counted, the others are unused'),
  row(
    'GET',
    '/limits/recordCount',
    'partial',
    'exact, where an org counts now and then; nothing was found on objects that are not there: they are left out',
  ),
  row(
    'GET',
    '/sobjects',
    'partial',
    'the objects of this page; of the setup the flows, duplicate rules, permission sets and their assignments, by queries, for users with View Setup and Configuration (nothing was found on who sees FlowDefinitionView); two profiles, where what a user may do follows from who it is and not from ProfileId; no roles, licences or shares as objects, nor statuses of cases and tasks; rows are shared by owner, by the default of their object and by the admin surface: no role hierarchy and no sharing rules; duplicate rules compare exactly: no fuzzy matching; of activities only tasks, about accounts, opportunities, cases and products; one list of lead statuses; queues own leads and cases, of users that are members themselves; assignment rules by criteria without formulas, for leads and cases; a conversion of a lead keeps to validation rules unless the settings say otherwise, and always runs flows and messages; no recurrence or case comments; nothing was found on what becomes of the tasks of a deleted contact: they stay',
  ),
  row('GET', '/sobjects/:type', 'full'),
  row(
    'GET',
    '/sobjects/:type/describe',
    'partial',
    'record types and formula fields too; of compound fields the addresses; no dependent picklists but those of states',
  ),
  row('GET', '/sobjects/:type/updated', 'partial', 'seconds are ignored, 30 days at most; no limit of 600,000 ids'),
  row('GET', '/sobjects/:type/deleted', 'partial', 'as updated; 15 days, as long as the recycle bin keeps a row'),
  row(
    'GET',
    '/query',
    'partial',
    'explain, columns=true and convertCurrency too; legal forms that are not simulated are listed below, and refused with 501 and NOT_SIMULATED; nothing was found on the words that refuse a clause in a semi-join, a wrong backslash, ALL ROWS, nor OFFSET in a sub-query; no limit of 20 sub-queries, whose pages are as long as the query’s; of compound fields the addresses, not the names of people; nothing was found on the words that refuse TYPEOF of a lookup to one object, nor a sixth parent; weeks begin on Sunday; nothing was found on the digits of converted amounts, nor on the words that refuse convertCurrency',
  ),
  row('GET', '/queryAll', 'partial', 'as query, with deleted rows'),
  row('GET', '/query/:locator', 'full', 'for two days, the last 50 cursors'),
  row('GET', '/queryAll/:locator', 'full', 'for two days, the last 50 cursors'),
  row(
    'POST',
    '/composite',
    'partial',
    'collateSubrequests is ignored; a sub-request without a header about assignment rules has the call’s, on which nothing was found; nothing was found on which sub-requests share governor limits: each has its own',
  ),
  row('POST', '/composite/batch', 'full'),
  row('POST', '/composite/tree/:type', 'full', 'nothing was found on the words that refuse a tree that is too large'),
  row('POST', '/composite/sobjects', 'full'),
  row('PATCH', '/composite/sobjects', 'full'),
  row('DELETE', '/composite/sobjects', 'full'),
  row('PATCH', '/composite/sobjects/:type/:field', 'full'),
  row('GET', '/composite/sobjects/:type', 'full'),
  row('POST', '/composite/sobjects/:type', 'full'),
  row('POST', '/sobjects/:type', 'partial', 'JSON bodies; no binary parts'),
  row('POST', '/sobjects/:type/:id', 'full', 'Id in the place of an id: a new row'),
  row(
    'GET',
    '/sobjects/:type/:id',
    'partial',
    'fields, conditions by date, and by ETag for accounts; JSON only; nothing was found on the error codes of 412, nor of 400 for a condition that holds none',
  ),
  row(
    'PATCH',
    '/sobjects/:type/:id',
    'partial',
    'If-Unmodified-Since, and If-Match for accounts; JSON only; conditions refuse as of a GET',
  ),
  row('DELETE', '/sobjects/:type/:id', 'full'),
  row('GET', '/sobjects/:type/:field/:value', 'full', 'by external id, or from an id over a relationship'),
  row(
    'PATCH',
    '/sobjects/:type/:field/:value',
    'full',
    'nothing was found on the error code where the external id is not unique and the user lacks View All Data',
  ),
  row('DELETE', '/sobjects/:type/:field/:value', 'full'),
  row(
    'GET',
    '/search',
    'partial',
    'FIND, IN, RETURNING with WHERE, ORDER BY, LIMIT; no WITH, USING, snippets; found at once',
  ),
  row('GET', '/parameterizedSearch', 'partial', 'q, in, sobject, fields, limits'),
  row('POST', '/parameterizedSearch', 'partial', 'q, in, sobjects, fields, overallLimit'),
  row('GET', '/recent', 'partial', 'rows of queries FOR VIEW and FOR REFERENCE; nobody works in a browser here'),
  row(
    'POST',
    '/composite/graph',
    'partial',
    'headers of nodes, conditions among them, count only where the admin surface says so: the guide’s editions up to Winter ’24 list them, the newest do not, and nothing was found on what orgs do; nothing was found on the error codes of limits either; graphs, and the nodes of one, are run in their order',
  ),
  row(
    'POST',
    '/jobs/ingest',
    'partial',
    'CSV, multipart too; no hardDelete (a permission), no assignmentRuleId; nothing was found on a column that stands twice, nor on other columns than Id in a deletion: both are taken',
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
  row('PATCH', '/jobs/query/:id', 'partial', 'Aborted; a small job is over before'),
  row('DELETE', '/jobs/query/:id', 'full'),
  row('GET', '/jobs/query/:id/results', 'full'),
  row('GET', '/jobs/query/:id/resultPages', 'full'),
  row('POST', '/services/async/:version/job', 'partial', 'CSV and JSON; no XML, ZIP, serial mode or PK chunking'),
  row('GET', '/services/async/:version/job/:id', 'full'),
  row('POST', '/services/async/:version/job/:id', 'full'),
  row('POST', '/services/async/:version/job/:id/batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch/result', 'full'),
  row('GET', '/services/async/:version/job/:id/batch/:batch/result/:result', 'full'),
  row('GET', '/sobjects/:type/describe/layouts', 'partial', 'one layout of all fields'),
  row('GET', '/sobjects/:type/describe/namedLayouts/:layout', 'partial', 'UserAlt'),
  row('GET', '/sobjects/:type/describe/compactLayouts', 'partial', 'the system default'),
  row('GET', '/sobjects/:type/describe/approvalLayouts', 'full', 'there are no approval processes'),
  row(
    'GET',
    '/ui-api/object-info/:type/picklist-values/:recordType',
    'partial',
    'the rest of the User Interface API is not there; nothing was found on the errors for a record type that is not there, nor for an object that is hidden',
  ),
  row('GET', '/ui-api/object-info/:type/picklist-values/:recordType/:field', 'partial', 'as those of all fields'),
  row('GET', '/sobjects/:type/listviews', 'partial', 'one view of all rows'),
  row('GET', '/sobjects/:type/listviews/:view/describe', 'full'),
  row('GET', '/sobjects/:type/listviews/:view/results', 'partial', 'limit and offset; no sort'),
  row(
    'GET',
    '/tooling/query',
    'partial',
    'ValidationRule and EntityDefinition alone, for users who see the setup; in one page; nothing was found on how others are refused: as any object that they may not see',
  ),
  row('GET', '/quickActions', 'none', 'nobody works in a browser here'),
  row('GET', '/tabs', 'none', 'nor with tabs'),
  row('GET', '/compactLayouts', 'none', 'of several objects at once'),
  row('GET', '/search/suggestions', 'none', 'what a browser offers while somebody types'),
  row('GET', '/actions', 'none', 'neither these nor approvals: no processes'),
  row('GET', '/tooling/sobjects/:type/:id', 'none', 'the rest of the Tooling API, and the Metadata API'),
];

/** A method of the Pub/Sub API (`eventbus.v1.PubSub` over gRPC). A test holds this table against the service. */
export type PubSubCoverageRow = Pick<CoverageRow, 'method' | 'status' | 'notes'>;

export const PUB_SUB_COVERAGE: readonly PubSubCoverageRow[] = [
  {
    method: 'Subscribe',
    status: 'partial',
    notes:
      'change events of at most five selected objects, on /data/ChangeEvents, a channel of their own or a custom channel, enriched there; no filters, no platform events; each row of a collection is a transaction; what a merge moves to another parent tells nothing; long texts are sent whole, never as diffFields; no allocation of events a day; nothing was found on the channel of an object that is not selected: it is not there; nor on how a stream ends that nobody asks any more: without an error; nor on the gRPC status of most error codes; the annotations of a schema are those that schemas of real orgs show',
  },
  { method: 'GetTopic', status: 'full', notes: '' },
  {
    method: 'GetSchema',
    status: 'partial',
    notes: 'nothing was found on the status of a schema id that was never given: PERMISSION_DENIED',
  },
  {
    method: 'Publish',
    status: 'partial',
    notes: 'nobody publishes change events; nothing was found on the error code that says so',
  },
  { method: 'PublishStream', status: 'partial', notes: 'refused as Publish' },
  { method: 'ManagedSubscribe', status: 'none', notes: 'a beta service' },
];

/** A call of the admin surface that only this simulator has. A test holds this table against the registered routes. */
export type AdminCall = { readonly call: string; readonly does: string };

export const ADMIN_CALLS: readonly AdminCall[] = [
  { call: 'GET /outbound', does: 'where outbound messages go, and those that wait' },
  { call: 'PUT /outbound', does: 'sends them elsewhere, or holds them back: `{url}`' },
  { call: 'GET /bells', does: 'the custom notifications that flows have sent' },
  { call: 'POST /records/:id/undelete', does: 'brings a row back from the recycle bin' },
  { call: 'POST /records/:id/purge', does: 'deletes a row for good' },
  { call: 'POST /records/:id/merge', does: 'merges another account or contact into this one: `{loser}`' },
  { call: 'POST /records/:id/convert', does: 'converts a lead: `{accountId, opportunityId, doNotCreateOpportunity}`' },
  { call: 'DELETE /sessions', does: 'ends all sessions but those of this page' },
  {
    call: 'POST /users',
    does: 'adds a sales person with permission sets, and answers with an access token: `{lastName, permissionSets}`',
  },
  { call: 'GET /access', does: 'who may do what: permission sets, sharing, exceptions' },
  {
    call: 'PUT /access',
    does: 'an object, a field or a row hidden from a user, or read only: `{user, record, access}`',
  },
  { call: 'PUT /sharing', does: 'the organization-wide default of an object: `{object, model}`' },
  { call: 'DELETE /access', does: 'takes all of that back' },
  {
    call: 'GET /notices',
    does: 'what of the metadata is not simulated, and under `asked` what clients asked for that an org takes and this one does not',
  },
  { call: 'GET /automations', does: 'the before-save automations' },
  { call: 'POST /automations', does: 'formulas that rewrite what is saved: `{object, on, when, set}`' },
  { call: 'DELETE /automations', does: 'takes them away' },
  { call: 'GET /picklists', does: 'what was done to picklists' },
  {
    call: 'PUT /picklists',
    does: 'renames a value of a picklist, or with null deactivates it, as an administrator does; rows and record types keep what they have: `{field, value, becomes}`',
  },
  { call: 'DELETE /picklists', does: 'takes that back' },
  { call: 'GET /api-versions', does: 'the oldest and the newest version of the REST API' },
  {
    call: 'PUT /api-versions',
    does: 'retires versions, which are then answered 410, or takes new ones away, which are then answered 404: `{oldest, newest}`',
  },
  {
    call: 'GET /limits',
    does: 'what the org refuses for its own state: read-only mode, requests that run for long, triggers, locked rows',
  },
  {
    call: 'PUT /limits',
    does: 'sets what is given: `{readOnly, longRequests, triggers}`, a trigger as `{object, queriesPerRow, cpuMsPerRow}`',
  },
  { call: 'DELETE /limits', does: 'as at the start, and no row is locked' },
  { call: 'PUT /records/:id/lock', does: 'locks a row and its details, as an approval does: `{locked}`' },
  { call: 'GET /transactions', does: 'the transactions that have not committed' },
  { call: 'POST /transactions', does: 'saves now, commits late: `{writes, commitAfterMs}`' },
  { call: 'POST /transactions/commit', does: 'commits all of them' },
  {
    call: 'GET /change-events',
    does: 'the objects selected for Change Data Capture, and the events of 72 hours',
  },
  { call: 'POST /change-events/gaps', does: 'the next so many change events are gap events: `{events}`' },
  { call: 'DELETE /change-events', does: 'begins the stream again: earlier replay ids are refused' },
  { call: 'GET /graphs', does: 'whether the headers of nodes in composite graphs count' },
  {
    call: 'PUT /graphs',
    does: 'has them count, or not, as at first: `{takesHeaders}`; an org without graphs is a fault of `composite.graph`',
  },
];
