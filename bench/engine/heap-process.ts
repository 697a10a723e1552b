/**
 * Prints the bytes of heap that one cached workflow uses: an empty workflow, and a record's workflow that waits for its vendor read.
 * Workflows run in this very thread (debug mode), because the heap of a worker's own threads cannot be read.
 */
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { SyncSummary } from '../../activities/opportunity/summary.ts';
import { wakeRecords } from '../../src/intake/wake.ts';
import { createLogger } from '../../src/platform/logger.ts';
import { ensureSearchAttributes } from '../../src/worker/search-attributes.ts';
import { TASK_QUEUES } from '../../temporal.config.ts';
import { until } from '../../test/support/until.ts';

const COUNT = 150;
const TENANT = 'bench';
/** A separate namespace, so that no other worker takes the work and nothing reads the vendor. */
const namespace = 'bench-heap';

const PLANNED: SyncSummary = {
  planId: '00000000-0000-0000-0000-000000000000',
  next: 'read-vendor',
  reportDue: false,
  crmId: '006000000000001AAA',
  vendorId: 'DS-1',
  state: 'in-sync',
  reason: 'changed in the CRM',
  fields: [],
  issues: [],
};

Runtime.install({ logger: new DefaultLogger('ERROR') });
const address = process.argv[2] ?? '';
const connection = await Connection.connect({ address });
await connection.workflowService.registerNamespace({
  namespace,
  workflowExecutionRetentionPeriod: msToTs('1 day'),
});
const log = createLogger({ level: 'error', format: 'json', component: 'bench' });
await until('the namespace is there', () =>
  ensureSearchAttributes(connection, namespace, log).then(
    () => true,
    () => false,
  ),
);
const client = new Client({ connection, namespace });
const native = await NativeConnection.connect({ address });
let planned = 0;
const worker = await Worker.create({
  connection: native,
  namespace,
  taskQueue: TASK_QUEUES.sync,
  workflowsPath: fileURLToPath(new URL('heap-workflows.ts', import.meta.url)),
  debugMode: true,
  maxCachedWorkflows: 4 * COUNT,
  activities: {
    planSync: async (): Promise<SyncSummary> => {
      planned += 1;
      return PLANNED;
    },
  },
});

await worker.runUntil(async () => {
  await startEmpty(0, 1);
  await startRecords(0, 1);
  const before = await heapWith(2);
  await startEmpty(1, COUNT);
  const withEmpty = await heapWith(COUNT + 2);
  await startRecords(1, COUNT);
  await until('all are planned', async () => planned > COUNT);
  const withBoth = await heapWith(2 * COUNT + 2);
  const empty = (withEmpty - before) / COUNT;
  const record = (withBoth - withEmpty) / COUNT;
  process.stdout.write(`${JSON.stringify({ empty, record })}\n`);
});
await native.close();
await connection.close();

async function startEmpty(from: number, count: number): Promise<void> {
  for (let n = from; n < from + count; n += 1) {
    await client.workflow.start('empty', { workflowId: `empty/${n}`, taskQueue: TASK_QUEUES.sync });
  }
}

function startRecords(from: number, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, n) => `006${String(from + n).padStart(12, '0')}AAA`);
  return wakeRecords(client, TENANT, keys, 'crm');
}

/** The used bytes when this many workflows are cached and idle. */
async function heapWith(cached: number): Promise<number> {
  await until(`${cached} workflows are cached`, async () => {
    const status = worker.getStatus();
    return status.numCachedWorkflows === cached && status.numInFlightWorkflowActivations === 0;
  });
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
