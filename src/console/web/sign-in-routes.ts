import { Hono } from 'hono';
import type { Logger } from '../../platform/logger.ts';
import type { Identity } from '../access/identity.ts';
import { createRateLimit, RATES } from '../access/rate-limits.ts';
import type { Sessions } from '../access/sessions.ts';
import { Refusal } from '../api/refusal.ts';
import { layout } from '../pages/layout.ts';
import { linkPage, signedInPage, signInPage } from '../pages/sign-in.ts';
import { dropSessionCookie, sessionCookie, setSessionCookie, setSignInCookie, takeSignInCookie } from './cookies.ts';
import { type ConsoleContext, type ConsoleEnv, originOf, peerOf, requireToken, type Site } from './site.ts';

/** A sign-in at an OpenID Connect provider. */
export interface OidcSignIn {
  /** Starts a sign-in. Returns the address of the provider to which the browser goes, and a state to keep until the browser comes back. */
  begin(callback: string): Promise<{ readonly url: string; readonly state: string }>;
  /**
   * Finishes a sign-in: returns the person whom the provider sent back to the address `current`. Null if the provider states no usable
   * name, or if the console's file gives the person no right. Throws `Refusal` if this browser did not begin the sign-in, or if the
   * provider refuses it or does not answer.
   */
  finish(current: URL, state: string): Promise<Identity | null>;
}

/**
 * Finds the person who sent a request, by the headers that a proxy sets. `peer`: the address of the connection's other end. Null if this
 * address is not the proxy's, if the headers name no person, or if the console's file gives the person no right.
 */
export type ProxySignIn = (peer: string, header: (name: string) => string | undefined) => Identity | null;

export type SignInOptions = {
  readonly site: Site;
  readonly sessions: Sessions;
  readonly oidc: OidcSignIn | null;
  readonly proxy: ProxySignIn | null;
  readonly log: Logger;
  readonly nowMs: () => number;
};

const CALLBACK = '/sign-in/oidc/callback';

/**
 * The sign-in pages. Each sign-in opens a new session with a new token. A session token that an attacker put into the browser before is
 * therefore never valid.
 */
export function createSignIn(options: SignInOptions): Hono<ConsoleEnv> {
  const { site, sessions, oidc, proxy, nowMs } = options;
  const [ofLink, others] = [createRateLimit(RATES.link, nowMs), createRateLimit(RATES.signIn, nowMs)];
  const app = new Hono<ConsoleEnv>();
  app.use('/sign-in/*', async (context, next) => {
    const limit = context.req.method === 'POST' ? ofLink : others;
    limit(peerOf(context));
    await next();
  });
  app.get('/sign-in', (context) => context.html(layout(signInPage({ oidc: oidc !== null, proxy: proxy !== null }))));
  app.get('/sign-in/link/:token', (context) => context.html(layout(linkPage(context.req.param('token')))));
  app.post('/sign-in/link', async (context) => {
    const { token } = await context.req.parseBody();
    const session = typeof token === 'string' ? await sessions.redeem(token) : null;
    if (session === null)
      throw new Refusal('not-allowed', 'This link was used, or is too old: lockstep console link prints another.');
    await enter(options, context, session);
    options.log.info('a person signed in to the console by link');
    return context.redirect('/', 303);
  });
  app.post('/sign-out', async (context) => {
    const { session, token } = context.var;
    if (session !== null && token !== null) {
      requireToken(session, (await context.req.parseBody())['csrf']);
      await sessions.end(token);
    }
    dropSessionCookie(site, context);
    return context.redirect('/sign-in', 303);
  });
  if (proxy !== null)
    app.get('/sign-in/proxy', (context) =>
      enterAs(
        options,
        context,
        proxy(peerOf(context), (name) => context.req.header(name)),
      ),
    );
  if (oidc !== null) addOidc(app, oidc, options);
  return app;
}

function addOidc(app: Hono<ConsoleEnv>, oidc: OidcSignIn, options: SignInOptions): void {
  const { site } = options;
  app.get('/sign-in/oidc', async (context) => {
    const { url, state } = await oidc.begin(`${originOf(site, context)}${CALLBACK}`);
    setSignInCookie(site, context, state);
    return context.redirect(url);
  });
  app.get(CALLBACK, async (context) => {
    const state = takeSignInCookie(site, context);
    if (state === undefined) throw new Refusal('not-allowed', 'This sign-in was not begun here: begin it again.');
    const { search } = new URL(context.req.url);
    const current = new URL(`${originOf(site, context)}${CALLBACK}${search}`);
    return enterAs(options, context, await oidc.finish(current, state));
  });
}

/** Ends the session that the browser had before, and sets the cookie of the new session, whose token is `token`. */
async function enter({ site, sessions }: SignInOptions, context: ConsoleContext, token: string): Promise<void> {
  const before = sessionCookie(site, context);
  if (before !== undefined) await sessions.end(before);
  setSessionCookie(site, context, token);
}

async function enterAs(options: SignInOptions, context: ConsoleContext, identity: Identity | null): Promise<Response> {
  if (identity === null) throw new Refusal('not-allowed', 'Nobody has given you a right here: ask an administrator.');
  await enter(options, context, await options.sessions.open(identity));
  options.log.info(`a person signed in to the console by ${identity.by}`);
  return context.html(signedInPage());
}
