import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import { Agent, request } from 'undici';
import { expect, test } from 'vitest';
import { beatWhileRunning } from '../../src/worker/heartbeats.ts';
import { createSlowRemotes } from '../../src/worker/slow-remotes.ts';
import { shareSlots } from '../../src/worker/tenant-share.ts';
import { createTurns } from '../../src/worker/turns.ts';
import { startHostileServer } from '../support/hostile/hostile-server.ts';
import { TASK_QUEUE, withHostileWorker } from '../support/hostile/with-worker.ts';
import { mappingConfig } from '../support/mapping/fixtures.ts';

/**
 * A tenant whose remotes hang fills no worker: on a real server and a real worker of few slots, its neighbour's records are
 * done while all that the hostile one has under way goes on hanging, and nothing of it ever ends.
 */

const SLOTS = 4;
const HANGING = 24;
const NEIGHBOURS = 12;
const BUSY = 60;
/** What a run of a workflow may take; one that finds no slot has none of it. */
const LIMIT = '40 seconds';

const slow = createSlowRemotes();
const silent = await startHostileServer(() => 'silent');
/** Whoever asks it goes on to wait, whatever becomes of the activity. */
const hostileRemote = new Agent({ headersTimeout: 0 }).compose(slow.watch('hostile'));

/** Takes its time, and finds no link: that fails at once and for good. */
async function look(): Promise<null> {
  if (!activityInfo().isLocal) looks += 1;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return null;
}
let looks = 0;

/** A ledger that is done with the one tenant, and a remote of the other that never answers. */
const link = { key: 'x', crmId: '006000000000001AAA', vendorId: null, vendorDue: false, issues: [] };
const ledger = {
  findLink: async (tenant: string, key: string) => {
    if (tenant === 'acme') throw new TypeError('done');
    if (tenant === 'busy') return look();
    return { ...link, key };
  },
  // Ends the activity of a record that the ledger does not know, without a second try.
  resolveLink: async () => {
    throw ApplicationFailure.nonRetryable('done', 'BUG');
  },
  pauses: async () => [],
};
const readGraph = () => request(silent.url, { dispatcher: hostileRemote });
const runtime = () => ({ crm: { readGraph }, tenant: { mapping: mappingConfig() } });

const slots = { sync: SLOTS, vendor: SLOTS, localActivities: SLOTS };
const share = shareSlots(slots, createTurns({ perSecond: 5, longestMs: 60_000 }), slow);
const hostile = withHostileWorker(
  { ledger, runtime, now: () => '2026-03-01T12:00:00.000Z' },
  {
    interceptors: { activity: [beatWhileRunning, share('sync')] },
    maxConcurrentActivityTaskExecutions: SLOTS,
    maxConcurrentLocalActivityExecutions: SLOTS,
    shutdownForceTime: '1 second',
  },
  () => silent.close(),
);

const keys = (count: number) => Array.from({ length: count }, (_, n) => String(n));
const observeDeal = (tenant: string, key: string) =>
  hostile().client.workflow.start('observeDeal', {
    workflowId: `${tenant}/${key}`,
    taskQueue: TASK_QUEUE,
    args: [key, tenant],
    workflowExecutionTimeout: LIMIT,
  });

test('a mass change of a tenant whose remotes answer is looked at once each, however few slots there are', async () => {
  const started = await Promise.all(keys(BUSY).map((key) => observeDeal('busy', key)));
  const answer = await Promise.all(started.map((handle) => handle.result()));

  expect(answer).toHaveLength(BUSY);
  expect(looks).toBe(BUSY);
}, 120_000);

test('its neighbour is done while it hangs', async () => {
  await Promise.all(keys(HANGING).map((key) => observeDeal('hostile', key)));
  await expect.poll(() => silent.requests.length, { timeout: 30_000 }).toBeGreaterThan(0);

  const started = await Promise.all(keys(NEIGHBOURS).map((key) => observeDeal('acme', key)));
  const answer = await Promise.all(started.map((handle) => handle.result()));

  expect(answer).toHaveLength(NEIGHBOURS);
  // Three of four slots for what is ordinary, and one for local activities.
  expect(silent.requests.length).toBeLessThanOrEqual(SLOTS);
}, 120_000);
