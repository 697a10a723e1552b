import type { Context, Hono, MiddlewareHandler } from 'hono';
import type { Clock } from '../../core/clock.ts';
import { LOG_SEQ } from '../../core/request-log.ts';
import { problemBody } from '../envelope.ts';
import type { GatewayEnv } from '../gateway.ts';
import { type OrderRoute, routeOf, type SalesRoute } from '../operations.ts';
import type { StrictVersion } from '../options.ts';
import { orderErrorBody } from '../order/refusals.ts';
import { STRICT_CODE } from '../problem.ts';
import { findBreaches } from './find-breaches.ts';
import { type Breach, VIOLATION_RULES } from './rules.ts';
import type { ViolationLog } from './violation-log.ts';

export type WatchOptions = {
  readonly violations: ViolationLog;
  readonly clock: Clock;
  readonly keyHeader: string;
  /** The API version that a client must use. A violation is then refused with 400. Null: violations are only recorded. */
  readonly strict: StrictVersion | null;
};

/** Middleware that records violations of each request. Place it after the key check. */
export function watchViolations(options: WatchOptions): MiddlewareHandler<GatewayEnv> {
  const { violations, clock, keyHeader, strict } = options;
  return async (c, next) => {
    const route = routeOf(c.req.method, c.req.path);
    if (route === undefined) return next();
    const breaches = findBreaches(
      {
        route,
        query: new URL(c.req.url).searchParams,
        headers: c.req.raw.headers,
        body: c.req.method === 'GET' ? '' : await c.req.text(),
      },
      { partnerId: c.get('key').partnerId, keyHeader, usesV0: strict === 'v0' },
    );
    if (breaches.length === 0) return next();
    violations.add(breaches, { operation: route.operation, version: route.label, request: c.get(LOG_SEQ) });
    return strict !== null ? refuse(c, route, breaches, clock.now()) : next();
  };
}

function refuse(c: Context, route: SalesRoute | OrderRoute, breaches: readonly Breach[], now: Date): Response {
  if (route.scope === 'order') {
    const faults = breaches.map(({ rule, place, detail }) => ({
      detail: `${rule}: ${detail}`,
      pointer: place,
    }));
    return c.json(orderErrorBody(400, 'Refused by the strict sandbox.', faults), 400);
  }
  const message = breaches.map(({ rule, place, detail }) => `${rule}${place && ` at ${place}`}: ${detail}`).join(' ');
  const problem = { status: 400, code: STRICT_CODE, message } as const;
  return c.json(problemBody(problem, now, route.operation === 'searchPortfolioItems'), 400);
}

/** `GET` and `DELETE violations` of the admin surface. */
export function addViolationRoutes(admin: Hono, violations: ViolationLog, strict: StrictVersion | null): void {
  admin.get('/violations', (c) =>
    c.json({
      strict: strict ?? false,
      violations: violations.list(),
      counts: violations.counts(),
      rules: VIOLATION_RULES,
    }),
  );
  admin.delete('/violations', (c) => {
    violations.clear();
    return c.body(null, 204);
  });
}
