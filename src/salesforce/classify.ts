import { GOVERNOR_LIMIT, kindOfCode } from './answer-codes.ts';
import { CrmError, type CrmErrorKind } from './errors.ts';
import type { CrmLimitInfo } from './options.ts';

const SENTENCES: Readonly<Record<CrmErrorKind, string>> = {
  transient: 'Salesforce could not answer now; trying later may work.',
  busy: 'Salesforce refuses this for now, and wrote nothing of it; trying later may work.',
  governor: "The org's automation took too much for so many rows at once; fewer go.",
  unknown: 'Nothing documents what this answer means; it is tried again later.',
  throttled: 'Salesforce asks for fewer requests.',
  systemic:
    'Salesforce refuses this integration as a whole: check the sign-in, the API access and its limits.',
  permanent: 'Salesforce refuses this record as it is.',
  'schema-mismatch':
    'The fields of the CRM package and the org disagree, or the integration user lacks access.',
  stale: 'The record was changed in Salesforce since it was read.',
  gone: 'The record does not exist in Salesforce any more.',
};

/** These rows only say that another row of the same request failed. */
const BYSTANDERS: ReadonlySet<string> = new Set(['PROCESSING_HALTED', 'ALL_OR_NONE_OPERATION_ROLLED_BACK']);

/** A reference to a record that does not exist, the written one included. */
const ABSENT = 'INVALID_CROSS_REFERENCE_KEY';

/** An automation of the org that failed; its reason is told in the message only. */
const AUTOMATION_FAILED: ReadonlySet<string> = new Set([
  'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY',
  'CANNOT_EXECUTE_FLOW_TRIGGER',
]);
const ROW_LOCK = 'UNABLE_TO_LOCK_ROW';
/** How the messages of Apex name a governor limit that a transaction of the org has met. */
const GOVERNOR_WORDS =
  /System\.LimitException|Too many (SOQL|SOSL) queries|Too many DML (statements|rows)|Too many query rows|Apex CPU time limit|Apex heap size too large/i;
/** How messages of REQUEST_LIMIT_EXCEEDED name a limit of a moment, and that of a day (published answers). */
const [OF_A_MOMENT, OF_A_DAY] = [/\bConcurrent/i, /\bTotalRequests\b/i];

/** What a refused request or row says, reduced to names. */
type Refusal = {
  readonly code: string | null;
  readonly fields: readonly string[];
  /** It is not this record that is refused: our user may write none of its object. */
  readonly isDenied: boolean;
  /** It leads by an external id to a record that is not there, or to one of several. */
  readonly leadsNowhere: boolean;
  /** Which limit of calls was met, where the message names it. */
  readonly limit: 'moment' | 'day' | null;
};

/** What is known of an answer besides its status and its body. */
export type AnswerFacts = {
  readonly retryAfterMs?: number | undefined;
  /** The calls of the org's day, as the answer told them. */
  readonly limitInfo?: CrmLimitInfo | null;
};

/**
 * The error for an answer with an HTTP status of 300 or more, or a failed row. `body` is parsed JSON or text.
 * Of the body only codes and field names survive: Salesforce's messages may quote values.
 */
export function classifyAnswer(status: number, body: unknown, facts: AnswerFacts = {}): CrmError {
  const { retryAfterMs, limitInfo = null } = facts;
  const refusals = refusalsOf(body);
  const refusal = refusals.find((one) => one.code !== null && !BYSTANDERS.has(one.code)) ?? refusals[0];
  const code = refusal?.code ?? `HTTP_${status}`;
  const kind = isSignInPage(status, body) ? 'unknown' : kindOf(status, refusal, limitInfo);
  return crmError(kind, code, { fields: refusal?.fields ?? [], ...(retryAfterMs ? { retryAfterMs } : {}) });
}

/** True when the answer only echoes the failure of another part of the same request. */
export function isBystander(body: unknown): boolean {
  const refusals = refusalsOf(body);
  return refusals.length > 0 && refusals.every((one) => one.code !== null && BYSTANDERS.has(one.code));
}

