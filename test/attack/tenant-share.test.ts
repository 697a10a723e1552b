import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { beatWhileRunning } from '../../src/worker/heartbeats.ts';
import { shareSlots } from '../../src/worker/tenant-share.ts';
import { startTemporal, type TemporalServer } from '../support/stack/servers.ts';

/**
 * A tenant whose remotes hang fills no worker: on a real server and a real worker of few slots, its neighbour's records are
 * done while all that the hostile one has under way goes on hanging, and nothing of it ever ends.
 */

const TASK_QUEUE = 'shared';
const SLOTS = 4;
const HANGING = 24;
const NEIGHBOURS = 12;
/** What a run of a workflow may take; one that finds no slot has none of it. */
const LIMIT = '40 seconds';

let home: string;
let temporal: TemporalServer;
let client: Client;
let end: () => Promise<void>;
const over = Promise.withResolvers<never>();
over.promise.catch(() => {});
let hanging = 0;

function activities() {
  const answer = async (tenant: string): Promise<never> => {
    if (tenant === 'acme') throw new TypeError('done');
    hanging += 1;
    return over.promise;
  };
  const ledger = new Proxy({}, { get: () => answer });
  return createActivities({ ledger, now: () => '2026-03-01T00:00:00.000Z' } as unknown as ActivityDeps);
}

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR', () => {}), shutdownSignals: [] });
  home = await mkdtemp(join(tmpdir(), 'lockstep-share-'));
  temporal = await startTemporal(home);
  const native = await NativeConnection.connect({ address: temporal.address });
  const connection = await Connection.connect({ address: temporal.address });
  client = new Client({ connection });
  const worker = await Worker.create({
    connection: native,
    taskQueue: TASK_QUEUE,
    workflowsPath: fileURLToPath(new URL('../support/hostile/workflows.ts', import.meta.url)),
    activities: activities(),
    interceptors: {
      activity: [beatWhileRunning, shareSlots({ ordinary: SLOTS, firstTries: SLOTS })],
    },
    maxConcurrentActivityTaskExecutions: SLOTS,
    maxConcurrentLocalActivityExecutions: SLOTS,
    shutdownForceTime: '1 second',
  });
  const running = worker.run();
  end = async () => {
    over.reject(new Error('over'));
    worker.shutdown();
    await running.catch(() => {});
    await native.close().catch(() => {});
    await connection.close();
  };
}, 180_000);
afterAll(async () => {
  await end?.();
  await temporal?.kill();
  await rm(home, { recursive: true, force: true });
});

const lookAt = (tenant: string, key: string) =>
  client.workflow.start('lookAt', {
    workflowId: `${tenant}/${key}`,
    taskQueue: TASK_QUEUE,
    args: [key, tenant],
    workflowExecutionTimeout: LIMIT,
  });

test('its neighbour is done while it hangs', async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, n) => String(n));
  await Promise.all(keys(HANGING).map((key) => lookAt('hostile', key)));
  await expect.poll(() => hanging, { timeout: 30_000 }).toBeGreaterThan(0);

  const started = await Promise.all(keys(NEIGHBOURS).map((key) => lookAt('acme', key)));
  const told = await Promise.all(started.map((handle) => handle.result()));

  expect(told).toHaveLength(NEIGHBOURS);
  // Three of four slots each, of what is ordinary and of first tries.
  expect(hanging).toBeLessThanOrEqual(2 * (SLOTS - 1));
}, 120_000);
