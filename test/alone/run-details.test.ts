/**
 * Temporal drops a run's summary and details where it continues as new: each run says what it is before it waits for anything.
 * The inputs are those of the recorded histories.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runAsWorkflow, type WorkflowHost } from '../support/engine/workflow-host.ts';
import { WORKFLOW_FILES } from '../support/workflow-files.ts';

const details: string[] = vi.hoisted(() => []);
vi.mock('@temporalio/workflow', async () => ({
  ...(await import('../support/engine/workflow-runtime.ts')),
  setCurrentDetails: (text: string) => void details.push(text),
}));

const workflows: Readonly<Record<string, unknown>> = await import('../../workflows/index.ts');

const FOLDER = join(import.meta.dirname, '..', 'replay', 'histories');
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));

type Payload = { readonly data: string };
type Started = {
  readonly workflowType: { readonly name: string };
  readonly input: { readonly payloads: readonly Payload[] };
};
type Run = (...args: readonly unknown[]) => Promise<unknown>;

function startOf(name: string): Started {
  const { events } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8'));
  return events[0].workflowExecutionStartedEventAttributes;
}

const argsOf = ({ input }: Started): readonly unknown[] =>
  input.payloads.map(({ data }) => JSON.parse(Buffer.from(data, 'base64').toString('utf8')));

const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Nothing that it waits for happens. */
const host = {
  info: () => ({ historyLength: 3, continueAsNewSuggested: false, runId: 'run-1' }),
  schedule: never,
  condition: never,
  setHandler: () => {},
  upsertSearchAttributes: () => {},
} as unknown as WorkflowHost;

/** What a run says of itself before the first thing that it waits for has happened. */
async function firstDetails(run: Run, args: readonly unknown[]): Promise<readonly string[]> {
  details.length = 0;
  void runAsWorkflow(host, () => run(...args));
  await new Promise((resolve) => setImmediate(resolve));
  return [...details];
}

describe.each(NAMES)('a run as in %s', (name) => {
  it('says what it is before it waits', async () => {
    const started = startOf(name);
    const said = await firstDetails(workflows[started.workflowType.name] as Run, argsOf(started));
    expect(said.map((text) => text.length > 0)).toContain(true);
  });
});

it('each kind of workflow has a recorded history that was looked at', () => {
  const recorded = new Set(NAMES.map((name) => startOf(name).workflowType.name));
  const missing = WORKFLOW_FILES.filter(({ name, source }) => !recorded.has(name) && !/streamWorkflow\(/.test(source));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

it('the run that a paused group continues in says how often it was probed', async () => {
  const carried = { probes: 40, waitMs: 300_000, recoveredAt: null, drained: 0 };
  const input = { tenant: 'acme', group: 'vendor-sales', carried };
  expect(await firstDetails(workflows['guardTenant'] as Run, [input])).toEqual([
    'acme: vendor-sales is paused; probes: 40, the next after 300 s',
  ]);
});

it('the run that a stream continues in says what it has read', async () => {
  const input = { tenant: 'acme', soFar: { reads: 5, found: 7 } };
  expect(await firstDetails(workflows['pullOrders'] as Run, [input])).toEqual([
    'acme: changed orders; reads: 5, found: 7',
  ]);
});
