import { Hono } from 'hono';
import { Registry } from 'prom-client';
import { startHealthServer } from '../platform/health-server.ts';
import { listen } from '../platform/http-listen.ts';
import { receiveEvent } from './event-route.ts';
import { receiveOutboundMessage } from './outbound-route.ts';
import { createReception, type WebhookOptions } from './reception.ts';

export type { WebhookOptions } from './reception.ts';

/**
 * Starts the webhook receiver: `POST /hooks/salesforce/{secret}` for Outbound Messages, `POST /hooks/events/{tenant}` for events that are
 * signed as in Standard Webhooks, and `/healthz` for the load balancer. Another port, `ops`, which senders cannot reach, serves `/healthz`,
 * `/readyz` and `/metrics`. A message is acknowledged only after the ledger (Lockstep's database) has stored it. The acknowledgement then
 * also waits until Temporal has received the signals to the records' workflows, but only for a short time. Signals that take longer are
 * sent after the acknowledgement. Throws `ListenError`.
 */
export async function startWebhookServer(
  options: WebhookOptions & Address & OpsOptions,
): Promise<{ readonly url: string; readonly opsUrl: string; close(): Promise<void> }> {
  const registry = new Registry();
  const checks = { intake: () => options.intake.ready() };
  const parts = [() => registry.metrics(), ...(options.metrics ?? [])];
  const metrics = async () => (await Promise.all(parts.map((part) => part()))).join('');
  const ops = await startHealthServer({ ...options.ops, checks, metrics, log: options.log });
  try {
    const { host, port } = options;
    const hooks = await listen(webhookApp(options, registry), { host, port });
    return {
      url: hooks.url,
      opsUrl: ops.url,
      close: async () => {
        await hooks.close();
        await ops.close();
      },
    };
  } catch (error) {
    await ops.close();
    throw error;
  }
}

type OpsOptions = {
  readonly ops: Address;
  /** Functions that return further metrics, which are served together with the receiver's own. */
  readonly metrics?: readonly (() => Promise<string>)[];
};

type Address = { readonly host: string; readonly port: number };

function webhookApp(options: WebhookOptions, registry: Registry): Hono {
  const reception = createReception(options, registry);
  const app = new Hono();
  app.post('/hooks/salesforce/:secret', (context) =>
    receiveOutboundMessage(context, context.req.param('secret'), reception),
  );
  app.post('/hooks/events/:tenant', (context) => receiveEvent(context, context.req.param('tenant'), reception));
  app.all('/hooks/salesforce/:secret', (context) => reception.turnAway(context, { refusal: 'method-not-allowed' }));
  app.all('/hooks/events/:tenant', (context) => reception.turnAway(context, { refusal: 'method-not-allowed' }));
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.notFound((context) => reception.turnAway(context, { refusal: 'unknown-path' }));
  app.onError((err, context) => {
    options.log.error('the webhook receiver failed', { err });
    return reception.turnAway(context, { refusal: 'internal-error' });
  });
  return app;
}
