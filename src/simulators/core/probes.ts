import { Hono } from 'hono';
import type { RequestLog } from './request-log.ts';

/** What the probes of a simulator tell. */
export type ProbeOptions = {
  /** The value of the label `simulator`. */
  readonly name: string;
  readonly log: RequestLog;
  /** Records by type. */
  readonly counts: () => Readonly<Record<string, number>>;
};

/**
 * `/healthz`, `/readyz` and `/metrics` (Prometheus text) of a simulator: no part of the simulated API, so they need
 * no key, are not logged, cost no quota and meet no faults. A simulator that listens is ready.
 */
export function createProbes(options: ProbeOptions): Hono {
  const probes = new Hono();
  probes.get('/healthz', (c) => c.json({ status: 'ok' }));
  probes.get('/readyz', (c) => c.json({ status: 'ready' }));
  probes.get('/metrics', (c) =>
    c.body(metricsText(options), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }),
  );
  return probes;
}

function metricsText({ name, log, counts }: ProbeOptions): string {
  const requests = log.totals().map(({ operation, label, count }) => {
    const labels = { simulator: name, operation, ...(label !== null && { version: label }) };
    return `simulator_requests_total${labelText(labels)} ${count}`;
  });
  const records = Object.entries(counts()).map(
    ([type, count]) => `simulator_records${labelText({ simulator: name, type })} ${count}`,
  );
  return [
    ...family('simulator_requests_total', 'counter', 'Requests to the simulated API since the last reset.'),
    ...requests,
    ...family('simulator_records', 'gauge', 'Records of the simulated system.'),
    ...records,
    '',
  ].join('\n');
}

function family(name: string, type: 'counter' | 'gauge', help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return `{${pairs.join(',')}}`;
}
