/** Histories of the workflows of every release replay on today's code: what runs in production survives a deployment. */
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
import packageJson from '../../package.json' with { type: 'json' };
import { STREAM_NAMES, STREAMS, streamActivitiesOf } from '../../src/domain/streams/streams.ts';
import { workflowIds } from '../../temporal.config.ts';
import { WORKFLOW_FILES } from '../support/workflow-files.ts';

const FOLDER = join(import.meta.dirname, 'histories');
/** With the release that recorded it: `0.1.0/audit-reads-both-sides.json`. */
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

type RecordedEvent = {
  eventType: string;
  activityTaskScheduledEventAttributes?: { activityType: { name: string } };
  workflowExecutionSignaledEventAttributes?: { signalName: string };
};
type RecordedHistory = { events: RecordedEvent[] };

let workflowBundle: WorkflowBundleWithSourceMap;
/** That of a worker which tells traces. */
let tracedBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const options = {
    workflowsPath: fileURLToPath(new URL('../../workflows/index.ts', import.meta.url)),
    logger: Runtime.instance().logger,
  };
  workflowBundle = await bundleWorkflowCode(options);
  const traced = fileURLToPath(new URL('../../src/tracing/run-trace.ts', import.meta.url));
  tracedBundle = await bundleWorkflowCode({ ...options, workflowInterceptorModules: [traced] });
}, 60_000);

function read(name: string): RecordedHistory {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
}

/** Histories are called as the ids of their workflow are. Of the present release there is one of each. */
const hasHistory = (workflow: string): boolean =>
  NAMES.some((name) => name.startsWith(`${packageJson.version}/${idOf(workflow)}`));
const idOf = (workflow: string): string => workflowIds.scheduled('', workflow).slice(1);

it('has each history with its release, and some of each release that the changelog tells', () => {
  const changelog = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
  const releases = [...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, release = '']) => release);
  expect(releases).toContain(packageJson.version);
  const folders = new Set(NAMES.map((name) => name.split('/').slice(0, -1).join('/')));
  expect([...folders].sort()).toEqual(releases.toSorted());
});

it('has a history of every workflow that does not read a stream', () => {
  const others = WORKFLOW_FILES.filter(({ name }) => !STREAM_NAMES.some((stream) => stream === name));
  expect(others.map(({ name }) => name)).toEqual(expect.arrayContaining(['guardTenant', 'syncOpportunity']));
  expect(others.filter(({ name }) => !hasHistory(name))).toEqual([]);
});

/** All of them run `readStream`, which asks for a stream's activity in the way of the side that it reads. */
it.each(['vendor', 'salesforce'] as const)('has the history of a stream that reads of the %s', (side) => {
  const activities: readonly string[] = streamActivitiesOf(side);
  const streams = STREAM_NAMES.filter((stream) => activities.includes(STREAMS[stream].activity));
  expect(streams.filter(hasHistory)).not.toEqual([]);
});

/** Another activity than the code asks for; where it asks for none, a signal that the code does not know. */
function alter({ events }: RecordedHistory): void {
  const scheduled = events.find((event) => event.activityTaskScheduledEventAttributes !== undefined);
  const signals = events.map((event) => event.workflowExecutionSignaledEventAttributes);
  if (scheduled?.activityTaskScheduledEventAttributes !== undefined) {
    scheduled.activityTaskScheduledEventAttributes.activityType.name = 'anotherActivity';
    return;
  }
  const last = signals.findLast((signal) => signal !== undefined);
  if (last === undefined) throw new Error('neither an activity nor a signal to alter');
  last.signalName = 'anotherSignal';
}

describe.each(NAMES)('%s', (name) => {
  it('replays', async () => {
    await Worker.runReplayHistory({ workflowBundle }, read(name), name);
  });

  it('replays where traces are reported, though it was recorded without', async () => {
    await Worker.runReplayHistory({ workflowBundle: tracedBundle }, read(name), name);
  });

  it('does not replay when it differs from what the code does', async () => {
    const altered = read(name);
    alter(altered);
    await expect(Worker.runReplayHistory({ workflowBundle }, altered, name)).rejects.toThrow(DeterminismViolationError);
  });
});
