import { oneLine } from '../domain/record/shown-text.ts';
import { GOVERNOR_LIMIT, kindOfCode } from './answer-codes.ts';
import { CrmError, type CrmErrorKind, type CrmErrorOptions } from './errors.ts';
import type { CrmLimitInfo } from './options.ts';

const SENTENCES: Readonly<Record<CrmErrorKind, string>> = {
  transient: 'Salesforce could not answer now; trying later may work.',
  busy: 'Salesforce refuses this for now, and wrote nothing of it; trying later may work.',
  governor: "The org's automation took too much for so many rows at once; fewer go.",
  unknown: 'Nothing documents what this answer means; it is tried again later.',
  throttled: 'Salesforce asks for fewer requests.',
  systemic: 'Salesforce refuses this integration as a whole: check the sign-in, the API access and its limits.',
  permanent: 'Salesforce refuses this record as it is.',
  'schema-mismatch': 'The fields of the CRM package and the org disagree, or the integration user lacks access.',
  stale: 'The record was changed in Salesforce since it was read.',
  gone: 'The record does not exist in Salesforce any more.',
};

/**
 * By error code: the fixed sentence of an error's message that says how to repair the failure. A code that is not listed gets the sentence
 * of its kind.
 */
const SENTENCE_OF_CODE: ReadonlyMap<string, string> = new Map([
  [
    'UNSUPPORTED_API_VERSION',
    'The org does not have this version of the API, or has retired it: set salesforce.apiVersion of the tenant file to a version that the org lists at /services/data.',
  ],
]);

/** Codes of rows that failed only because another row in the same request failed. */
const BYSTANDERS: ReadonlySet<string> = new Set(['PROCESSING_HALTED', 'ALL_OR_NONE_OPERATION_ROLLED_BACK']);

/** Salesforce's code for a reference to a record that does not exist. The missing record may be the written record itself. */
const ABSENT = 'INVALID_CROSS_REFERENCE_KEY';

/** Codes for a failed automation of the org (such as a trigger). Only the message says why the automation failed. */
const AUTOMATION_FAILED: ReadonlySet<string> = new Set([
  'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  'CANNOT_EXECUTE_FLOW_TRIGGER',
]);
const ROW_LOCK = 'UNABLE_TO_LOCK_ROW';
/** Matches Apex messages about an exceeded governor limit. */
const GOVERNOR_WORDS =
  /System\.LimitException|Too many (SOQL|SOSL) queries|Too many DML (statements|rows)|Too many query rows|Apex CPU time limit|Apex heap size too large/i;
/**
 * Patterns for the message of REQUEST_LIMIT_EXCEEDED: the first one for a limit of concurrent requests, the second for the daily limit.
 * Salesforce does not document the messages; the patterns come from published examples.
 */
const [OF_A_MOMENT, OF_A_DAY] = [/\bConcurrent/i, /\bTotalRequests\b/i];

/** A refusal of a request or row, reduced to codes, field names and the refusal's text. */
type Refusal = {
  readonly code: string | null;
  readonly fields: readonly string[];
  /** True if the integration user may not write this object at all, so that no change of the record helps. */
  readonly isDenied: boolean;
  /**
   * Whether the row refers to its master record, or to the record of a lookup, by an external id that no record has, or that several
   * records have.
   */
  readonly leadsNowhere: boolean;
  /**
   * Which limit of calls was exceeded: that of concurrent calls (`moment`), or that of calls a day (`day`). Null if the message names none.
   */
  readonly limit: 'moment' | 'day' | null;
  readonly message: string | null;
};

/** Facts about an answer besides its status and its body. */
export type AnswerFacts = {
  readonly retryAfterMs?: number | undefined;
  /** The org's daily API usage, from the answer's header. */
  readonly limitInfo?: CrmLimitInfo | null;
};

/**
 * Makes the error for an answer or row that reports a failure. Its message and fields contain only codes and field names from `body`. Texts
 * from `body` may quote values, so they are only in `crmMessage`.
 */
