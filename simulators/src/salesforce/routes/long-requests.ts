import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import type { ApiError } from '../store/failure.ts';

/** Age from which a running request counts. */
const LONG_MS = 20_000;
/** Requests of Developer Edition orgs, as this is one; production orgs and sandboxes have 25. */
const MOST_LONG_REQUESTS = 5;

const REFUSAL: ApiError = {
  errorCode: 'REQUEST_LIMIT_EXCEEDED',
  message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
};

/**
 * Refuses every request while as many as the org may have run for 20 seconds or longer (Limits cheat sheet: "Concurrent API Request
 * Limits"). Place it before the fault plan, which makes requests long. The code is documented; 403 is the REST guide's status for it, and
 * the message is as clients have published it.
 */
export function limitLongRequests(clock: Clock): MiddlewareHandler {
  const running = new Set<{ readonly startMs: number }>();
  return async (c, next) => {
    const nowMs = clock.now().getTime();
    const long = [...running].filter(({ startMs }) => nowMs - startMs >= LONG_MS).length;
    if (long >= MOST_LONG_REQUESTS) return c.json([REFUSAL], 403);
    const request = { startMs: nowMs };
    running.add(request);
    try {
      await next();
    } finally {
      running.delete(request);
    }
    return undefined;
  };
}
