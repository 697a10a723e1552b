import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';

/** Middleware that sets each answer's `Date` header to the simulator's clock, which may differ from this machine's. */
export function tellTime(clock: Clock): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res !== RESPONSE_ALREADY_SENT) c.header('date', clock.now().toUTCString());
  };
}
