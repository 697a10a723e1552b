import { Counter, Histogram, type Registry } from 'prom-client';
import type { DeliverySource } from '../intake/delivery.ts';
import type { RefusalCode } from './refusals.ts';

const SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.8, 5];

/** The receiver's metrics. Their labels are tenant names, sources and codes, never data of a message. */
export function webhookCounters(registry: Registry) {
  const registers = [registry];
  const records = new Counter({
    name: 'lockstep_webhook_records_total',
    help: 'Records named by messages and events, by outcome: fresh, stored (not signalled yet), duplicate or ignored.',
    labelNames: ['tenant', 'source', 'outcome'],
    registers,
  });
  const refusals = new Counter({
    name: 'lockstep_webhook_refusals_total',
    help: 'Webhook requests that the receiver refused, by code.',
    labelNames: ['code'],
    registers,
  });
  const seconds = new Histogram({
    name: 'lockstep_webhook_intake_seconds',
    help: 'Seconds to store a webhook request and signal its workflows.',
    labelNames: ['source'],
    buckets: SECONDS,
    registers,
  });
  return {
    taken(
      tenant: string,
      source: DeliverySource,
      outcome: 'fresh' | 'stored' | 'duplicate' | 'ignored',
      count: number,
    ): void {
      records.inc({ tenant, source, outcome }, count);
    },
    refused(code: RefusalCode): void {
      refusals.inc({ code });
    },
    took(source: DeliverySource, duration: number): void {
      seconds.observe({ source }, duration);
    },
  };
}
