import type { Context } from 'hono';
import type { Registry } from 'prom-client';
import {
  type Delivery,
  type DeliveryIntake,
  type DeliverySource,
  takeDelivery,
} from '../intake/deliveries.ts';
import type { Logger } from '../platform/logger.ts';
import type { Tenant } from '../platform/tenant.ts';
import { type RefusalCode, refuse } from './refusals.ts';
import { createSecretPaths, type SecretPaths } from './secret-paths.ts';
import { webhookCounters } from './webhook-counters.ts';

export type WebhookOptions = {
  readonly tenants: readonly Tenant[];
  readonly intake: DeliveryIntake;
  readonly log: Logger;
  readonly now: () => Date;
  /** Time for storing and signalling; a sender of Outbound Messages waits little longer than two seconds. */
  readonly limitMs?: number;
};

/** What both ways in share: the secret paths, refusing, storing and leaving alone, each of them counted and logged. */
export interface Reception {
  readonly options: WebhookOptions;
  readonly paths: SecretPaths;
  turnAway(context: Context, code: RefusalCode, tenant?: Tenant): Response;
  /** Null when the delivery could not be stored and signalled in time. */
  store(tenant: Tenant, source: DeliverySource, delivery: Delivery): Promise<'fresh' | 'duplicate' | null>;
  leaveAlone(tenant: Tenant, source: DeliverySource, count: number): void;
}

const DEFAULT_LIMIT_MS = 1800;

export function createReception(options: WebhookOptions, registry: Registry): Reception {
  const counters = webhookCounters(registry);
  const { intake, log, now, limitMs = DEFAULT_LIMIT_MS } = options;
  return {
    options,
    paths: createSecretPaths(options.tenants, log),
    turnAway: (context, code, tenant) => {
      counters.refused(code);
      log.warn('a webhook was refused', { code, ...(tenant && { tenant: tenant.tenant }) });
      return refuse(context, code);
    },
    store: async ({ tenant }, source, delivery) => {
      const startedAt = performance.now();
      try {
        const outcome = await takeDelivery(intake, { tenant, source, delivery, now, limitMs });
        counters.taken(tenant, source, outcome, delivery.crmIds.length);
        return outcome;
      } catch (err) {
        log.error('a webhook could not be stored and handed on', { tenant, source, err });
        return null;
      } finally {
        counters.took(source, (performance.now() - startedAt) / 1000);
      }
    },
    leaveAlone: ({ tenant }, source, count) => {
      counters.taken(tenant, source, 'ignored', count);
      log.info('what concerns no opportunity was left alone', { tenant, source, ignored: count });
    },
  };
}
