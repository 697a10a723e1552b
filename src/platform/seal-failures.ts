import { Counter, Registry } from 'prom-client';
import type { SealingErrorCode } from './sealing.ts';

/**
 * A value of a tenant's that did not open: damaged or moved to another place (`refused`), sealed with a sealing key that is not there
 * (`unknown-key`), or with a data key that its tenant does not have (`unknown-data-key`).
 */
export type SealFailure = {
  readonly tenant: string;
  readonly code: SealingErrorCode | 'unknown-data-key';
};

/** Tenants that are named: what is more is counted without its name, so that no number of them makes a metric without end. */
const MOST_TENANTS = 2_000;

/** What a process counts of values that it could not open, for Prometheus. */
export interface SealFailures {
  count(failure: SealFailure): void;
  text(): Promise<string>;
}

export function createSealFailures(mostTenants = MOST_TENANTS): SealFailures {
  const registry = new Registry();
  const failures = new Counter({
    name: 'lockstep_seal_failures_total',
    help: 'Sealed values that did not open: refused (damaged, or of another place), unknown-key, unknown-data-key or unknown-format.',
    labelNames: ['tenant', 'code'],
    registers: [registry],
  });
  const named = new Set<string>();
  return {
    count: ({ tenant, code }) => {
      if (named.size < mostTenants) named.add(tenant);
      failures.inc({ tenant: named.has(tenant) ? tenant : 'others', code });
    },
    text: () => registry.metrics(),
  };
}
