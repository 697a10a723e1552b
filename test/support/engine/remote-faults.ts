import fc from 'fast-check';
import { FIELD_ROWS, OFFERS } from './fields.ts';

/** A gateway's page. */
const BLOCKED = '<html><body>Request blocked</body></html>';
/** Words in user entries for which a firewall refuses a record. */
const WORDS = FIELD_ROWS.flatMap(({ values }) =>
  values.filter((value) => typeof value === 'string' && /[a-z]{3}/i.test(value)),
) as readonly string[];

/** Answers of the vendor, or of a proxy in front of it, in place of the right one. */
export const vendorFault = fc.oneof(
  fc.record({
    operation: fc.constantFrom(
      'createLeadOpportunity',
      'updateLeadOpportunity',
      'readLeadOpportunity',
      'searchLeadOpportunities',
    ),
    cut: fc.constantFrom('before', 'after'),
    times: fc.constant(1),
  }),
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity', 'readLeadOpportunity'),
    hang: fc.constant(true),
    times: fc.constant(1),
  }),
  // A refusal that is repaired later.
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity'),
    status: fc.constant(400),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  // A refusal of one value or one line.
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity'),
    status: fc.constant(400),
    errorCode: fc.constant('ERR_NEW'),
    message: fc.constantFrom(
      'nextMilestone is too long',
      'status: this transition is not allowed',
      `offerLines: ${OFFERS[1]} is not sold any more`,
    ),
    times: fc.constant(1),
  }),
  // A fault that lasts as long as faults last.
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity', 'readLeadOpportunity'),
    status: fc.constant(500),
  }),
  fc.record({ status: fc.constant(503), times: fc.integer({ min: 1, max: 3 }) }),
  // A proxy before the vendor that answers with its own page.
  fc.record({
    status: fc.constantFrom(200, 408, 429, 500, 502, 503, 504),
    body: fc.constantFrom('<html><body>Try later</body></html>', ''),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ status: fc.constant(429), resetSeconds: fc.constantFrom(2, 30), times: fc.constant(1) }),
  fc.record({ status: fc.constantFrom(401, 403), times: fc.integer({ min: 1, max: 2 }) }),
  // Temporary and undocumented answers.
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity', 'readLeadOpportunity'),
    status: fc.constantFrom(409, 422, 423, 425),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    status: fc.constantFrom(400, 401, 403, 404, 406),
    body: fc.constantFrom(BLOCKED, ''),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  // Two limiters, each with its own count.
  fc.record({
    status: fc.constant(429),
    resetSeconds: fc.constantFrom(0, 30),
    retryAfterSeconds: fc.constantFrom(0, 40, 3_600),
    times: fc.constant(1),
  }),
  // A firewall that refuses one record's content, with its own text or with that of an expired key.
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity'),
    status: fc.constant(403),
    words: fc.constantFrom(...WORDS),
  }),
  fc.record({
    operation: fc.constantFrom('createLeadOpportunity', 'updateLeadOpportunity'),
    status: fc.constant(403),
    body: fc.constant(BLOCKED),
    words: fc.constantFrom(...WORDS),
  }),
);
/** Parts of a composite request that write. */
const CRM_WRITES = ['sobject.update', 'collections.upsert', 'collections.create'] as const;
/** Error codes of a part or a call that end without anybody's action. */
const PASSING_PARTS = [
  'INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE',
  'ENTITY_IS_LOCKED',
  'UNABLE_TO_LOCK_ROW',
  'TOO_MANY_APEX_REQUESTS',
  'EXCEEDED_QUOTA',
  'LIMIT_EXCEEDED',
  'REQUEST_RUNNING_TOO_LONG',
  'UNKNOWN_EXCEPTION',
  'NEVER_HEARD_OF',
] as const;
const PASSING_CALLS = [
  'SERVER_UNAVAILABLE',
  'REQUEST_RUNNING_TOO_LONG',
  'QUERY_TIMEOUT',
  'INVALID_QUERY_LOCATOR',
  'EXCEEDED_QUOTA',
  'UNKNOWN_EXCEPTION',
] as const;
/** Refusals of the whole org, until an administrator or Salesforce repairs it. */
const OF_THE_ORG = [
  'API_DISABLED_FOR_ORG',
  'API_CURRENTLY_DISABLED',
  'CLIENT_NOT_ACCESSIBLE_FOR_USER',
  'INVALID_LOGIN',
  'ORG_LOCKED',
] as const;
/** Refusals of a sign-in. */
const OF_SIGN_IN = [
  'invalid_grant',
  'invalid_client',
  'invalid_client_id',
  'invalid_client_credentials',
  'invalid_app_access',
  'inactive_user',
  'inactive_org',
  'unauthorized_client',
  'unsupported_grant_type',
] as const;

