/** What the Temporal UI shows of a run that continued as new, read from a real server: summary and details do not travel, so each run says them again. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { withinResultSize } from '../../activities/support/result-size.ts';
import { TASK_QUEUES } from '../../temporal.config.ts';
import { withHostileWorker } from '../support/hostile/with-worker.ts';
import { until } from '../support/until.ts';

const HOLD_FROM = 400;

let reads = 0;
let release = (): void => {};
const held = new Promise<void>((resolve) => {
  release = resolve;
});

/** A stream that has always more to read, until it is held in the middle of a run. */
async function sweepCrmOpportunities(): Promise<{ readonly found: number; readonly more: boolean }> {
  reads += 1;
  if (reads >= HOLD_FROM) await held;
  return { found: 1, more: reads < HOLD_FROM };
}

/** More than Temporal takes of one result. */
const describeOrg = async (): Promise<string> => withinResultSize('describeOrg', 'x'.repeat(3_000_000));

const open = withHostileWorker(
  {},
  {
    taskQueue: TASK_QUEUES.sync,
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    activities: { sweepCrmOpportunities, describeOrg },
  },
  async () => {
    release();
  },
);

it('a stream that went on in new runs says in the newest which stream it is, and what all runs have read', async () => {
  const { client } = open();
  const workflowId = 'acme/sweep-salesforce';
  const first = await client.workflow.start('sweepSalesforce', {
    taskQueue: TASK_QUEUES.sync,
    workflowId,
    args: [{ tenant: 'acme' }],
    staticSummary: 'acme: sweepSalesforce',
    staticDetails: 'started by hand',
  });
  await until('the stream is held', async () => reads >= HOLD_FROM);
  const newest = client.workflow.getHandle(workflowId);
  const [before, after] = [
    await client.workflow.getHandle(workflowId, first.firstExecutionRunId).describe(),
    await newest.describe(),
  ];
  expect(after.runId).not.toBe(before.runId);
  expect([await before.staticSummary(), await after.staticSummary()]).toEqual(['acme: sweepSalesforce', undefined]);
  const metadata = await newest.query<{ readonly currentDetails?: string }>('__temporal_workflow_metadata');
  expect(metadata.currentDetails).toBe(`acme: changes since the cursor; reads: ${reads - 1}, found: ${reads - 1}`);
  release();
  expect(await newest.result()).toEqual({ reads: HOLD_FROM, found: HOLD_FROM });
});

it('an activity whose result Temporal does not take is tried once, and its workflow fails with the size', async () => {
  const { client } = open();
  const handle = await client.workflow.start('watchOrg', {
    taskQueue: TASK_QUEUES.sync,
    workflowId: 'acme/watch-org',
    args: [{ tenant: 'acme' }],
  });
  await expect(handle.result()).rejects.toMatchObject({
    cause: { cause: { type: 'BUG', message: expect.stringContaining('describeOrg returned 3000002 bytes') } },
  });
  const { events } = await handle.fetchHistory();
  const started = (events ?? []).flatMap((event) => event.activityTaskStartedEventAttributes ?? []);
  expect(started.map(({ attempt }) => attempt)).toEqual([1]);
});
