/** Histories of every workflow replay on today's code: what runs in production survives a deployment. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { DeterminismViolationError } from '@temporalio/workflow';
import { beforeAll, describe, expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, 'histories');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));

type RecordedEvent = {
  eventType: string;
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
};
type RecordedHistory = { events: RecordedEvent[] };

let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: Runtime.instance().logger,
  });
}, 60_000);

function read(name: string): RecordedHistory {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
}

it('has a history of every workflow', () => {
  const types = ['guard-tenant', 'poll-vendor', 'sweep-salesforce', 'sync-opportunity'];
  expect(types.filter((type) => !NAMES.some((name) => name.startsWith(type)))).toEqual([]);
});

describe.each(NAMES)('%s', (name) => {
  it('replays', async () => {
    await Worker.runReplayHistory({ workflowBundle }, read(name), name);
  });

  it('does not replay when it differs from what the code does', async () => {
    const altered = read(name);
    const scheduled = altered.events.find(
      (event) => event.activityTaskScheduledEventAttributes !== undefined,
    );
    if (scheduled?.activityTaskScheduledEventAttributes === undefined)
      return expect.fail('no activity to alter');
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'anotherActivity';
    await expect(Worker.runReplayHistory({ workflowBundle }, altered, name)).rejects.toThrow(
      DeterminismViolationError,
    );
  });
});
