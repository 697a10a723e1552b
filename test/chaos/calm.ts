import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '../support/stack/stack.ts';
import type { Deal } from './deals.ts';
import type { World } from './load.ts';
import { findDifferences, lookAt, type Records } from './oracle.ts';

type CalmOptions = {
  readonly stack: Stack;
  readonly world: World;
  readonly deals: readonly Deal[];
  readonly before: Records;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
};

export type Unrest = {
  readonly differences: readonly string[];
  readonly openWorkflows: readonly string[];
  readonly dueLinks: number;
};

const LOOK_EVERY_MS = 1_000;
const TELL_EVERY_MS = 10_000;

/** Waits until both sides agree and no work is left; gives what is left when the time is over. */
export async function untilCalm(options: CalmOptions): Promise<Unrest> {
  const startedAt = performance.now();
  let toldAt = startedAt;
  for (;;) {
    const unrest = await unrestOf(options);
    const { differences, openWorkflows, dueLinks } = unrest;
    const now = performance.now();
    const isCalm = differences.length === 0 && openWorkflows.length === 0 && dueLinks === 0;
    if (isCalm || options.signal.aborted || now - startedAt > options.limitMs) return unrest;
    if (now - toldAt > TELL_EVERY_MS) {
      toldAt = now;
      options.tell(
        `not calm yet: ${differences.length} differences, ${openWorkflows.length} open workflows, ${dueLinks} due links`,
      );
    }
    await delay(LOOK_EVERY_MS);
  }
}

async function unrestOf({ stack, world, deals, before }: CalmOptions): Promise<Unrest> {
  const [row] = await stack.ledgerQuery('select count(*) as due from links where due_since is not null');
  return {
    differences: findDifferences(deals, await lookAt(world), before),
    openWorkflows: await openWorkflows(stack),
    dueLinks: Number(row?.['due']),
  };
}

/** Workflows of records that still run, each with what it is doing. */
async function openWorkflows({ client }: Stack): Promise<readonly string[]> {
  const open: string[] = [];
  const query = "WorkflowType = 'syncOpportunity' AND ExecutionStatus = 'Running'";
  for await (const { workflowId } of client.workflow.list({ query })) open.push(workflowId);
  return open;
}

/** What an open workflow waits for, for the report of a failure. */
export async function storyOf({ client }: Stack, workflowId: string): Promise<string> {
  const { raw } = await client.workflow.getHandle(workflowId).describe();
  const activities = (raw.pendingActivities ?? []).map(
    ({ activityType, attempt, lastFailure }) =>
      `${activityType?.name} attempt ${attempt}${lastFailure?.message ? `: ${lastFailure.message}` : ''}`,
  );
  const task = raw.pendingWorkflowTask ? `workflow task attempt ${raw.pendingWorkflowTask.attempt}` : '';
  return [workflowId, ...activities, task].filter((part) => part !== '').join('; ');
}
