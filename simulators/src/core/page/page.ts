import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { ADMIN_PREFIX, type SimulatorBackend } from '../admin.ts';
import { guardAgainstBrowsers } from '../browser-guard.ts';
import { adminSections, logSection } from './admin-sections.ts';
import { dealsContent } from './deals-page.ts';
import type { PageContent } from './layout.ts';
import { sendPage } from './send-page.ts';

/** The sections that a simulator adds to its page. `origin` is the page's own. */
export type OwnContent = (origin: string) => PageContent;

/**
 * The page at `/` of a simulator, for the developer who tests against it: how to begin, the log of requests, the simulator's own sections,
 * then faults, quotas, time, records and snapshots. The page of deals is at `/__admin`. Loads nothing from other servers.
 */
export function createPage(backend: SimulatorBackend, own: OwnContent): Hono {
  const page = new Hono();
  page.get('/', guardAgainstBrowsers, (c) => {
    const { origin } = new URL(c.req.url);
    const content = own(origin);
    const [start, ...others] = content.sections;
    const log = logSection(backend, origin);
    const sections = [...(start ? [start] : []), log, ...others, ...adminSections(backend, origin)];
    return sendPage(c, { ...content, sections });
  });
  page.get(ADMIN_PREFIX, guardAgainstBrowsers, async (c) =>
    sendPage(c, await dealsContent(backend, c.req.query('beside'))),
  );
  page.onError((error, c) => {
    if (error instanceof HTTPException) return c.text(error.message, error.status);
    return c.text(`The page failed: ${error.message}`, 500);
  });
  return page;
}
