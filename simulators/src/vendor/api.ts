import { type Context, Hono } from 'hono';
import type { Clock } from '../core/clock.ts';
import { applyFaults, type FaultPlan } from '../core/faults.ts';
import type { Quota } from '../core/quota.ts';
import { logRequests, type RequestLog } from '../core/request-log.ts';
import { tellTime } from '../core/tell-time.ts';
import { problemBody } from './envelope.ts';
import { answerFault, checkKey, type GatewayEnv, spendQuota } from './gateway.ts';
import type { KeyRing } from './keys.ts';
import { isOrderPath, methodsAt, nameOf, routeOf } from './operations.ts';
import type { StrictVersion, VendorBehaviour } from './options.ts';
import { orderErrorBody } from './order/refusals.ts';
import { addOrderRoutes } from './order-routes.ts';
import { addSalesRoutes } from './sales-routes.ts';
import type { Store } from './store.ts';
import type { ViolationLog } from './violations/violation-log.ts';
import { watchViolations } from './violations/watch.ts';
import type { World } from './world/world.ts';

export type ApiParts = {
  readonly clock: Clock;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
  readonly quota: Quota;
  readonly store: Store;
  readonly world: World;
  readonly keys: KeyRing;
  readonly behaviour: VendorBehaviour;
  readonly partnerId: string;
  readonly keyHeader: string;
  readonly violations: ViolationLog;
  /** Refuses requests that the documents do not allow to a client of this version; null: they are only listed. */
  readonly strict: StrictVersion | null;
};

/** The simulated API of both domains: time, log, key, quota, violations, faults, then the operation. */
export function createApi(parts: ApiParts): Hono<GatewayEnv> {
  const { clock, log, faults, quota, keys, world, partnerId, keyHeader } = parts;
  const api = new Hono<GatewayEnv>();
  const named = (c: Context) => nameOf(c.req.method, c.req.path);
  api.use(
    tellTime(clock),
    logRequests(log, named),
    checkKey(keys, keyHeader),
    spendQuota(quota),
    watchViolations(parts),
    applyFaults({ faults, log, nameOf: named, answer: (c, fault) => answerFault(c, fault, clock.now()) }),
  );
  api.use(async (c, next) => {
    if (routeOf(c.req.method, c.req.path) === undefined) return answerUnknown(c, clock.now());
    return next();
  });
  addSalesRoutes(api, parts);
  addOrderRoutes(api, { orders: world.orders, catalog: world.catalog, clock, keys, partnerId });
  api.onError((_error, c) => {
    const message = 'The sandbox itself failed.';
    if (isOrderPath(c.req.path)) return c.json(orderErrorBody(500, message), 500);
    return c.json(problemBody({ status: 500, code: 'SANDBOX_FAULT', message }, clock.now(), false), 500);
  });
  return api;
}

/** Answers 404 for an unknown address, and 405 for an address that has other methods. */
function answerUnknown(c: Context, now: Date): Response {
  const methods = methodsAt(c.req.path);
  const status = methods.length === 0 ? 404 : 405;
  if (methods.length > 0) c.header('Allow', methods.join(', '));
  const message = 'path: the interface has no such operation.';
  if (isOrderPath(c.req.path)) return c.json(orderErrorBody(status, message), status);
  return c.json(problemBody({ status, code: 'SANDBOX_INVALID', message }, now, false), status);
}