export function classifyAnswer(status: number, body: unknown, facts: AnswerFacts = {}): CrmError {
  const { retryAfterMs, limitInfo = null } = facts;
  const refusals = refusalsOf(body);
  const refusal = refusals.find(isOwn) ?? refusals[0];
  const code = refusal?.code ?? `HTTP_${status}`;
  const kind = isSignInPage(status, body) ? 'unknown' : kindOf(status, refusal, limitInfo);
  const crmMessage =
    [...new Set(refusals.filter(isOwn).flatMap(({ message }) => message ?? []))].slice(0, 5).join(' ') || null;
  const fields = refusal?.fields ?? [];
  return crmError(kind, code, { fields, crmMessage, ...(retryAfterMs ? { retryAfterMs } : {}) });
}

function isOwn({ code }: Refusal): boolean {
  return code !== null && !BYSTANDERS.has(code);
}

/** Whether an answer says only that another sub-request or row of the same request failed. */
export function isBystander(body: unknown): boolean {
  const refusals = refusalsOf(body);
  return refusals.length > 0 && refusals.every((one) => one.code !== null && BYSTANDERS.has(one.code));
}

/** Makes an error. Its message is the code, a fixed sentence for the kind, and the names of `fields`; it never contains values. */
export function crmError(
  kind: CrmErrorKind,
  code: string,
  options: Pick<CrmErrorOptions, 'fields' | 'retryAfterMs' | 'cause' | 'crmMessage'> = {},
): CrmError {
  const fields = options.fields ?? [];
  const named = fields.length === 0 ? '' : ` Fields: ${fields.join(', ')}.`;
  return new CrmError(kind, code, `${code}: ${SENTENCE_OF_CODE.get(code) ?? SENTENCES[kind]}${named}`, options);
}

/**
 * The kind of a failure. The first of these rules that applies decides: the message or the fields of a few codes (an object that the user
 * may not write, an external id that names no record, a missing record); HTTP status 412 or 429; an exceeded limit of calls; the code in
 * `CRM_ANSWERS`; the HTTP status. If the status is not documented either, the kind is `unknown`.
 */
function kindOf(status: number, refusal: Refusal | undefined, limitInfo: CrmLimitInfo | null): CrmErrorKind {
  if (refusal?.isDenied) return 'schema-mismatch';
  if (refusal?.leadsNowhere) return 'permanent';
  if (refusal?.code === ABSENT) return kindOfAbsence(refusal);
  const code = refusal?.code ?? null;
  if (status === 412) return 'stale';
  if (status === 429) return 'throttled';
  if (code === 'REQUEST_LIMIT_EXCEEDED') return kindOfLimit(refusal?.limit ?? null, limitInfo);
  const byCode = code === null ? undefined : kindOfCode(code);
  if (byCode !== undefined) return byCode;
  if (status >= 500) return 'transient';
  if (status >= 300 && status < 400) return 'systemic';
  return kindOfCode(`HTTP_${status}`) ?? 'unknown';
}

/**
 * Whether an answer with status 401 has a body of text that is not JSON, such as a proxy's sign-in page. Such an answer comes from a server
 * in front of Salesforce, and does not mean that the session has ended.
 */
function isSignInPage(status: number, body: unknown): boolean {
  return status === 401 && typeof body === 'string' && body.trim() !== '';
}

/**
 * Returns the kind of an error about an exceeded limit of calls: `systemic` for the daily limit, which pauses all calls to the org, and
 * `throttled` for a limit of concurrent calls, which passes within seconds. If the message names no limit (null), the daily usage in the
 * answer decides; without it, the kind is `systemic`.
 */
function kindOfLimit(limit: Refusal['limit'], limitInfo: CrmLimitInfo | null): CrmErrorKind {
  if (limit === 'moment') return 'throttled';
  if (limit === 'day' || limitInfo === null) return 'systemic';
  return limitInfo.used >= limitInfo.limit ? 'systemic' : 'throttled';
}

/**
 * Returns the kind of an error about a missing record. If the error names fields, a record to which such a field refers is missing, and the
 * kind is `permanent`. Otherwise the written record itself is missing, and the kind is `gone`.
 */
