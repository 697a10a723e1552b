import { Hono, type MiddlewareHandler } from 'hono';
import { type ListeningServer, listen } from './http-listen.ts';
import { withinTime } from './time-limit.ts';
import { isLoopback, isLoopbackName } from './web-address.ts';

export type HealthOptions = {
  /** What the process needs to do its work, by name; a check fails by throwing. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  readonly checkLimitMs?: number;
  /** Text of `/metrics` in the Prometheus format. */
  readonly metrics: () => string | Promise<string>;
};

const DEFAULT_CHECK_LIMIT_MS = 2000;
/** So long an answer of `/readyz` serves whoever else asks. */
const ANSWER_SERVES_MS = 1000;

/**
 * `/healthz`: 200 while the process runs. `/readyz`: 200, or 503 with the names of the checks that failed or took
 * too long; never why, which is in the log. However many ask, one look is under way, and it serves for a second.
 * `/metrics`: Prometheus text.
 */
export function healthRoutes(options: HealthOptions): Hono {
  const app = new Hono();
  const look = shared(() => failedChecks(options), ANSWER_SERVES_MS);
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const failed = await look();
    return failed.length === 0
      ? context.json({ status: 'ready' })
      : context.json({ status: 'not-ready', failed }, 503);
  });
  app.get('/metrics', async (context) =>
    context.body(await options.metrics(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  );
  return app;
}

/**
 * The three health routes on a port of their own. On the loopback they are served under its names only: a web page must
 * not read them by a name that was made to lead here (DNS rebinding). Throws `ListenError`.
 */
export async function startHealthServer(
  options: HealthOptions & { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const app = new Hono();
  if (isLoopback(options.host)) app.use(onlyByLoopbackNames);
  app.route('/', healthRoutes(options));
  return listen(app, { host: options.host, port: options.port });
}

/** The outcome of work that never rejects, for all who ask while it runs or within `servesMs` after it. */
function shared<T>(work: () => Promise<T>, servesMs: number): () => Promise<T> {
  let latest: Promise<T> | null = null;
  const forget = () => {
    latest = null;
  };
  return () => {
    if (latest === null) {
      latest = work();
      void latest.then(() => setTimeout(forget, servesMs).unref());
    }
    return latest;
  };
}

const onlyByLoopbackNames: MiddlewareHandler = async (context, next) =>
  isLoopbackName(new URL(context.req.url).hostname) ? next() : context.text('Ask for 127.0.0.1.', 403);

async function failedChecks(options: HealthOptions): Promise<readonly string[]> {
  const limitMs = options.checkLimitMs ?? DEFAULT_CHECK_LIMIT_MS;
  const results = await Promise.all(
    Object.entries(options.checks).map(async ([name, check]) => ({
      name,
      passed: await passes(check, limitMs),
    })),
  );
  return results.filter((result) => !result.passed).map((result) => result.name);
}

async function passes(check: () => Promise<unknown>, limitMs: number): Promise<boolean> {
  try {
    await withinTime(check(), limitMs);
    return true;
  } catch {
    return false;
  }
}
