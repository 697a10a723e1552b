import { Hono, type MiddlewareHandler } from 'hono';
import { type ListeningServer, listen } from './http-listen.ts';
import { ANSWER_SERVES_MS, type Readiness, type ReadinessOptions, watchReadiness } from './readiness.ts';
import { sharedAnswer } from './shared-answer.ts';
import { isLoopback, isLoopbackName } from './web-address.ts';

export type HealthOptions = ReadinessOptions & {
  /** Text of `/metrics` in the Prometheus format. */
  readonly metrics: () => string | Promise<string>;
};

/**
 * Builds the health routes. `/healthz` answers 200 while the process runs. `/readyz` answers 200, or 503 with the names of the checks
 * that failed or took too long, never with the reason. `/metrics` answers with Prometheus text, at most a second old.
 */
function healthRoutes(readiness: Readiness, metrics: () => Promise<string>): Hono {
  const app = new Hono();
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const failed = await readiness.failed();
    return failed.length === 0 ? context.json({ status: 'ready' }) : context.json({ status: 'not-ready', failed }, 503);
  });
  app.get('/metrics', async (context) =>
    context.body(await metrics(), 200, {
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
    }),
  );
  return app;
}

/**
 * Serves the health routes on a port of their own. If it listens on a loopback address, requests must name a loopback host; otherwise a web
 * page could read the answers through its own host name (DNS rebinding). Throws `ListenError`.
 */
export async function startHealthServer(
  options: HealthOptions & { readonly host: string; readonly port: number },
): Promise<ListeningServer> {
  const app = new Hono();
  if (isLoopback(options.host)) app.use(onlyByLoopbackNames);
  const readiness = watchReadiness(options);
  const metrics = sharedAnswer(async () => options.metrics(), ANSWER_SERVES_MS);
  app.route('/', healthRoutes(readiness, metrics));
  try {
    const server = await listen(app, { host: options.host, port: options.port });
    const close = () => {
      readiness.close();
      return server.close();
    };
    return { ...server, close };
  } catch (error) {
    readiness.close();
    throw error;
  }
}

const onlyByLoopbackNames: MiddlewareHandler = async (context, next) =>
  isLoopbackName(new URL(context.req.url).hostname) ? next() : context.text('Ask for 127.0.0.1.', 403);
