import { Hono } from 'hono';
import { ADMIN_PREFIX } from './admin.ts';
import type { FetchApp } from './server.ts';

/** One app of two: what begins with `ADMIN_PREFIX` goes to the admin surface, all else to the simulated API. */
export function withAdmin(api: FetchApp, admin: Hono): FetchApp {
  const mounted = new Hono().route(ADMIN_PREFIX, admin);
  mounted.notFound((c) => c.json({ error: { message: 'There is no such admin call.' } }, 404));
  return {
    fetch: (request, env) => {
      const { pathname } = new URL(request.url);
      const isAdmin = pathname === ADMIN_PREFIX || pathname.startsWith(`${ADMIN_PREFIX}/`);
      return isAdmin ? mounted.fetch(request, env) : api.fetch(request, env);
    },
  };
}
