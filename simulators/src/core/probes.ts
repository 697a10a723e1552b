import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { Counter, Gauge, Registry } from 'prom-client';
import { guardAgainstBrowsers } from './browser-guard.ts';
import type { RequestLog } from './request-log.ts';

export type ProbeOptions = {
  /** The value of the label `simulator`. */
  readonly name: string;
  readonly log: RequestLog;
  /** The number of records, by type. */
  readonly counts: () => Readonly<Record<string, number>>;
};

/**
 * Serves `/healthz`, `/readyz` and `/metrics` (Prometheus text) of a simulator. They do not belong to the simulated API, so they need no
 * key, are not logged, cost no quota and have no faults. A simulator that listens is ready.
 */
export function createProbes(options: ProbeOptions): Hono {
  const probes = new Hono();
  const registry = createRegistry(options);
  probes.get('/healthz', guardAgainstBrowsers, (c) => c.json({ status: 'ok' }));
  probes.get('/readyz', guardAgainstBrowsers, (c) => c.json({ status: 'ready' }));
  probes.get('/metrics', guardAgainstBrowsers, async (c) =>
    c.body(await registry.metrics(), 200, { 'content-type': registry.contentType }),
  );
  probes.onError((error, c) => {
    if (error instanceof HTTPException) return c.text(error.message, error.status);
    return c.text(`The probe failed: ${error.message}`, 500);
  });
  return probes;
}

/** Metrics that are read from the simulator's state when they are collected. */
function createRegistry({ name, log, counts }: ProbeOptions): Registry {
  const registry = new Registry();
  new Counter({
    name: 'simulator_requests_total',
    help: 'Requests to the simulated API since the last reset.',
    labelNames: ['simulator', 'operation', 'version'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { operation, label, count } of log.totals()) {
        this.inc({ simulator: name, operation, ...(label !== null && { version: label }) }, count);
      }
    },
  });
  new Gauge({
    name: 'simulator_records',
    help: 'Records of the simulated system.',
    labelNames: ['simulator', 'type'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [type, count] of Object.entries(counts())) this.set({ simulator: name, type }, count);
    },
  });
  return registry;
}
