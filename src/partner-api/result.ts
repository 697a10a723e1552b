import type { HasExtra } from './extra.ts';

/** Options of every call. */
export interface CallOptions {
  /** Ends the call with an error of kind `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** A successful answer. */
export interface Result<Data> {
  /** What was asked for. */
  readonly data: Data;
  readonly info: Info;
  readonly rateLimit: RateLimit;
  /** The vendor's id of the request, for its support. */
  readonly traceId: string | null;
  /** HTTP status. */
  readonly status: number;
  /** The answer's `Date` header as an ISO instant: the remote clock where `info.timestamp` is null. */
  readonly date: string | null;
}

/** What the vendor tells of an answer (sales spec 2.9, order spec 2.1), null where it tells nothing. */
export interface Info extends HasExtra {
  readonly success: boolean | null;
  /** HTTP status, as the body names it. */
  readonly statusCode: number | null;
  /** The vendor's time of the answer, as sent. The documents spell it in two ways; here it has one. */
  readonly timestamp: string | null;
  /** The vendor's id of the request. */
  readonly traceId: string | null;
  /** About how many results there are in all; an estimate. */
  readonly estimatedSearchCount: number | null;
}

/** The quota headers of one answer (sales spec 8.1). `null` where a header is absent or not an integer >= 0. */
export interface RateLimit {
  /** Total quota of the current window. */
  readonly limit: number | null;
  /** What is left of it. */
  readonly remaining: number | null;
  /** Seconds until the window resets. */
  readonly resetSeconds: number | null;
}
