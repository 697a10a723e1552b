import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Hono } from 'hono';
import { guardAgainstBrowsers } from '../core/browser-guard.ts';
import { type DocumentOptions, openApiDocument } from './openapi/document.ts';

export const DOCUMENT_PATH = '/openapi.json';
export const REFERENCE_PATH = '/reference';
const SCRIPT_PATH = `${REFERENCE_PATH}/scalar.js`;

/**
 * The OpenAPI document and its reference page. Both need no key. The page loads nothing from other servers. Its script is Scalar's, served
 * from here.
 */
export function createPages(options: Omit<DocumentOptions, 'origin'>): Hono {
  const pages = new Hono();
  pages.get(DOCUMENT_PATH, guardAgainstBrowsers, (c) => {
    return c.json(openApiDocument({ ...options, origin: new URL(c.req.url).origin }));
  });
  pages.get(REFERENCE_PATH, guardAgainstBrowsers, async (c, next) => {
    // Loaded at the first visit, so that a simulator without visitors starts faster.
    const { Scalar } = await import('@scalar/hono-api-reference');
    const page = Scalar({
      url: DOCUMENT_PATH,
      cdn: SCRIPT_PATH,
      pageTitle: "Sandbox of the vendor's partner API",
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
      agent: { disabled: true },
      mcp: { disabled: true },
    });
    return page(c, next);
  });
  pages.get(SCRIPT_PATH, guardAgainstBrowsers, async (c) => {
    const script = new URL('js/standalone.js', import.meta.resolve('@scalar/fastify-api-reference'));
    return c.body(await readFile(fileURLToPath(script), 'utf8'), 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    });
  });
  return pages;
}
