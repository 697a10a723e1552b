import type { HasExtra } from './extra.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with an error of kind `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A successful answer. */
export interface Result<Data> {
  readonly data: Data;
  readonly info: Info;
  readonly rateLimit: RateLimit;
  /** The vendor's id of the request, to be quoted to the vendor's support. */
  readonly traceId: string | null;
  readonly status: number;
  /** The answer's `Date` header as an ISO instant. It gives the vendor's time if `info.timestamp` is null. */
  readonly date: string | null;
}

/** The `info` object of an answer (sales spec 2.9, order spec 2.1). A member is null if the vendor omits it. */
export interface Info extends HasExtra {
  readonly success: boolean | null;
  /** HTTP status, as the body names it. */
  readonly statusCode: number | null;
  /**
   * The vendor's time of the answer, as sent. The vendor spells the field's name in two ways (`timeStamp`, `timestamp`); here it is always
   * `timestamp`.
   */
  readonly timestamp: string | null;
  /** The vendor's id of the request. */
  readonly traceId: string | null;
  /** About how many results there are in all; an estimate. */
  readonly estimatedSearchCount: number | null;
}

/** The quota headers of one answer (sales spec 8.1). `null` if a header is absent or not an integer >= 0. */
export interface RateLimit {
  /** Total quota of the current window. */
  readonly limit: number | null;
  /** Remaining quota of the current window. */
  readonly remaining: number | null;
  /** Seconds until the current window of the quota ends and the next one begins. */
  readonly resetSeconds: number | null;
}
