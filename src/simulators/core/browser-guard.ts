import type { MiddlewareHandler } from 'hono';
import { refusal } from './refusal.ts';

const LOOPBACK = /^(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i;
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Keeps web pages of others away from what needs no key. The host must be a loopback name, as the server listens nowhere
 * else: a foreign name that was made to lead here (DNS rebinding) is refused. What a browser sends to change something
 * must come from a page of this very origin, and as JSON, which no form can send. Programs send no `Origin` and are
 * not held to that.
 */
export const guardAgainstBrowsers: MiddlewareHandler = async (c, next) => {
  const url = new URL(c.req.url);
  if (!LOOPBACK.test(url.hostname)) {
    throw refusal(403, 'This address is served for loopback names only, such as 127.0.0.1 and localhost.');
  }
  const origin = c.req.header('origin');
  if (origin === undefined || READING.has(c.req.method)) return next();
  if (origin !== url.origin) throw refusal(403, 'Pages of another origin cannot change anything here.');
  const isJson = c.req.method === 'DELETE' || JSON_TYPE.test(c.req.header('content-type') ?? '');
  if (!isJson) throw refusal(415, 'A page sends JSON: content-type application/json.');
  return next();
};
