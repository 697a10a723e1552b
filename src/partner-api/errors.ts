import { NO_RATE_LIMIT } from './rate-limit.ts';
import type { Endpoint } from './request.ts';
import type { RateLimit } from './result.ts';

/** What a failure means for the caller, whatever the HTTP status of the answer. */
export type PartnerApiErrorKind =
  | 'authentication' // 401, or the key could not be obtained
  | 'scope' // 403: key invalid, or no access to the operation
  | 'throttled' // 429: wait `resetSeconds` before the next request
  | 'unavailable' // ERR899, 502, 503, 504: try again later
  | 'busy' // 406, 409, 423, 425: refused for now; try again later
  | 'invalid' // refused as it is: 400, or an input that breaks a documented rule (never sent)
  | 'duplicate' // ERR801: the partner reference exists
  | 'bad-date' // ERR805: a date does not have the documented form
  | 'bad-period' // ERROR_043: the period of a search lacks a bound
  | 'out-of-scope' // ERROR_048: the id does not exist, or belongs to another partner; the vendor does not say which
  | 'not-found' // 404
  | 'unknown' // another 4xx; also 400, 401, 403 or 404 with an undocumented body, which may come from a gateway
  | 'timeout'
  | 'network'
  | 'aborted' // by the caller's signal
  | 'protocol' // an answer that breaks the contract; `fields` says where
  | 'server'; // other 5xx

/**
 * Whether the vendor may have applied the request. `no`: it was never sent, or was refused. `unknown`: the vendor may have applied it, but
 * the answer was lost or is not reliable. Then read the record before you repeat a write.
 */
export type Sent = 'no' | 'unknown';

/**
 * For each field of an input that the documents do not show, by path: the documented field with the most similar name, or null if none is
 * similar.
 */
export type NearestFields = Readonly<Record<string, string | null>>;

export type PartnerApiErrorDetails = {
  readonly kind: PartnerApiErrorKind;
  readonly sent: Sent;
  readonly operation: string;
  readonly domain: Endpoint['domain'];
  readonly method: string;
  /** The path of the request with its placeholders, such as `{id}`, and without a query. */
  readonly template: string;
  readonly code?: string | null;
  readonly status?: number | null;
  readonly traceId?: string | null;
  readonly rateLimit?: RateLimit;
  readonly resetSeconds?: number | null;
  readonly fields?: readonly string[];
  readonly nearest?: NearestFields;
  readonly vendorMessage?: string | null;
  readonly cause?: unknown;
};

/**
 * The only error with which this client rejects. Message and enumerable properties contain only codes and names. The vendor's own text,
 * which may quote data, is in `vendorMessage`, which JSON and `inspect` leave out.
 */
export class PartnerApiError extends Error {
  override readonly name = 'PartnerApiError';
  readonly kind: PartnerApiErrorKind;
  readonly sent: Sent;
  readonly operation: string;
  /** The part of the vendor's API (sales or order) that was called. Each part has its own quota, and may fail alone. */
  readonly domain: Endpoint['domain'];
  /** The vendor's error code or type, or the code of a failed connection (`ECONNRESET`, `BODY_TOO_LARGE`); else null. */
  readonly code: string | null;
  /** HTTP status, null when no answer came. */
  readonly status: number | null;
  readonly traceId: string | null;
  readonly rateLimit: RateLimit;
  /**
   * How many seconds the vendor asks the client to wait, from the header `Retry-After`. For a 429: the longer wait of this header and
   * `X-RateLimit-Reset`, at least 1. Null without these headers.
   */
  readonly resetSeconds: number | null;
  /** Paths of the invalid fields (such as `leadOpportunity.currency`) in the input or in the answer. */
  readonly fields: readonly string[];
  /**
   * For each path in `fields` that the documents do not show: the documented field with the most similar name, or null if none is similar.
   */
  readonly nearest: NearestFields;
  /** The vendor's own message, which may quote data; null without one. */
  declare readonly vendorMessage: string | null;

  constructor(details: PartnerApiErrorDetails) {
    super(messageOf(details), details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.sent = details.sent;
    this.operation = details.operation;
    this.domain = details.domain;
    this.code = details.code ?? null;
    this.status = details.status ?? null;
    this.traceId = details.traceId ?? null;
    this.rateLimit = details.rateLimit ?? NO_RATE_LIMIT;
    this.resetSeconds = details.resetSeconds ?? null;
    this.fields = details.fields ?? [];
    this.nearest = details.nearest ?? {};
    Object.defineProperty(this, 'vendorMessage', { value: details.vendorMessage ?? null, enumerable: false });
  }

  /**
   * A copy of the error whose `resetSeconds` is `seconds`. It is for a caller that waits longer or shorter than the vendor demanded, for
   * example because the vendor's header demands an unusually long wait. The message of the copy names both durations. Returns the same
   * error if the durations are equal.
   */
  waiting(seconds: number): this {
    if (seconds === this.resetSeconds) return this;
    const message = `${this.message}; asks to wait ${this.resetSeconds} s, asked again after ${seconds} s`;
    return Object.create(Object.getPrototypeOf(this), {
      ...Object.getOwnPropertyDescriptors(this),
      resetSeconds: { value: seconds, enumerable: true },
      message: { value: message },
    });
  }
}

function messageOf({ method, template, kind, status, code, ...rest }: PartnerApiErrorDetails): string {
  const facts = [status, code].filter((fact) => fact !== null && fact !== undefined).join(' ');
  const places = (rest.fields ?? []).map((field) => field + hintOf(rest.nearest?.[field]));
  const at = places.length === 0 ? '' : ` at ${places.join(', ')}`;
  return `${method} ${template} failed: ${kind}${facts === '' ? '' : ` (${facts})`}${at}`;
}

function hintOf(nearest: string | null | undefined): string {
  if (nearest === undefined) return '';
  return nearest === null ? ' (not a documented field: see `extra`)' : ` (did you mean ${nearest}?)`;
}
