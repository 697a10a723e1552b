import type { Context } from 'hono';
import type { Registry } from 'prom-client';
import type { StreamName } from '../domain/streams/streams.ts';
import { createDeliveries } from '../intake/deliveries.ts';
import {
  DELIVERY_LIMITS,
  type Delivery,
  type DeliveryIntake,
  type DeliveryLimits,
  type DeliverySource,
} from '../intake/delivery.ts';
import { createStreamRequests } from '../intake/stream-requests.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { withinTime } from '../platform/time-limit.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createRefusalLog } from './refusal-log.ts';
import { type Refusal, refuse } from './refusals.ts';
import { createSecretPaths, type SecretPaths } from './secret-paths.ts';
import { createSenderLimits, SENDER_RATES, type SenderLimits, type SenderRates } from './sender-limits.ts';
import { webhookCounters } from './webhook-counters.ts';

export type WebhookOptions = {
  /** The tenants that the receiver serves at this moment. */
  readonly tenants: () => readonly Tenant[];
  readonly intake: DeliveryIntake;
  readonly log: Logger;
  readonly now: () => Date;
  /** Records a trace of each message; null or absent if tracing is off. */
  readonly tracing?: Tracing | null;
  readonly limits?: DeliveryLimits;
  readonly rates?: SenderRates;
  /** A monotonic clock in milliseconds. */
  readonly elapsedMs?: () => number;
};

/**
 * The functions with which both webhook routes find the tenant of a message, and refuse, store or ignore the message. They count each
 * message, and log messages that they refuse or ignore.
 */
export interface Reception {
  readonly options: WebhookOptions;
  readonly paths: SecretPaths;
  readonly senders: SenderLimits;
  turnAway(context: Context, refusal: Refusal, tenant?: Tenant): Response;
  /**
   * Stores a delivery (message) and signals the workflows of its records. Returns `fresh` (stored and signalled), `stored` (workflows are
   * still being signalled) or `duplicate` (stored before). If the delivery cannot be stored, returns a refusal; the sender must then send
   * the message again.
   */
  store(
    tenant: Tenant,
    source: DeliverySource,
    delivery: Delivery,
  ): Promise<{ readonly taken: 'fresh' | 'duplicate' | 'stored' } | Refusal>;
  /**
   * Handles a request of a CRM user, such as a search for orders. Starts reading `stream`, the stream (a source of changes) that handles
   * requests of this kind. Returns null, or a refusal if the read could not be started; the sender must then send its message again.
   */
  request(tenant: Tenant, source: DeliverySource, stream: StreamName): Promise<Refusal | null>;
  leaveAlone(tenant: Tenant, source: DeliverySource, count: number): void;
}

export function createReception(options: WebhookOptions, registry: Registry): Reception {
  const counters = webhookCounters(registry);
  const { intake, log, now, limits, elapsedMs = () => performance.now(), tracing = null } = options;
  const lost = (tenant: string, err: unknown): void =>
    log.warn('a stored webhook could not be handed on; its records are looked at when they are overdue', {
      tenant,
      err,
    });
  const deliveries = createDeliveries(intake, now, lost, limits, tracing);
  const requests = createStreamRequests(intake);
  const senders = createSenderLimits(options.rates ?? SENDER_RATES, elapsedMs);
  const tell = createRefusalLog(log, elapsedMs);
  return {
    options,
    paths: createSecretPaths(options.tenants, log),
    senders,
    turnAway: (context, refusal, tenant) => {
      counters.refused(refusal.refusal);
      tell(refusal.refusal, tenant?.tenant);
      return refuse(context, refusal);
    },
    store: traced(tracing, async ({ tenant }, source, delivery) => {
      const tooMany = senders.records(tenant, delivery.crmIds.length);
      if (tooMany !== null) return tooMany;
      const startedAt = performance.now();
      try {
        const outcome = await deliveries.take(tenant, source, delivery);
        if (outcome === 'too-many') return senders.tooManyWait(tenant);
        counters.taken(tenant, source, outcome, delivery.crmIds.length);
        return { taken: outcome };
      } catch (err) {
        log.error('a webhook could not be stored and handed on', { tenant, source, err });
        return { refusal: 'ledger-unavailable' };
      } finally {
        counters.took(source, (performance.now() - startedAt) / 1000);
      }
    }),
    request: async ({ tenant }, source, stream) => {
      try {
        await withinTime(requests.request(tenant, stream), limits?.storeMs ?? DELIVERY_LIMITS.storeMs);
        counters.taken(tenant, source, 'fresh', 1);
        return null;
      } catch (err) {
        log.error('a request of the CRM could not be handed on', { tenant, source, stream, err });
        return { refusal: 'ledger-unavailable' };
      }
    },
    leaveAlone: ({ tenant }, source, count) => {
      counters.taken(tenant, source, 'ignored', count);
      log.info('what concerns no opportunity was left alone', { tenant, source, ignored: count });
    },
  };
}

/** Wraps `store` so that each call begins a new trace. A `traceparent` header is ignored, because the sender is not trusted. */
function traced(tracing: Tracing | null, store: Reception['store']): Reception['store'] {
  if (tracing === null) return store;
  return (tenant, source, delivery) => {
    const words = { tenant: tenant.tenant, records: delivery.crmIds.length };
    const span = { name: `webhook ${source}`, kind: 'server', words, parent: null } as const;
    return tracing.within(span, async () => {
      const outcome = await store(tenant, source, delivery);
      if ('refusal' in outcome) tracing.tell({ outcome: outcome.refusal, hasFailed: true });
      else tracing.tell({ outcome: outcome.taken });
      return outcome;
    });
  };
}
