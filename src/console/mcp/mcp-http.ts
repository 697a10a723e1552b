import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Logger } from '../../platform/logger.ts';
import { createApiTokens } from '../access/api-tokens.ts';
import { createRateLimit, RATES } from '../access/rate-limits.ts';
import { createCaller, requireSession } from '../api/api.ts';
import { Refusal, refusalOf } from '../api/refusal.ts';
import type { ConsolePorts } from '../ports.ts';
import { programOf } from '../web/bearer.ts';
import { protectingHeaders } from '../web/headers.ts';
import {
  type ConsoleContext,
  type ConsoleEnv,
  limitBytes,
  peerOf,
  refuseForeignPages,
  type Site,
} from '../web/site.ts';
import { createMcpServer } from './mcp-server.ts';

export type McpHttpOptions = {
  readonly ports: ConsolePorts;
  /** The address at which programs reach the MCP server. Requests for another host name are refused. */
  readonly site: Site;
  /** The console's address without a trailing slash, where a person confirms changes. */
  readonly base: string;
  readonly log: Logger;
  readonly version: string;
};

const MOST_BYTES = 256 * 1024;

/** Makes the HTTP application that serves the MCP server to programs. A program sends its API token with each request. */
export function createMcpHttp({ ports, site, base, log, version }: McpHttpOptions): Hono<ConsoleEnv> {
  const nowMs = (): number => Date.parse(ports.now());
  const tokens = createApiTokens(ports.ledger, nowMs);
  const call = createCaller({ ports, log, via: 'mcp' }, nowMs, () => {});
  const [ofPeer, ofToken] = [createRateLimit(RATES.signIn, nowMs), createRateLimit(RATES.sender, nowMs)];
  const app = new Hono<ConsoleEnv>();
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.use(protectingHeaders(site));
  app.use(async (context, next) => {
    context.header('cache-control', 'no-store');
    const program = await programOf(context, tokens).catch((error: unknown) => {
      ofPeer(peerOf(context));
      throw error;
    });
    if (program === null) throw new Refusal('not-signed-in', 'Send the token in the header Authorization.');
    ofToken(program.session.sender);
    context.set('session', program.session);
    await next();
  });
  app.use(refuseForeignPages(site));
  app.use(bodyLimit({ maxSize: MOST_BYTES, onError: () => refuse('too-large', 'The request is too large.') }));
  app.use(limitBytes(MOST_BYTES, nowMs));
  app.post('/mcp', async (context) => {
    const session = requireSession(context);
    const server = createMcpServer({
      ...{ identity: session.identity, base, version },
      call: (endpoint, input) => call(endpoint, input, session),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(context.req.raw, { parsedBody: await oneMessage(context) });
    } finally {
      await server.close();
    }
  });
  app.all('/mcp', (context) => context.json({ code: 'unknown', message: 'Send a POST.' }, 405, { allow: 'POST' }));
  app.notFound(() => refuse('unknown', 'The tools are at /mcp.'));
  app.onError((error, context) => {
    const known = refusalOf(error);
    if (known === null) log.error('the MCP server failed', { err: error });
    const { code, message, status, retryAfterSeconds } =
      known ?? new Refusal('failed', 'It failed; the log says more.');
    if (retryAfterSeconds !== null) context.header('retry-after', String(retryAfterSeconds));
    if (status === 401) context.header('www-authenticate', 'Bearer');
    return context.json({ code, message }, status);
  });
  return app;
}

/** The message in a request's body. Refuses a list of messages, because the rate limits count requests, not messages. */
async function oneMessage(context: ConsoleContext): Promise<unknown> {
  const message: unknown = await context.req.json().catch(() => undefined);
  if (Array.isArray(message)) throw new Refusal('invalid', 'Send one message in each request.');
  return message;
}

function refuse(code: 'too-large' | 'unknown', message: string): never {
  throw new Refusal(code, message);
}
