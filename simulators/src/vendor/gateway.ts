import type { Context, MiddlewareHandler } from 'hono';
import { contentTypeOf } from '../core/content-type.ts';
import type { Fault } from '../core/faults.ts';
import type { Quota, QuotaState } from '../core/quota.ts';
import type { LOG_SEQ } from '../core/request-log.ts';
import { GATEWAY_MESSAGES, problemBody, unavailableBody } from './envelope.ts';
import type { KeyRing, KnownKey } from './keys.ts';
import { isOrderPath, routeOf } from './operations.ts';
import { orderErrorBody } from './order/refusals.ts';

/** Statuses of sales answers with the rate-limit headers (sales spec 8.1). */
export const LIMITED_STATUSES: readonly number[] = [200, 201, 400, 406, 429, 500, 503];

/** The variables that log and gateway leave on the context. */
export type GatewayEnv = {
  Variables: { key: KnownKey; quotaState: QuotaState; isForeign?: true; [LOG_SEQ]: number };
};

/** Checks the key: missing 401, unknown or without the scope 403, both without rate-limit headers (sales spec 5). */
export function checkKey(keys: KeyRing, keyHeader: string): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const route = routeOf(c.req.method, c.req.path);
    const apiKey = c.req.header(keyHeader);
    if (apiKey === undefined || apiKey === '') return c.json({ message: GATEWAY_MESSAGES[401] }, 401);
    const key = await keys.find(apiKey);
    const isAllowed = key !== undefined && (route === undefined || key.scopes.includes(route.scope));
    if (!isAllowed) return c.json({ message: GATEWAY_MESSAGES[403] }, 403);
    c.set('key', key);
    return next();
  };
}

/** Spends the caller's quota; answers 429 if none is left. The headers show the caller's present window. */
export function spendQuota(quota: Quota): MiddlewareHandler<GatewayEnv> {
  return async (c, next) => {
    const state = quota.take(c.get('key').id);
    c.set('quotaState', state);
    if (state.allowed) await next();
    else c.res = c.json({ message: GATEWAY_MESSAGES[429] }, 429);
    const isSales = routeOf(c.req.method, c.req.path)?.scope === 'sales';
    if (isSales && c.get('isForeign') !== true && LIMITED_STATUSES.includes(c.res.status))
      setLimitHeaders(c.res.headers, c.get('quotaState'));
  };
}

function setLimitHeaders(headers: Headers, state: QuotaState): void {
  headers.set('X-RateLimit-Limit', String(state.limit));
  headers.set('X-RateLimit-Remaining', String(state.remaining));
  headers.set('X-RateLimit-Reset', String(state.resetSeconds));
}

/** The vendor's own answer for a planned status (sales spec 7), or a proxy's page, which has no quota headers. */
export function answerFault(c: Context, fault: Fault & { readonly status: number }, now: Date): Response {
  const { status, body, retryAfterSeconds } = fault;
  if (retryAfterSeconds !== undefined) c.header('Retry-After', String(retryAfterSeconds));
  if (body !== undefined) {
    c.set('isForeign', true);
    return c.body(body, status as 503, { 'content-type': contentTypeOf(body) });
  }
  if (status === 401 || status === 403) return c.json({ message: GATEWAY_MESSAGES[status] }, status);
  if (status === 429) {
    const state = c.get('quotaState') as QuotaState;
    c.set('quotaState', { ...state, remaining: 0, resetSeconds: fault.resetSeconds ?? state.resetSeconds });
    return c.json({ message: GATEWAY_MESSAGES[429] }, 429);
  }
  if (isOrderPath(c.req.path)) {
    return c.json(orderErrorBody(status, 'The fault plan asked for this answer.'), status as 500);
  }
  if (status === 503) return c.json(unavailableBody(now), 503);
  const code = fault.errorCode ?? (status === 406 ? 'ERR805' : 'SANDBOX_FAULT');
  const message = fault.message ?? 'The fault plan asked for this answer.';
  const problem = { status: status as 500, code, message };
  return c.json(problemBody(problem, now, false), status as 500);
}
