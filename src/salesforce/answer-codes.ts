import type { CrmErrorKind } from './errors.ts';

/**
 * Whether it makes sense to send a refused request again. `final`: no, until a person changes the content or the org. `passing`: yes, a
 * later attempt can succeed. `unknown`: the answer is undocumented, so Lockstep tries again a few times before it asks a person.
 */
export type AnswerClass = 'final' | 'passing' | 'unknown';

export type AnswerRow = {
  /**
   * Salesforce's error code. A row with the code `HTTP_<status>` is for answers with that HTTP status whose own code is not in the table.
   */
  readonly code: string;
  readonly class: AnswerClass;
  readonly kind: CrmErrorKind;
  readonly source: string;
};

const STATUS_CODE = 'SOAP API Developer Guide, StatusCode';
const EXCEPTION_CODE = 'SOAP API Developer Guide, ExceptionCode';
const REST_STATUS = 'REST API Developer Guide, Status Codes and Error Responses';
const END_OF_LIFE = 'REST API Developer Guide, API End-of-Life Policy';
const OAUTH = 'Salesforce Help, OAuth 2.0 error codes';
const APEX = 'Apex Developer Guide, Execution Governors and Limits';
const REPORTS = 'public reports of integrators';
const HTTP = 'RFC 9110';

function rows(answerClass: AnswerClass, kind: CrmErrorKind, source: string, codes: readonly string[]): AnswerRow[] {
  return codes.map((code) => ({ code, class: answerClass, kind, source }));
}

/** Lockstep's own code for a failed automation of the org (such as a trigger) whose message names a governor limit. */
export const GOVERNOR_LIMIT = 'APEX_GOVERNOR_LIMIT';

/**
 * The kind of error for each code of Salesforce's REST API and OAuth endpoint. The code decides, because one code may come with several
 * HTTP statuses. The status decides if it is 412 or 429, or if the code is not in the table. A status that is not in the table either means
 * `transient` from 500 on, `systemic` from 300 to 399, and `unknown` otherwise. `classifyAnswer` has further rules for a few codes whose
 * kind depends on the message.
 */
export const CRM_ANSWERS: readonly AnswerRow[] = [
  ...rows('passing', 'transient', EXCEPTION_CODE, [
    'SERVER_UNAVAILABLE',
    'REQUEST_RUNNING_TOO_LONG',
    'QUERY_TIMEOUT',
    'INVALID_QUERY_LOCATOR',
    'UNKNOWN_EXCEPTION',
  ]),
  ...rows('passing', 'transient', STATUS_CODE, ['UNABLE_TO_LOCK_ROW']),
  ...rows('passing', 'busy', STATUS_CODE, ['INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE', 'ENTITY_IS_LOCKED']),
  ...rows('passing', 'busy', EXCEPTION_CODE, ['TOO_MANY_APEX_REQUESTS', 'EXCEEDED_QUOTA']),
  ...rows('passing', 'governor', STATUS_CODE, ['LIMIT_EXCEEDED']),
  ...rows('passing', 'governor', APEX, [GOVERNOR_LIMIT]),

  ...rows('passing', 'systemic', EXCEPTION_CODE, [
    'INVALID_SESSION_ID',
    'REQUEST_LIMIT_EXCEEDED',
    'API_DISABLED_FOR_ORG',
    'API_CURRENTLY_DISABLED',
    'INVALID_LOGIN',
    'CLIENT_NOT_ACCESSIBLE_FOR_USER',
    'ORG_LOCKED',
    'UNSUPPORTED_API_VERSION',
  ]),
  ...rows('passing', 'systemic', OAUTH, [
    'invalid_grant',
    'invalid_client',
    'invalid_client_id',
    'invalid_client_credentials',
    'invalid_app_access',
    'inactive_user',
    'inactive_org',
    'unauthorized_client',
    'unsupported_grant_type',
  ]),

  ...rows('final', 'permanent', STATUS_CODE, [
    'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    'FIELD_FILTER_VALIDATION_EXCEPTION',
    'REQUIRED_FIELD_MISSING',
    'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
    'STRING_TOO_LONG',
    'NUMBER_OUTSIDE_VALID_RANGE',
    'INVALID_EMAIL_ADDRESS',
    'FIELD_INTEGRITY_EXCEPTION',
    'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
    'CANNOT_EXECUTE_FLOW_TRIGGER',
    'STORAGE_LIMIT_EXCEEDED',
    'DUPLICATE_VALUE',
    'DUPLICATES_DETECTED',
    'DUPLICATE_EXTERNAL_ID',
    'DUPLICATE_COMM_NICKNAME',
    'INVALID_ID_FIELD',
    'INVALID_CURRENCY_ISO',
    'INACTIVE_OWNER_OR_USER',
    'TRANSFER_REQUIRES_READ',
    'MALFORMED_ID',
    'MISSING_ARGUMENT',
    'DELETE_FAILED',
  ]),
  ...rows('final', 'permanent', EXCEPTION_CODE, [
    'MALFORMED_QUERY',
    'MALFORMED_SEARCH',
    'INVALID_SEARCH',
    'EXCEEDED_ID_LIMIT',
  ]),
  ...rows('final', 'permanent', REST_STATUS, ['JSON_PARSER_ERROR', 'MULTIPLE_CHOICES', 'METHOD_NOT_ALLOWED']),

  ...rows('final', 'schema-mismatch', EXCEPTION_CODE, [
    'INVALID_FIELD',
    'INVALID_TYPE',
    'INVALID_TYPE_FOR_OPERATION',
    'INSUFFICIENT_ACCESS',
  ]),
  ...rows('final', 'schema-mismatch', STATUS_CODE, [
    'INVALID_FIELD_FOR_INSERT_UPDATE',
    'INVALID_TYPE_ON_FIELD_IN_RECORD',
    'INSUFFICIENT_ACCESS_OR_READONLY',
    'INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY',
  ]),
  ...rows('final', 'gone', STATUS_CODE, ['ENTITY_IS_DELETED', 'INVALID_CROSS_REFERENCE_KEY']),
  ...rows('final', 'gone', REST_STATUS, ['NOT_FOUND']),
  ...rows('final', 'stale', STATUS_CODE, ['CANNOT_UPDATE_CONVERTED_LEAD']),
  ...rows('passing', 'systemic', END_OF_LIFE, ['GONE']),

  ...rows('passing', 'systemic', REST_STATUS, ['HTTP_401']),
  ...rows('passing', 'transient', HTTP, ['HTTP_408', 'HTTP_500', 'HTTP_502', 'HTTP_503', 'HTTP_504']),
  ...rows('passing', 'transient', REPORTS, ['HTTP_420']),
  ...rows('passing', 'busy', HTTP, ['HTTP_406', 'HTTP_409', 'HTTP_423', 'HTTP_425']),
  ...rows('final', 'stale', REST_STATUS, ['HTTP_412']),
  ...rows('passing', 'throttled', HTTP, ['HTTP_429']),
];

const KIND_BY_CODE: ReadonlyMap<string, CrmErrorKind> = new Map(CRM_ANSWERS.map(({ code, kind }) => [code, kind]));

/**
 * The error kind of a Salesforce error code, or of `HTTP_<status>` for an answer without a known code. Undefined if `CRM_ANSWERS` has no
 * row for it.
 */
export function kindOfCode(code: string): CrmErrorKind | undefined {
  return KIND_BY_CODE.get(code);
}
