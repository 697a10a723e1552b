import { Hono } from 'hono';
import { ADMIN_PREFIX } from './admin.ts';
import type { FetchApp } from './server.ts';

/**
 * Joins three apps: paths below `ADMIN_PREFIX` go to the admin surface, the exact paths of `own` (probes, pages) to `own`, and all others
 * to the simulated API. `before` runs first for each request.
 */
export function withAdmin(api: FetchApp, admin: Hono, own: Hono, before: () => void = () => undefined): FetchApp {
  const mounted = new Hono().route(ADMIN_PREFIX, admin);
  mounted.notFound((c) => c.json({ error: { message: 'There is no such admin call.' } }, 404));
  const ownPaths = new Set(own.routes.map(({ path }) => path));
  return {
    fetch: (request, env) => {
      const { pathname } = new URL(request.url);
      before();
      if (ownPaths.has(pathname)) return own.fetch(request, env);
      const isAdmin = pathname === ADMIN_PREFIX || pathname.startsWith(`${ADMIN_PREFIX}/`);
      return isAdmin ? mounted.fetch(request, env) : api.fetch(request, env);
    },
  };
}
