import { Counter, Registry } from 'prom-client';
import type { SealingErrorCode } from './sealing.ts';

/**
 * Why a value could not be decrypted. `refused`: the value is damaged, or was copied from another row. `unknown-key`: the process lacks the
 * sealing key (an encryption key of all tenants). `unknown-data-key`: the tenant's own data key is missing. `unknown-format`: the value has
 * a format that this release does not know.
 */
export type SealFailure = {
  readonly tenant: string;
  readonly code: SealingErrorCode | 'unknown-data-key';
};

/** How many tenants have a label of their own in the metric. All other tenants share one label, so that the metric stays small. */
const MOST_TENANTS = 2_000;

/** Prometheus counters of values that this process could not decrypt. */
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
