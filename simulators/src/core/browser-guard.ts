import type { Context, MiddlewareHandler } from 'hono';
import { isLoopbackName } from './loopback.ts';
import { refusal } from './refusal.ts';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/**
 * Middleware that protects routes without a key from foreign web pages. The host must be a loopback name, so that DNS rebinding is refused.
 * A browser's request must come from a page of this origin, unless it follows a link. A browser's request that changes something must have
 * a JSON body, which no form can send. Requests of other programs pass.
 */
export const guardAgainstBrowsers: MiddlewareHandler = async (c, next) => {
  const url = new URL(c.req.url);
  if (!isLoopbackName(url.hostname)) {
    throw refusal(403, 'This address is served for loopback names only, such as 127.0.0.1 and localhost.');
  }
  const origin = c.req.header('origin');
  if (isOfOtherPage(c, url.origin)) throw refusal(403, 'Pages of another origin can do nothing here.');
  if (origin === undefined || READING.has(c.req.method)) return next();
  const isJson = c.req.method === 'DELETE' || JSON_TYPE.test(c.req.header('content-type') ?? '');
  if (!isJson) throw refusal(415, 'A page sends JSON: content-type application/json.');
  return next();
};

/** Whether a request comes from another origin's page, by the headers `Sec-Fetch-Site`, which no page can change, and `Origin`. */
function isOfOtherPage(c: Context, own: string): boolean {
  const isReading = READING.has(c.req.method);
  const origin = c.req.header('origin');
  if (origin !== undefined && origin !== own && !isReading) return true;
  const site = c.req.header('sec-fetch-site') ?? 'none';
  const isLink = isReading && c.req.header('sec-fetch-mode') === 'navigate';
  return site !== 'none' && site !== 'same-origin' && !isLink;
}
