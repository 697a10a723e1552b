import { Hono } from 'hono';
import { createDraftTurns } from '../access/draft-turns.ts';
import { createRateLimit, RATES } from '../access/rate-limits.ts';
import type { Session } from '../access/sessions.ts';
import type { ConsolePorts } from '../ports.ts';
import { type ConsoleContext, type ConsoleEnv, requireToken } from '../web/site.ts';
import { type CallContext, callEndpoint } from './call-endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { openApi } from './openapi.ts';
import { Refusal } from './refusal.ts';

/**
 * Calls an endpoint of the API with the rights of a session. The session belongs to a person, or to a program with an API token. The routes
 * of the API, the pages and the MCP server over HTTP call endpoints through this function.
 */
export type Caller = (endpoint: Endpoint, input: unknown, session: Session) => ReturnType<typeof callEndpoint>;

/**
 * Makes the function that calls endpoints. The function limits how often a sender may read the remote systems, how many opportunities a
 * sender may change, and how much processor time a sender's mapping drafts take. It calls `onWrite` after each change, also after a change
 * that failed.
 */
export function createCaller(
  context: Omit<CallContext, 'onChanges'>,
  nowMs: () => number,
  onWrite: () => void,
): Caller {
  const [costly, changes] = [createRateLimit(RATES.costly, nowMs), createRateLimit(RATES.changes, nowMs)];
  const inTurn = createDraftTurns();
  return (endpoint, input, { identity, sender }) => {
    if (endpoint.costly) costly(sender);
    const ports = withCountedReads(context.ports, () => costly(sender));
    const onChanges = (count: number): void => changes(sender, count);
    const run = () => callEndpoint({ ...context, ports, onChanges }, endpoint, input, identity);
    const answer = endpoint.takesDraft ? inTurn(sender, run) : run();
    return endpoint.effect === 'writes' ? answer.finally(onWrite) : answer;
  };
}

/**
 * Returns the console's ports with one difference: `count` is called before each read of an opportunity in Salesforce or of a record at the
 * vendor, so that these reads count against the sender's rate limit.
 */
function withCountedReads(ports: ConsolePorts, count: () => void): ConsolePorts {
  return {
    ...ports,
    remote: (tenant) => {
      const remote = ports.remote(tenant);
      return {
        ...remote,
        opportunity: async (crmId) => {
          count();
          return remote.opportunity(crmId);
        },
        hasVendorRecord: async (vendorId) => {
          count();
          return remote.hasVendorRecord(vendorId);
        },
      };
    },
  };
}

/**
 * Makes the routes below `/api/v1`: one for each endpoint in the table `ENDPOINTS`, one for the OpenAPI document that describes them, and
 * one for the caller's session (name, rights and anti-forgery token).
 */
export function createApi(call: Caller, version: string): Hono<ConsoleEnv> {
  const app = new Hono<ConsoleEnv>();
  const document = JSON.stringify(openApi(version));
  app.get('/openapi.json', (context) => context.body(document, 200, { 'content-type': 'application/json' }));
  app.get('/session', (context) => {
    const { identity, csrf } = requireSession(context);
    return context.json({ shape: 'session/1', ...identity, csrf });
  });
  for (const endpoint of ENDPOINTS) {
    app.on(endpoint.method, endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const session = requireSession(context);
      const input = endpoint.method === 'GET' ? context.req.query() : await bodyOf(context, session);
      return context.json(await call(endpoint, { ...input, ...context.req.param() }, session));
    });
  }
  app.all('*', () => {
    throw new Refusal('unknown', 'The API has nothing at this path: /api/v1/openapi.json lists what it has.');
  });
  return app;
}

export function requireSession(context: ConsoleContext): Session {
  const { session } = context.var;
  if (session === null) throw new Refusal('not-signed-in', 'Sign in first.');
  return session;
}

async function bodyOf(context: ConsoleContext, session: Session): Promise<object> {
  requireToken(session, context.req.header('x-lockstep-csrf'));
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/json\b/i.test(type)) throw new Refusal('invalid', 'Send JSON.');
  const body: unknown = await context.req.json().catch(() => null);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal('invalid', 'Send an object.');
  return body;
}
