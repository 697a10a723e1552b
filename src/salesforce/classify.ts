import { CrmError, type CrmErrorKind } from './errors.ts';

/**
 * Error codes of Salesforce's REST API and OAuth endpoint, by kind of failure. The code counts before the HTTP status, because the same
 * code comes with several statuses and inside rows.
 */
const KIND_BY_CODE: Readonly<Record<string, CrmErrorKind>> = {
  UNABLE_TO_LOCK_ROW: 'transient',
  SERVER_UNAVAILABLE: 'transient',
  REQUEST_RUNNING_TOO_LONG: 'transient',
  QUERY_TIMEOUT: 'transient',
  INVALID_QUERY_LOCATOR: 'transient',
  UNKNOWN_EXCEPTION: 'transient',

  INVALID_SESSION_ID: 'systemic',
  REQUEST_LIMIT_EXCEEDED: 'systemic',
  API_DISABLED_FOR_ORG: 'systemic',
  API_CURRENTLY_DISABLED: 'systemic',
  INVALID_LOGIN: 'systemic',
  CLIENT_NOT_ACCESSIBLE_FOR_USER: 'systemic',
  ORG_LOCKED: 'systemic',
  UNSUPPORTED_API_VERSION: 'systemic',
  invalid_grant: 'systemic',
  invalid_client: 'systemic',
  invalid_client_id: 'systemic',
  invalid_client_credentials: 'systemic',
  invalid_app_access: 'systemic',
  inactive_user: 'systemic',
  inactive_org: 'systemic',
  unauthorized_client: 'systemic',
  unsupported_grant_type: 'systemic',

  FIELD_CUSTOM_VALIDATION_EXCEPTION: 'permanent',
  REQUIRED_FIELD_MISSING: 'permanent',
  INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: 'permanent',
  STRING_TOO_LONG: 'permanent',
  NUMBER_OUTSIDE_VALID_RANGE: 'permanent',
  INVALID_EMAIL_ADDRESS: 'permanent',
  FIELD_INTEGRITY_EXCEPTION: 'permanent',
  CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY: 'permanent',
  CANNOT_EXECUTE_FLOW_TRIGGER: 'permanent',
  STORAGE_LIMIT_EXCEEDED: 'permanent',
  DUPLICATE_VALUE: 'permanent',
  DUPLICATES_DETECTED: 'permanent',
  ENTITY_IS_LOCKED: 'permanent',
  MULTIPLE_CHOICES: 'permanent',

  INVALID_FIELD: 'schema-mismatch',
  INVALID_TYPE: 'schema-mismatch',
  INVALID_FIELD_FOR_INSERT_UPDATE: 'schema-mismatch',
  INVALID_TYPE_ON_FIELD_IN_RECORD: 'schema-mismatch',
  INSUFFICIENT_ACCESS: 'schema-mismatch',
  INSUFFICIENT_ACCESS_OR_READONLY: 'schema-mismatch',
  INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY: 'schema-mismatch',

  ENTITY_IS_DELETED: 'gone',
  NOT_FOUND: 'gone',
};

const KIND_BY_STATUS: Readonly<Record<number, CrmErrorKind>> = {
  401: 'systemic',
  403: 'systemic',
  404: 'gone',
  408: 'transient',
  420: 'transient',
};

const SENTENCES: Readonly<Record<CrmErrorKind, string>> = {
  transient: 'Salesforce could not answer now; trying later may work.',
  throttled: 'Salesforce asks for fewer requests.',
  systemic:
    'Salesforce refuses this integration as a whole: check the sign-in, the API access and its limits.',
  permanent: 'Salesforce refuses this record as it is.',
  'schema-mismatch':
    'The fields of the CRM package and the org disagree, or the integration user lacks access.',
  stale: 'The record was changed in Salesforce since it was read.',
  gone: 'The record does not exist in Salesforce any more.',
};

/** Codes of rows that failed only because another row of the request failed. */
const BYSTANDERS: ReadonlySet<string> = new Set(['PROCESSING_HALTED', 'ALL_OR_NONE_OPERATION_ROLLED_BACK']);

/** A reference to a record that does not exist; it may be the written record itself. */
const ABSENT = 'INVALID_CROSS_REFERENCE_KEY';

/** Codes for a failed automation of the org. Only the message says why it failed. */
const AUTOMATION_FAILED: ReadonlySet<string> = new Set([
  'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  'CANNOT_EXECUTE_FLOW_TRIGGER',
]);
const ROW_LOCK = 'UNABLE_TO_LOCK_ROW';

/** A refused request or row, reduced to codes and field names. */
type Refusal = {
  readonly code: string | null;
  readonly fields: readonly string[];
  /** Our user may not write this object at all; the record is not at fault. */
  readonly isDenied: boolean;
  /** The row names its master or lookup by an external id that no record has, or several have. */
  readonly leadsNowhere: boolean;
};

