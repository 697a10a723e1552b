/** The kind of a failure. A failed request and a single refused row have the same kinds, whatever the HTTP status is. */
export type CrmErrorKind =
  | 'transient' // 5xx, 420, timeouts, connection loss, UNABLE_TO_LOCK_ROW, ...: a write may have been applied or not
  | 'busy' // a lock, maintenance, 406, 409, 423, 425: refused for now, and nothing was written
  | 'governor' // a governor limit was exceeded, and nothing was written; a request with fewer rows may succeed
  | 'unknown' // an undocumented answer, such as a gateway's page: repeated a few times before an operator must act
  | 'throttled' // 429, or too many concurrent requests (REQUEST_LIMIT_EXCEEDED)
  | 'systemic' // no sign-in possible, API disabled, daily limit reached: all the tenant's requests to Salesforce pause
  | 'permanent' // validation rule, required field, duplicate, too long: the record waits until a person acts (parked)
  | 'schema-mismatch' // INVALID_FIELD, no access to a field or object: the org lacks or hides what the mapping or package needs
  | 'stale' // 412: the record was changed after it was read
  | 'gone'; // ENTITY_IS_DELETED, NOT_FOUND: the record does not exist

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
 * A failed call to the CRM. `code`: Salesforce's error code, `HTTP_<status>`, or a code of Lockstep's own, such as `NETWORK`, `TIMEOUT` or
 * `MALFORMED_ANSWER`. `fields`: API names of the fields that the error names. `retryAfterMs`: how long to wait before a retry; null if the
 * error does not say. Only `crmMessage` may quote values of records; JSON and `inspect` leave it out, so logs do not contain it.
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