function kindOfAbsence({ fields }: Refusal): CrmErrorKind {
  return fields.length > 0 ? 'permanent' : 'gone';
}

/**
 * The maximum number of errors that are read from an answer, and the maximum number of characters that are read from one message. A request
 * has at most 200 rows.
 */
const [MOST_REFUSALS, MESSAGE_LENGTH] = [200, 4_000];

/** Reads the errors of an answer. REST errors are arrays of {errorCode}, row errors are {statusCode}, and OAuth errors are {error}. */
function refusalsOf(body: unknown): readonly Refusal[] {
  const rows = Array.isArray(body) ? body.slice(0, MOST_REFUSALS) : [body];
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null) return [];
    if ('errors' in row && Array.isArray(row.errors)) return refusalsOf(row.errors);
    const { errorCode, statusCode, error, fields, message: whole } = row as Record<string, unknown>;
    const message = typeof whole === 'string' ? whole.slice(0, MESSAGE_LENGTH) : null;
    const given = [errorCode, statusCode, error].map(asCode).find((one) => one !== null) ?? null;
    const code = isRowLock(given, message) ? ROW_LOCK : isGovernor(given, message) ? GOVERNOR_LIMIT : given;
    return [
      {
        ...{ code, fields: fieldNames(fields, code, message), limit: limitOf(message) },
        ...{ isDenied: isDenied(code, message), leadsNowhere: leadsNowhere(code, message) },
        message: typeof message === 'string' ? oneLine(message, LONGEST_TEXT) : null,
      },
    ];
  });
}

/** Whether a trigger or flow failed because a row was locked. A retry succeeds once the lock is released. */
function isRowLock(code: string | null, message: unknown): boolean {
  return code !== null && AUTOMATION_FAILED.has(code) && typeof message === 'string' && message.includes(ROW_LOCK);
}

/** Whether an automation of the org (such as a trigger) failed at a governor limit. A smaller request may stay within the limit. */
function isGovernor(code: string | null, message: unknown): boolean {
  return code !== null && AUTOMATION_FAILED.has(code) && typeof message === 'string' && GOVERNOR_WORDS.test(message);
}

function limitOf(message: unknown): Refusal['limit'] {
  if (typeof message !== 'string') return null;
  if (OF_A_MOMENT.test(message)) return 'moment';
  return OF_A_DAY.test(message) ? 'day' : null;
}

/**
 * Whether the integration user may not access an object that an automation of the org uses. Salesforce reports this as a failed automation.
 */
function isDenied(code: string | null, message: unknown): boolean {
  return (
    code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY' &&
    typeof message === 'string' &&
    /^entity type cannot be (inserted|updated|upserted)\b/i.test(message)
  );
}

/**
 * Whether a row refers to another record by an external id that no record has, or that several records have. Salesforce reports this with
 * the code for a missing column.
 */
function leadsNowhere(code: string | null, message: unknown): boolean {
  return code === 'INVALID_FIELD' && typeof message === 'string' && /^Foreign key external ID: /i.test(message);
}

/** The maximum length, in characters, of one message from the answer in `crmMessage`. A longer message is cut. */
const LONGEST_TEXT = 500;

function asCode(value: unknown): string | null {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_]{0,79}$/.test(value) ? value : null;
}

/** The maximum number of field names in an error. The error's message lists them too. */
const MOST_FIELDS = 50;

function fieldNames(fields: unknown, code: string | null, message: unknown): readonly string[] {
  const names = Array.isArray(fields) ? fields.slice(0, MOST_FIELDS).filter(isApiName) : [];
  if (names.length > 0 || code !== 'INVALID_FIELD' || typeof message !== 'string') return names;
  // Only the message of INVALID_FIELD names the column, which is a name from our own query.
  const column = /No such column '([A-Za-z][A-Za-z0-9_.]*)'/.exec(message)?.[1];
  return column === undefined ? [] : [column];
}

function isApiName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.]{0,120}$/.test(value);
}
