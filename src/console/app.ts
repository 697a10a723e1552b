import { Hono, type MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from '../platform/logger.ts';
import { ANSWER_SERVES_MS } from '../platform/readiness.ts';
import { sharedAnswer } from '../platform/shared-answer.ts';
import { type ApiTokens, createApiTokens } from './access/api-tokens.ts';
import { createRateLimit, RATES, type RateLimit } from './access/rate-limits.ts';
import { createSessions, type Sessions } from './access/sessions.ts';
import { createApi, createCaller } from './api/api.ts';
import { Refusal, refusalOf } from './api/refusal.ts';
import { createEvents, createRunEvents, FOLLOWED_RUNS, type FollowedRun } from './live/events.ts';
import { createNames } from './live/names.ts';
import { OpenStreams } from './live/open-streams.ts';
import { Snapshots } from './live/snapshot.ts';
import { createActions } from './pages/actions.ts';
import { ASSETS } from './pages/assets.ts';
import { layout } from './pages/layout.ts';
import { createStudio } from './pages/mapping/studio-routes.ts';
import { createRegistry } from './pages/registry-routes.ts';
import { createPages } from './pages/routes.ts';
import type { ConsolePorts } from './ports.ts';
import { programOf } from './web/bearer.ts';
import { sessionCookie } from './web/cookies.ts';
import { protectingHeaders } from './web/headers.ts';
import { createSignIn, type OidcSignIn, type ProxySignIn } from './web/sign-in-routes.ts';
import { type ConsoleContext, type ConsoleEnv, limitBytes, peerOf, refuseForeignPages, type Site } from './web/site.ts';

export type ConsoleOptions = {
  readonly ports: ConsolePorts;
  readonly site: Site;
  readonly oidc: OidcSignIn | null;
  readonly proxy: ProxySignIn | null;
  readonly log: Logger;
  /** The version of this release of Lockstep. */
  readonly version: string;
  /** Returns the names of health checks that fail now; empty if the console is ready to answer requests. */
  readonly failedChecks: () => Promise<readonly string[]>;
};

const MOST_BYTES = 256 * 1024;

/** Makes the console's HTTP application, which serves health checks, the sign-in, `/api/v1` and the pages. */
export function createConsole(options: ConsoleOptions): { readonly app: Hono<ConsoleEnv>; close(): void } {
  const { ports, site, log, version } = options;
  const nowMs = (): number => Date.parse(ports.now());
  const sessions = createSessions(ports.ledger, nowMs);
  const onError = (err: unknown): void => log.warn('the state of the tenants cannot be read', { err });
  const tenants = () => [...ports.roster().served.values()].map(({ tenant }) => tenant);
  const snapshots = new Snapshots({ ledger: ports.ledger, tenants, nowMs, onError });
  const call = createCaller({ ports, log, via: 'console' }, nowMs, () => snapshots.expire());
  const tokens = createApiTokens(ports.ledger, nowMs);

  const app = new Hono<ConsoleEnv>();
  addHealth(app, sharedAnswer(options.failedChecks, ANSWER_SERVES_MS));
  app.use(protectingHeaders(site));
  addAssets(app);
  addAccess(app, { ...options, sessions, tokens, limit: createRateLimit(RATES.sender, nowMs) });
  app.use(refuseForeignPages(site));
  app.use(
    bodyLimit({ maxSize: MOST_BYTES, onError: () => refuse(new Refusal('too-large', 'The request is too large.')) }),
  );
  app.use(limitBytes(MOST_BYTES, nowMs));
  const streams = new OpenStreams(async (text) => (await sessions.find(text)) ?? tokens.find(text));
  app.get('/api/v1/events', createEvents(streams, snapshots));
  for (const kind of Object.keys(FOLLOWED_RUNS) as readonly FollowedRun[])
    app.get(`/api/v1/tenants/:tenant/${kind}/events`, createRunEvents(streams, call, kind));
  app.route('/api/v1', createApi(call, version));
  app.route('/', createSignIn({ ...options, sessions, nowMs }));
  app.route('/actions', createActions(site, call));
  app.use(toSignIn(options.proxy !== null));
  const names = createNames(ports, nowMs);
  app.route('/', createStudio({ site, ports, call, names }));
  app.route('/', createRegistry({ site, call }));
  app.route('/', createPages({ site, ports, call, snapshots, names }));
  app.notFound(() => refuse(new Refusal('unknown', 'There is no such page.')));
  app.onError((error, context) => answerRefusal(context as ConsoleContext, error, log));
  return { app, close: () => snapshots.close() };
}

type Access = Pick<ConsoleOptions, 'site' | 'proxy'> & {
  readonly sessions: Sessions;
  readonly tokens: ApiTokens;
  readonly limit: RateLimit;
};

/** Adds middleware that finds the sender of each request (a program by its token, a person by the session) and limits the sender's rate. */
function addAccess(app: Hono<ConsoleEnv>, { site, proxy, sessions, tokens, limit }: Access): void {
  app.use(async (context, next) => {
    const program = await programOf(context, tokens).catch((error: unknown) => {
      limit(peerOf(context));
      throw error;
    });
    const token = program?.text ?? sessionCookie(site, context) ?? null;
    const found = program?.session ?? (token === null ? null : await sessions.find(token));
    const session = found === null || isStillHere(proxy, found.identity, context) ? found : null;
    context.set('session', session);
    context.set('token', session === null ? null : token);
    limit(session?.sender ?? peerOf(context));
    context.header('cache-control', 'no-store');
    await next();
  });
}

function refuse(refusal: Refusal): never {
  throw refusal;
}

/**
 * Whether a session still belongs to the person who sends the request. If a proxy signed the person in, the proxy's header must still name
 * the same person.
 */
function isStillHere(
  proxy: ProxySignIn | null,
  { by, user }: { by: string; user: string },
  context: ConsoleContext,
): boolean {
  return by !== 'proxy' || proxy?.(peerOf(context), (name) => context.req.header(name))?.user === user;
}

function addHealth(app: Hono<ConsoleEnv>, failedChecks: ConsoleOptions['failedChecks']): void {
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const failed = await failedChecks();
    return failed.length === 0 ? context.json({ status: 'ready' }) : context.json({ status: 'not-ready', failed }, 503);
  });
}

function addAssets(app: Hono<ConsoleEnv>): void {
  for (const { path, type, content } of Object.values(ASSETS))
    app.get(path, (context) =>
      context.body(content, 200, { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' }),
    );
}

/** Middleware that sends people without a session to the sign-in page. */
function toSignIn(hasProxy: boolean): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    if (context.var.session !== null) return next();
    return context.redirect(hasProxy ? '/sign-in/proxy' : '/sign-in');
  };
}

/** Answers a request that failed: as JSON below `/api`, elsewhere as a page. The text of an unexpected error is logged and not shown. */
function answerRefusal(context: ConsoleContext, error: unknown, log: Logger): Response | Promise<Response> {
  const known = refusalOf(error);
  if (known === null) log.error('the console failed', { err: error });
  const refusal = known ?? new Refusal('failed', 'The console failed; its log says more.');
  const { code, message, status, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== null) context.header('retry-after', String(retryAfterSeconds));
  if (context.req.path.startsWith('/api/')) return context.json({ code, message }, status);
  const session = context.var.session ?? null;
  return context.html(layout({ title: 'That did not work', session, body: message }), status);
}
