import type { Context } from 'hono';
import { CONTENT_SECURITY_POLICY, type PageContent, renderPage } from './layout.ts';

/** Answers with a page that loads nothing from other servers. No cache may store it. */
export function sendPage(c: Context, content: PageContent): Response | Promise<Response> {
  c.header('content-security-policy', CONTENT_SECURITY_POLICY);
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  c.header('x-content-type-options', 'nosniff');
  return c.html(renderPage(content));
}
