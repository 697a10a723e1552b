import type { DeliverySource } from '../intake/deliveries.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { RefusalCode } from './refusals.ts';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.8, 5];

/** What the receiver counts. Labels are names of tenants, sources and codes, never data of a message. */
export function webhookCounters(metrics: Metrics) {
  const records = metrics.counter(
    'lockstep_webhook_records_total',
    'Records named by messages and events, by outcome: fresh, duplicate or ignored.',
  );
  const refusals = metrics.counter('lockstep_webhook_refusals_total', 'Requests turned away, by code.');
  const seconds = metrics.histogram(
    'lockstep_webhook_intake_seconds',
    'Time to store a request and signal its workflows.',
    SECONDS,
  );
  return {
    taken(
      tenant: string,
      source: DeliverySource,
      outcome: 'fresh' | 'duplicate' | 'ignored',
      count: number,
    ): void {
      records.add({ tenant, source, outcome }, count);
    },
    refused(code: RefusalCode): void {
      refusals.add({ code });
    },
    took(source: DeliverySource, duration: number): void {
      seconds.observe(duration, { source });
    },
  };
}
