import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { MiddlewareHandler } from 'hono';
import type { Clock } from './clock.ts';

/** Sets every answer's `Date` to the simulator's own clock, which may differ from this machine's. */
export function tellTime(clock: Clock): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (c.res !== RESPONSE_ALREADY_SENT) c.header('date', clock.now().toUTCString());
  };
}
