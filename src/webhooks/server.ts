import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { healthRoutes } from '../platform/health-server.ts';
import { listen } from '../platform/http-listen.ts';
import { receiveEvent } from './event-route.ts';
import { receiveOutboundMessage } from './outbound-route.ts';
import { createReception, type WebhookOptions } from './reception.ts';

export type { WebhookOptions } from './reception.ts';

/**
 * Receives what wakes the engine: `POST /hooks/salesforce/{secret}` (Outbound Messages) and
 * `POST /hooks/events/{tenant}` (events signed as in Standard Webhooks), beside `/healthz`, `/readyz` and `/metrics`.
 * A message is acknowledged only when the ledger holds it and, unless that takes long, Temporal has its signals. Throws
 * `ListenError`.
 */
export async function startWebhookServer(
  options: WebhookOptions & { readonly host: string; readonly port: number },
): Promise<{ readonly url: string; close(): Promise<void> }> {
  return listen(webhookApp(options), { host: options.host, port: options.port });
}

function webhookApp(options: WebhookOptions): Hono {
  const registry = new Registry();
  const reception = createReception(options, registry);
  const app = new Hono();
  app.post('/hooks/salesforce/:secret', (context) =>
    receiveOutboundMessage(context, context.req.param('secret'), reception),
  );
  app.post('/hooks/events/:tenant', (context) =>
    receiveEvent(context, context.req.param('tenant'), reception),
  );
  app.all('/hooks/salesforce/:secret', (context) => reception.turnAway(context, 'method-not-allowed'));
  app.all('/hooks/events/:tenant', (context) => reception.turnAway(context, 'method-not-allowed'));
  const checks = { intake: () => options.intake.ready() };
  app.route('/', healthRoutes({ checks, metrics: () => registry.metrics() }));
  app.notFound((context) => reception.turnAway(context, 'unknown-path'));
  app.onError((err, context) => {
    options.log.error('the webhook receiver failed', { err });
    return reception.turnAway(context, 'internal-error');
  });
  return app;
}
