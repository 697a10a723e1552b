import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { FaultPlan } from '../../core/faults.ts';
import { bearerOf } from '../oauth/routes.ts';
import type { Sessions } from '../oauth/sessions.ts';
import type { Org } from '../org.ts';
import { failure } from '../store/failure.ts';
import { BULK_CLASSIC_ROUTES, matchClassic } from './bulk-classic.ts';
import { answerOf } from './composite.ts';
import { type ApiVersions, parseDataUrl } from './data-url.ts';
import { plannedFaults } from './planned-faults.ts';
import { type ApiAnswer, type ApiRequest, matchRoute, type TextBody } from './route.ts';
import { soapDoor } from './soap.ts';
import { DATA_ROUTES, dispatch } from './table.ts';

/** `/services/data` and everything below, as a hono app. `origin` is this server's address. */
export function createDataApp(org: Org, sessions: Sessions, origin: () => string, faults: FaultPlan): Hono {
  const app = new Hono();
  const planned = plannedFaults(faults);
  app.get('/services/data', (c) => c.json(versions(org.apiVersions.served)));
  app.all('/services/data/*', async (c) => {
    const text = c.req.method === 'GET' || c.req.method === 'HEAD' ? '' : await c.req.text();
    return send(
      c,
      org,
      answerOf(() => dispatch(org, readRequest(c, org, sessions, origin(), text), planned)),
    );
  });
  return app;
}

/** Reads a request. Throws Salesforce's refusals that come before the call itself: the session, the quota, a body that is no JSON. */
function readRequest(c: Context, org: Org, sessions: Sessions, origin: string, text: string): ApiRequest {
  const userId = sessions.userOf(bearerOf(c.req.header('authorization')));
  if (userId === undefined) throw failure(401, 'INVALID_SESSION_ID', 'Session expired or invalid');
  const target = parseDataUrl(c.req.path + new URL(c.req.url).search, org.apiVersions.served);
  if (!org.quota.take().allowed) throw failure(403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.');
  const method = target.query.get('_HttpMethod')?.toUpperCase() ?? c.req.method;
  return {
    ...target,
    method,
    headers: Object.fromEntries([...c.req.raw.headers].map(([name, value]) => [name.toLowerCase(), value])),
    body: readBody(c, text, matchRoute(DATA_ROUTES, method, target.path)?.route.takesText === true),
    origin,
    userId,
  };
}

function readBody(c: Context, text: string, takesText: boolean): unknown {
  const type = c.req.header('content-type') ?? '';
  if (takesText) return { contentType: type, text } satisfies TextBody;
  if (text === '') return undefined;
  if (!/^application\/json\b/i.test(type)) {
    throw failure(415, 'UNSUPPORTED_MEDIA_TYPE', `Content type ${type} not supported.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `The request body is not well-formed JSON at ${placeIn(text, error)}`;
    throw failure(400, 'JSON_PARSER_ERROR', message);
  }
}

/** The position at which a body stops being JSON: the parser's, or the end. */
function placeIn(text: string, error: unknown): string {
  const position = /\(line (\d+) column (\d+)\)/.exec(error instanceof Error ? error.message : '');
  const lines = text.split('\n');
  const [line, column] = position?.slice(1) ?? [lines.length, (lines.at(-1)?.length ?? 0) + 1];
  return `[line:${line}, column:${column}]`;
}

function send(c: Context, org: Org, answer: ApiAnswer): Response {
  const { limit, remaining } = org.quota.peek();
  c.header('Sforce-Limit-Info', `api-usage=${limit - remaining}/${limit}`);
  for (const [name, value] of Object.entries(answer.headers ?? {})) c.header(name, value);
  if (answer.text !== undefined) {
    return c.text(answer.text.content, answer.status as ContentfulStatusCode, {
      'content-type': answer.text.contentType,
    });
  }
  const isEmpty = answer.status === 204 || answer.status === 304 || answer.body === undefined;
  if (isEmpty) return c.body(null, answer.status as 204);
  return c.json(answer.body, answer.status as ContentfulStatusCode);
}

function versions({ oldest, newest }: ApiVersions): readonly Record<string, string>[] {
  return Array.from({ length: newest - oldest + 1 }, (_, i) => {
    const version = `${oldest + i}.0`;
    return { label: `Version ${version}`, url: `/services/data/v${version}`, version };
  });
}

/** Calls outside the data API, by method and path, and their names in the request log. */
export const OTHER_OPERATIONS: Readonly<Record<string, string>> = {
  'GET /services/data': 'versions',
  'POST /services/oauth2/token': 'oauth.token',
  'POST /services/oauth2/revoke': 'oauth.revoke',
  'GET /services/oauth2/revoke': 'oauth.revokeByAddress',
  'POST /services/oauth2/introspect': 'oauth.introspect',
  'GET /services/oauth2/userinfo': 'oauth.userinfo',
  'GET /id/:organization/:user': 'identity',
  'GET /.well-known/openid-configuration': 'oauth.discovery',
  'POST /services/Soap/u/:version': 'soap',
  'POST /services/Soap/c/:version': 'soap',
  'POST /services/Soap/m/:version': 'soap',
  ...Object.fromEntries(
    BULK_CLASSIC_ROUTES.map(({ method, pattern, operation }) => [
      `${method} /services/async/:version${pattern}`,
      operation,
    ]),
  ),
};

/** The name of a request in the log; `unknown` if no route matches. */
export function nameOf(c: Context): { operation: string } {
  const { search } = new URL(c.req.url);
  const path = c.req.path.replace(/\/$/, '');
  if (path.startsWith('/id/')) return { operation: 'identity' };
  const other = OTHER_OPERATIONS[`${c.req.method} ${path}`];
  if (other !== undefined) return { operation: other };
  if (c.req.method === 'POST' && soapDoor(path) !== undefined) return { operation: 'soap' };
  const classic = matchClassic(c.req.method, path);
  if (classic !== undefined) return { operation: classic.route.operation };
  const below = /^\/services\/data\/v\d+\.0(\/.*)?$/.exec(path);
  if (below === null) return { operation: 'unknown' };
  const method = new URLSearchParams(search).get('_HttpMethod')?.toUpperCase() ?? c.req.method;
  return { operation: matchRoute(DATA_ROUTES, method, below[1] ?? '/')?.route.operation ?? 'unknown' };
}