/**
 * The error for an answer with an HTTP status of 300 or more, or a failed row. `body` is parsed JSON or text.
 * Of the body only codes and field names survive: Salesforce's messages may quote values.
 */
export function classifyAnswer(status: number, body: unknown, retryAfterMs?: number): CrmError {
  const refusals = refusalsOf(body);
  const refusal = refusals.find((one) => one.code !== null && !BYSTANDERS.has(one.code)) ?? refusals[0];
  const code = refusal?.code ?? `HTTP_${status}`;
  const kind = kindOf(status, refusal, isHtml(body));
  return crmError(kind, code, { fields: refusal?.fields ?? [], ...(retryAfterMs ? { retryAfterMs } : {}) });
}

/** True when the answer only echoes the failure of another part of the same request. */
export function isBystander(body: unknown): boolean {
  const refusals = refusalsOf(body);
  return refusals.length > 0 && refusals.every((one) => one.code !== null && BYSTANDERS.has(one.code));
}

/** An error with the fixed sentence of its kind; it never contains values. */
export function crmError(
  kind: CrmErrorKind,
  code: string,
  options: { fields?: readonly string[]; retryAfterMs?: number; cause?: unknown } = {},
): CrmError {
  const fields = options.fields ?? [];
  const named = fields.length === 0 ? '' : ` Fields: ${fields.join(', ')}.`;
  return new CrmError(kind, code, `${code}: ${SENTENCES[kind]}${named}`, options);
}

function kindOf(status: number, refusal: Refusal | undefined, html: boolean): CrmErrorKind {
  if (refusal?.isDenied) return 'schema-mismatch';
  if (refusal?.leadsNowhere) return 'permanent';
  if (refusal?.code === ABSENT) return kindOfAbsence(refusal);
  const code = refusal?.code ?? null;
  if (status === 412) return 'stale';
  if (status === 429) return 'throttled';
  if (code !== null && Object.hasOwn(KIND_BY_CODE, code)) return KIND_BY_CODE[code] ?? 'permanent';
  if (status >= 500 || html) return 'transient';
  if (status >= 300 && status < 400) return 'systemic';
  return KIND_BY_STATUS[status] ?? 'permanent';
}

/** With fields, one of their values refers to a missing record; without, the written record itself does not exist. */
function kindOfAbsence({ fields }: Refusal): CrmErrorKind {
  return fields.length > 0 ? 'permanent' : 'gone';
}

function isHtml(body: unknown): boolean {
  return typeof body === 'string' && /^\s*<(!doctype\s+html|html)\b/i.test(body);
}

/** REST errors are arrays of {errorCode}, row errors {statusCode}, OAuth errors {error}. */
function refusalsOf(body: unknown): readonly Refusal[] {
  const rows = Array.isArray(body) ? body : [body];
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null) return [];
    if ('errors' in row && Array.isArray(row.errors)) return refusalsOf(row.errors);
    const { errorCode, statusCode, error, fields, message } = row as Record<string, unknown>;
    const given = [errorCode, statusCode, error].map(asCode).find((one) => one !== null) ?? null;
    const code = isRowLock(given, message) ? ROW_LOCK : given;
    const [denied, lost] = [isDenied(code, message), leadsNowhere(code, message)];
    return [{ code, fields: fieldNames(fields, code, message), isDenied: denied, leadsNowhere: lost }];
  });
}

/** Whether a trigger or flow failed because a row was locked. Such a failure passes with the lock. */
function isRowLock(code: string | null, message: unknown): boolean {
  return (
    code !== null && AUTOMATION_FAILED.has(code) && typeof message === 'string' && message.includes(ROW_LOCK)
  );
}

/** Whether the right to write the object is missing. Salesforce reports this under the code of a failed automation. */
function isDenied(code: string | null, message: unknown): boolean {
  return (
    code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY' &&
    typeof message === 'string' &&
    /^entity type cannot be (inserted|updated|upserted)\b/i.test(message)
  );
}

/** Whether no record, or several, have the external id. Salesforce reports this under the code of a missing column. */
function leadsNowhere(code: string | null, message: unknown): boolean {
  return (
    code === 'INVALID_FIELD' && typeof message === 'string' && /^Foreign key external ID: /i.test(message)
  );
}

function asCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,79}$/.test(value) ? value : null;
}

function fieldNames(fields: unknown, code: string | null, message: unknown): readonly string[] {
  const names = Array.isArray(fields) ? fields.filter(isApiName) : [];
  if (names.length > 0 || code !== 'INVALID_FIELD' || typeof message !== 'string') return names;
  // Only the message of INVALID_FIELD names the column, which is a name from our own query.
  const column = /No such column '([A-Za-z][A-Za-z0-9_.]*)'/.exec(message)?.[1];
  return column === undefined ? [] : [column];
}

function isApiName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.]{0,120}$/.test(value);
}
