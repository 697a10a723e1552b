import type { MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import { CONCURRENT_REQUESTS } from '../published-errors.ts';

/** Age from which a running request counts. */
const LONG_MS = 20_000;

/**
 * Refuses every request while `most` requests, the limit of the org, have run for 20 seconds or longer (Limits cheat sheet: "Concurrent API Request
 * Limits"). Place it before the fault plan, which makes requests long. The code is documented; 403 is the REST guide's status for it, and
 * the message is as clients have published it.
 */
export function limitLongRequests(clock: Clock, most: () => number): MiddlewareHandler {
  const running = new Set<{ readonly startMs: number }>();
  return async (c, next) => {
    const nowMs = clock.now().getTime();
    const long = [...running].filter(({ startMs }) => nowMs - startMs >= LONG_MS).length;
    if (long >= most()) return c.json([CONCURRENT_REQUESTS.error], CONCURRENT_REQUESTS.status);
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
