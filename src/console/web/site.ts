import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { isLoopbackName } from '../../platform/web-address.ts';
import { createRateLimit, RATES } from '../access/rate-limits.ts';
import { isSame, type Session } from '../access/sessions.ts';
import { Refusal } from '../api/refusal.ts';

/** The data that middleware attaches to a request: its session and the session's token; null for a request without a session. */
export type ConsoleEnv = { Variables: { session: Session | null; token: string | null } };
export type ConsoleContext = Context<ConsoleEnv>;

/**
 * The origin at which browsers reach the console. `origin` is null if the console listens on loopback; it then accepts any loopback name.
 */
export type Site = { readonly origin: string | null };

/**
 * The origin (scheme, host, port) of the address that a request was sent to. Throws `Refusal` for a host name that is not the console's,
 * against DNS rebinding.
 */
export function originOf({ origin }: Site, context: ConsoleContext): string {
  const host = context.req.header('host') ?? '';
  if (origin !== null) {
    if (host === new URL(origin).host) return origin;
  } else if (URL.canParse(`http://${host}`) && isLoopbackName(new URL(`http://${host}`).hostname)) {
    return `http://${host}`;
  }
  throw new Refusal('not-allowed', 'The console does not answer to this name.');
}

/** Whether the console is reached over TLS, so that its cookies must be sent over TLS only. */
export function isSecure({ origin }: Site): boolean {
  return origin?.startsWith('https:') === true;
}

/** The address of the connection's other end, which is the proxy's if there is one. */
export function peerOf(context: ConsoleContext): string {
  return getConnInfo(context).remote.address ?? 'unknown';
}

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Middleware that refuses a change if a page of another site sent it. A browser names the origin of the sending page in each such request.
 */
export function refuseForeignPages(site: Site): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    const own = originOf(site, context);
    if (SAFE.has(context.req.method)) return next();
    const [origin, from] = [context.req.header('origin'), context.req.header('sec-fetch-site')];
    if (origin === undefined ? from === undefined && context.var.session === null : origin !== own) throw foreign();
    if (from !== undefined && from !== 'same-origin') throw foreign();
    return next();
  };
}

/** Middleware that limits the bytes of bodies of each sender. A body without a stated length counts as `mostBytes` bytes. */
export function limitBytes(mostBytes: number, nowMs: () => number): MiddlewareHandler<ConsoleEnv> {
  const limit = createRateLimit(RATES.bytes, nowMs);
  return async (context, next) => {
    const { method, raw } = context.req;
    if (!SAFE.has(method) && raw.body !== null)
      limit(context.var.session?.sender ?? peerOf(context), Number(context.req.header('content-length') ?? mostBytes));
    await next();
  };
}

function foreign(): Refusal {
  return new Refusal('foreign-page', 'Changes are taken from the console’s own pages only.');
}

/**
 * Refuses a request that changes data if `given` is not the session's anti-forgery token. A request of a program needs no such token.
 * Throws `Refusal`.
 */
export function requireToken(session: Session, given: unknown): void {
  if (session.isProgram === true) return;
  if (typeof given === 'string' && isSame(given, session.csrf)) return;
  throw new Refusal('foreign-page', 'The page is too old for this change: load it again.');
}