/** Limits that make the org refuse requests until they are removed. */
export const crmLimits = fc.oneof(
  fc.constantFrom({ readOnly: true }, { readOnly: false }),
  fc.constantFrom({ longRequests: 0 }, { longRequests: 5 }),
  fc.record({
    triggers: fc.oneof(
      fc.constant([]),
      fc
        .record({
          object: fc.constantFrom('Opportunity', 'OpportunityLineItem', 'Lockstep_Sync__c', 'Contact'),
          cost: fc.constantFrom({ queriesPerRow: 40 }, { queriesPerRow: 60 }, { cpuMsPerRow: 6_000 }),
        })
        .map(({ object, cost }) => [{ object, ...cost }]),
    ),
  }),
);

export type ApiVersions = { readonly oldest: number; readonly newest: number };

/** The REST API versions that an org usually has. */
export const ALL_VERSIONS: ApiVersions = { oldest: 31, newest: 67 };

/** The connector's version is supported, retired, or not yet released. */
export const crmVersions = fc.constantFrom(ALL_VERSIONS, { oldest: 68, newest: 68 }, { oldest: 31, newest: 60 });

/** The refusal of the next sign-in; null: none. */
export const signInFault = fc.oneof(
  fc.constant(null),
  fc.record({
    operation: fc.constant('oauth.token'),
    status: fc.constant(400),
    errorCode: fc.constantFrom(...OF_SIGN_IN),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    operation: fc.constant('oauth.token'),
    status: fc.constantFrom(429, 500, 503),
    times: fc.integer({ min: 1, max: 2 }),
  }),
);

/** Faulty answers of Salesforce. */
export const crmFault = fc.oneof(
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    cut: fc.constantFrom('before', 'after'),
    times: fc.constant(1),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    hang: fc.constant(true),
    times: fc.constant(1),
  }),
  // A refusal of one part of a composite request; the other parts are executed.
  fc.record({
    operation: fc.constantFrom('sobject.update', 'collections.upsert', 'collections.create'),
    status: fc.constantFrom(400, 503),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    operation: fc.constantFrom('sobject.update', 'collections.create'),
    status: fc.constant(400),
    errorCode: fc.constant('FIELD_CUSTOM_VALIDATION_EXCEPTION'),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    operation: fc.constant('sobject.update'),
    status: fc.constant(400),
    errorCode: fc.constant('FIELD_CUSTOM_VALIDATION_EXCEPTION'),
    fields: fc.constantFrom(['StageName'], ['Vendor_Next_Milestone__c']),
    times: fc.constant(1),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    status: fc.constantFrom(400, 401, 403, 503),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  // Temporary and undocumented refusals, of one part and of all parts.
  fc.record({
    operation: fc.constantFrom(...CRM_WRITES),
    status: fc.constant(400),
    errorCode: fc.constantFrom(...PASSING_PARTS),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    errorCode: fc.constantFrom(...PASSING_CALLS),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    status: fc.constant(403),
    errorCode: fc.constantFrom(...OF_THE_ORG),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    operation: fc.constantFrom('sobject.update', 'collections.create'),
    status: fc.constant(400),
    errorCode: fc.constant('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY'),
    message: fc.constant('DealTrigger: System.LimitException: Too many SOQL queries: 101'),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    operation: fc.constantFrom('collections.upsert', 'collections.create'),
    mostRows: fc.constantFrom(1, 2),
    errorCode: fc.constant('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY'),
    message: fc.constant('DealTrigger: System.LimitException: Apex CPU time limit exceeded'),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    status: fc.constant(403),
    errorCode: fc.constant('REQUEST_LIMIT_EXCEEDED'),
    message: fc.constantFrom(
      'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
      'ConcurrentPerOrgLongTxn Limit exceeded.',
    ),
    times: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    status: fc.constantFrom(400, 401, 403, 404, 406, 408, 409, 420, 423, 425, 429, 500, 502, 503, 504),
    body: fc.constantFrom(BLOCKED, ''),
    times: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({
    operation: fc.constantFrom('composite', 'queryAll'),
    status: fc.constant(429),
    retryAfterSeconds: fc.constantFrom(0, 40),
    times: fc.constant(1),
  }),
);
