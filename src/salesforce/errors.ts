/** The kind of a failure. A failed request and a single refused row have the same kinds, whatever the HTTP status is. */
export type CrmErrorKind =
  | 'transient' // 5xx, 420, timeouts, connection loss, UNABLE_TO_LOCK_ROW, ...: outcome of a write is unknown
  | 'busy' // a lock, maintenance, 406, 409, 423, 425: refused for now, and nothing was written
  | 'governor' // a limit of the org's automation: fewer rows at once go; nothing was written
  | 'unknown' // no documented answer, such as a page of a gateway's: tried again before a person is asked
  | 'throttled' // 429, and REQUEST_LIMIT_EXCEEDED of a moment
  | 'systemic' // session cannot be renewed, API disabled or exhausted: the tenant pauses
  | 'permanent' // validation rule, required field, duplicate, too long: the record is parked
  | 'schema-mismatch' // INVALID_FIELD, no access to a field or object: mapping or package and org disagree
  | 'stale' // 412: the record moved on since it was read
  | 'gone'; // ENTITY_IS_DELETED, NOT_FOUND

/**
 * The account, line or contact of a deal that Salesforce refused. `created`: the index of a new line or contact among those that the write
 * creates; null for an account or an existing row, or if the index is unknown.
 */
export type RefusedPart = { readonly of: 'account' | 'line' | 'contact'; readonly created: number | null };

export type CrmErrorOptions = {
  readonly fields?: readonly string[];
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
  readonly part?: RefusedPart;
  readonly crmMessage?: string | null;
};

/**
 * A failed call to the CRM. `code`: Salesforce's errorCode, or `HTTP_<status>`, `NETWORK` or `TIMEOUT`. `fields`: API names of the fields
 * that the error names. Only `crmMessage`, which JSON and `inspect` leave out, may quote values.
 */
export class CrmError extends Error {
  override readonly name = 'CrmError';
  readonly kind: CrmErrorKind;
  readonly code: string;
  readonly fields: readonly string[];
  readonly retryAfterMs: number | null;
  /** The account, line or contact that Salesforce refused; null if it did not refuse a particular one. */
  readonly part: RefusedPart | null;
  /** Salesforce's own text, such as a validation rule's sentence; null if it gave none. */
  declare readonly crmMessage: string | null;

  constructor(kind: CrmErrorKind, code: string, message: string, options: CrmErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.code = code;
    this.fields = options.fields ?? [];
    this.retryAfterMs = options.retryAfterMs ?? null;
    this.part = options.part ?? null;
    Object.defineProperty(this, 'crmMessage', { value: options.crmMessage ?? null, enumerable: false });
  }

  /** A copy of the error that also names the account, line or contact that Salesforce refused. */
  ofPart(part: RefusedPart): CrmError {
    const { kind, code, message, fields, retryAfterMs, cause, crmMessage } = this;
    return new CrmError(kind, code, message, {
      fields,
      cause,
      part,
      crmMessage,
      ...(retryAfterMs === null ? {} : { retryAfterMs }),
    });
  }
}