/** An error with the fixed sentence of its kind; values have no way into it. */
export function crmError(
  kind: CrmErrorKind,
  code: string,
  options: { fields?: readonly string[]; retryAfterMs?: number; cause?: unknown } = {},
): CrmError {
  const fields = options.fields ?? [];
  const named = fields.length === 0 ? '' : ` Fields: ${fields.join(', ')}.`;
  return new CrmError(kind, code, `${code}: ${SENTENCES[kind]}${named}`, options);
}

/** By the code first; by the status of an answer without a documented one. A body that is no error of Salesforce's says nothing of the request. */
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

/** A text at 401 is a page in front of Salesforce: it refuses this request, and no session. */
function isSignInPage(status: number, body: unknown): boolean {
  return status === 401 && typeof body === 'string' && body.trim() !== '';
}

/** A day's limit pauses all that the org is asked; one of a moment is over within seconds. */
function kindOfLimit(limit: Refusal['limit'], limitInfo: CrmLimitInfo | null): CrmErrorKind {
  if (limit === 'moment') return 'throttled';
  if (limit === 'day' || limitInfo === null) return 'systemic';
  return limitInfo.used >= limitInfo.limit ? 'systemic' : 'throttled';
}

/** With fields it is one of their values that leads nowhere; without, it is the record itself that is not there. */
function kindOfAbsence({ fields }: Refusal): CrmErrorKind {
  return fields.length > 0 ? 'permanent' : 'gone';
}

/** REST errors are arrays of {errorCode}, row errors {statusCode}, OAuth errors {error}. */
function refusalsOf(body: unknown): readonly Refusal[] {
  const rows = Array.isArray(body) ? body : [body];
  return rows.flatMap((row) => {
    if (typeof row !== 'object' || row === null) return [];
    if ('errors' in row && Array.isArray(row.errors)) return refusalsOf(row.errors);
    const { errorCode, statusCode, error, fields, message } = row as Record<string, unknown>;
    const given = [errorCode, statusCode, error].map(asCode).find((one) => one !== null) ?? null;
    const code = isRowLock(given, message) ? ROW_LOCK : isGovernor(given, message) ? GOVERNOR_LIMIT : given;
    return [
      {
        ...{ code, fields: fieldNames(fields, code, message), limit: limitOf(message) },
        ...{ isDenied: isDenied(code, message), leadsNowhere: leadsNowhere(code, message) },
      },
    ];
  });
}

/** A trigger or flow that met a locked row fails under a code of its own, and passes like the lock. */
function isRowLock(code: string | null, message: unknown): boolean {
  return (
    code !== null && AUTOMATION_FAILED.has(code) && typeof message === 'string' && message.includes(ROW_LOCK)
  );
}

/** A governor limit comes under the code of the automation that met it, and a smaller request does not meet it. */
function isGovernor(code: string | null, message: unknown): boolean {
  return (
    code !== null &&
    AUTOMATION_FAILED.has(code) &&
    typeof message === 'string' &&
    GOVERNOR_WORDS.test(message)
  );
}

function limitOf(message: unknown): Refusal['limit'] {
  if (typeof message !== 'string') return null;
  if (OF_A_MOMENT.test(message)) return 'moment';
  return OF_A_DAY.test(message) ? 'day' : null;
}

/** A missing right to an object comes under the code of an automation that failed. */
function isDenied(code: string | null, message: unknown): boolean {
  return (
    code === 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY' &&
    typeof message === 'string' &&
    /^entity type cannot be (inserted|updated|upserted)\b/i.test(message)
  );
}

/** An external id of no record, or of several, comes under the code of a column that the org lacks. */
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
  // The message of INVALID_FIELD is the only place that names the column, which is a name of our own query.
  const column = /No such column '([A-Za-z][A-Za-z0-9_.]*)'/.exec(message)?.[1];
  return column === undefined ? [] : [column];
}

function isApiName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z][A-Za-z0-9_.]{0,120}$/.test(value);
}
