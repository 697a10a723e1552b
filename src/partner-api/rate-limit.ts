import type { RateLimit } from './result.ts';

/** The headers of an answer. Their names are in lower case, as undici delivers them. */
export type ReplyHeaders = Readonly<Record<string, string | string[] | undefined>>;

/**
 * The longest time, in seconds, that a header can make a caller wait. After an hour the vendor is asked again, even if it demanded a longer
 * wait.
 */
const MOST_SECONDS = 3_600;
const MOST_REQUESTS = 1_000_000_000;

export const NO_RATE_LIMIT: RateLimit = { limit: null, remaining: null, resetSeconds: null };

/**
 * Reads the three quota headers (`X-RateLimit-Limit`, `-Remaining` and `-Reset`). A number of requests above a billion becomes a billion,
 * and a reset after more than an hour becomes an hour. According to the documents, 401 and 403 answers have no quota headers.
 */
export function readRateLimit(headers: ReplyHeaders): RateLimit {
  return {
    limit: wholeNumber(headers['x-ratelimit-limit'], MOST_REQUESTS),
    remaining: wholeNumber(headers['x-ratelimit-remaining'], MOST_REQUESTS),
    resetSeconds: wholeNumber(headers['x-ratelimit-reset'], MOST_SECONDS),
  };
}

/**
 * Reads `Retry-After` as a number of seconds, at most an hour. If the header is a date, the seconds from the answer's own `Date` header to
 * that date are computed, because the local clock may differ. Null without `Retry-After`, or for a date without a `Date` header.
 */
export function readRetryAfter(headers: ReplyHeaders): number | null {
  const seconds = wholeNumber(headers['retry-after'], MOST_SECONDS);
  if (seconds !== null) return seconds;
  const until = instant(headers['retry-after']);
  const sentAt = instant(headers['date']);
  if (until === null || sentAt === null) return null;
  return Math.min(MOST_SECONDS, Math.max(0, Math.ceil((until - sentAt) / 1000)));
}

/** The answer's `Date` header as an ISO 8601 instant, `null` if absent or unreadable. */
export function readDate(headers: ReplyHeaders): string | null {
  const at = instant(headers['date']);
  return at === null ? null : new Date(at).toISOString();
}

/** The value of a header that is a whole number; `most` if the number is larger than `most`. Null for any other header. */
function wholeNumber(value: string | string[] | undefined, most: number): number | null {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return null;
  const number = Number(value);
  return Number.isSafeInteger(number) ? Math.min(most, number) : null;
}

function instant(value: string | string[] | undefined): number | null {
  // HTTP dates start with the weekday; Date.parse alone would also take "-5" or "2026".
  if (typeof value !== 'string' || !/^[A-Z][a-z]{2}/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at;
}
