import { Hono } from 'hono';
import { listen } from '../../../src/platform/http-listen.ts';

/**
 * A load balancer before several receivers: it rotates, and skips a receiver that does not run. A request that breaks off is not repeated,
 * because its result is unknown.
 */
export async function startBalancer(
  targets: readonly string[],
): Promise<{ readonly url: string; close(): Promise<void> }> {
  let turn = 0;
  const app = new Hono().all('*', async (context) => {
    const { pathname } = new URL(context.req.url);
    const body = await context.req.arrayBuffer();
    const { method, headers } = context.req.raw;
    turn += 1;
    for (let tries = 0; tries < targets.length; tries += 1) {
      const target = targets[(turn + tries) % targets.length];
      try {
        const answer = await fetch(`${target}${pathname}`, { method, headers: passedOn(headers), body });
        return new Response(await answer.arrayBuffer(), { status: answer.status, headers: answer.headers });
      } catch (error) {
        if (!isAbsent(error)) break;
      }
    }
    return context.text('', 502);
  });
  return listen(app, { host: '127.0.0.1', port: 0 });
}

function passedOn(headers: Headers): Headers {
  const passed = new Headers(headers);
  for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) passed.delete(name);
  return passed;
}

function isAbsent(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
  return cause?.code === 'ECONNREFUSED';
}
