import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { SimulatorBackend } from '../admin.ts';
import { guardAgainstBrowsers } from '../browser-guard.ts';
import { adminSections, logSection } from './admin-sections.ts';
import { CONTENT_SECURITY_POLICY, type PageContent, renderPage } from './layout.ts';

/** The own sections of a simulator's page; `origin` is the page's own. */
export type OwnContent = (origin: string) => PageContent;

/**
 * The page at `/` of a simulator, for the developer who tests against it: how to begin, the log of requests, the simulator's own sections,
 * then faults, quotas, time, records and snapshots. Loads nothing from other servers.
 */
export function createPage(backend: SimulatorBackend, own: OwnContent): Hono {
  const page = new Hono();
  page.get('/', guardAgainstBrowsers, (c) => {
    const { origin } = new URL(c.req.url);
    const content = own(origin);
    const [start, ...others] = content.sections;
    const log = logSection(backend, origin);
    const sections = [...(start ? [start] : []), log, ...others, ...adminSections(backend, origin)];
    c.header('content-security-policy', CONTENT_SECURITY_POLICY);
    c.header('cache-control', 'no-store');
    c.header('referrer-policy', 'no-referrer');
    c.header('x-content-type-options', 'nosniff');
    return c.html(renderPage({ ...content, sections }));
  });
  page.onError((error, c) => {
    if (error instanceof HTTPException) return c.text(error.message, error.status);
    return c.text(`The page failed: ${error.message}`, 500);
  });
  return page;
}
