import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { streamMetrics } from '../../src/operator/metrics/stream-metrics.ts';
import { tenantMetrics } from '../../src/operator/metrics/tenant-metrics.ts';
import { silentLogger } from '../../src/platform/logger.ts';
import { processMetrics } from '../../src/platform/process-metrics.ts';
import { createSealFailures } from '../../src/platform/seal-failures.ts';
import { SpanQueue } from '../../src/tracing/span-queue.ts';
import { webhookCounters } from '../../src/webhooks/webhook-counters.ts';
import { createWorkCounters } from '../../src/worker/work-counters.ts';

/**
 * Alerts, dashboard and runbook, held to the metrics that worker and receiver tell and to each other. What the rules say of a
 * series is tried by `npm run test:alerts`, which needs Prometheus's own tool.
 */
const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const MONITORING = 'deploy/monitoring';

/** Names and labels of the SDK's metrics, as a worker tells them (docs.temporal.io, SDK metrics reference). */
const OF_THE_SDK = {
  temporal_num_pollers: ['task_queue', 'poller_type'],
  temporal_workflow_completed: ['workflow_type', 'task_queue'],
  temporal_workflow_task_execution_failed: ['task_queue'],
  temporal_request_failure: ['operation', 'status_code'],
  temporal_worker_task_slots_available: ['task_queue', 'worker_type'],
  temporal_activity_schedule_to_start_latency_bucket: ['task_queue', 'le'],
};

const NO_STREAMS = {
  streamTimes: async () => [],
  cursorParts: async () => [],
  notedCodesOf: async () => new Map(),
  crmUse: async () => new Map(),
};

const spanQueue = () =>
  new SpanQueue({
    settings: { mostWaiting: 1, batchSize: 1, delayMs: 1, sendingMs: 1 },
    exporter: { export: () => {}, shutdown: async () => {} },
    log: silentLogger,
  });

async function namesShown(): Promise<ReadonlySet<string>> {
  const registry = new Registry();
  webhookCounters(registry);
  const none = { paused: [], backlog: [], issues: [], quotas: [], refusedRows: [], forgotten: [] };
  const now = (): string => '2026-03-01T12:00:00.000Z';
  const text = [
    await registry.metrics(),
    await createWorkCounters().text(),
    await tenantMetrics({ figures: async () => ({ bytes: 1, ...none }), unavailableTenants: async () => [] }, now)(),
    await streamMetrics(NO_STREAMS, () => [], now)(),
    await createSealFailures().text(),
    await processMetrics({ ms: () => 0 })(),
    await spanQueue().text(),
  ].join('');
  const names = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].map(([, name, type]) =>
    type === 'histogram' ? `${name}_bucket` : `${name}`,
  );
  return new Set([...names, ...Object.keys(OF_THE_SDK)]);
}

type Rule = { readonly alert: string; readonly expr: string; readonly annotations: Record<string, string> };
const rules: readonly Rule[] = parse(read(`${MONITORING}/lockstep.rules.yaml`)).groups[0].rules;
const asked = (text: string): readonly string[] =>
  [...text.matchAll(/\b(?:lockstep|temporal)_[a-z_]+/g)].map(([name]) => name);

test('every alert asks for a metric that is exported', async () => {
  const result = await namesShown();
  for (const { alert, expr } of rules) {
    expect(asked(expr), alert).not.toEqual([]);
    for (const name of asked(expr)) expect(result, `${alert} asks for ${name}`).toContain(name);
  }
});

test('every panel asks for a metric that is exported, and every metric of ours has a panel', async () => {
  const result = await namesShown();
  const dashboard = JSON.parse(read(`${MONITORING}/dashboard.json`));
  type Panel = { readonly title: string; readonly targets?: readonly { readonly expr: string }[] };
  const names = (dashboard.panels as readonly Panel[]).flatMap(({ title, targets = [] }) =>
    targets.flatMap(({ expr }) => {
      for (const name of asked(expr)) expect(result, `${title} asks for ${name}`).toContain(name);
      return asked(expr);
    }),
  );
  expect([...result].filter((name) => !names.includes(name))).toEqual([]);
});

test('every panel has an id and a place of its own', () => {
  type Place = { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  type Panel = { readonly id: number; readonly title: string; readonly gridPos: Place };
  const panels: readonly Panel[] = JSON.parse(read(`${MONITORING}/dashboard.json`)).panels;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const meets = (a: Place, b: Place) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
  const covered = panels.flatMap((one, place) =>
    panels.slice(place + 1).flatMap((other) => (meets(one.gridPos, other.gridPos) ? [[one.title, other.title]] : [])),
  );
  expect(covered).toEqual([]);
});

test('every alert has its section in the runbook, its link there, and its tests', () => {
  const sections = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, title]) => title);
  const tested = read(`${MONITORING}/lockstep.rules.test.yaml`);
  expect(sections).toEqual(rules.map(({ alert }) => alert));
  for (const { alert, annotations } of rules) {
    expect(annotations['runbook_url']).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
    expect(tested, `${alert} is seen to be silent`).toContain(`alertname: ${alert}, eval_time: 3h, exp_alerts: []`);
    expect(tested, `${alert} is seen to fire`).toMatch(new RegExp(`- alertname: ${alert}\\n`));
  }
});
