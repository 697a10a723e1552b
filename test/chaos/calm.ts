import { setTimeout as delay } from 'node:timers/promises';
import type { Stack } from '../support/stack/stack.ts';
import type { Deal } from './deals.ts';
import type { World } from './load.ts';
import { findDifferences, observeDeal, type Records } from './oracle.ts';

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
  /** Due, or under way in the lane. */
  readonly openLinks: number;
};

const POLL_EVERY_MS = 1_000;
const TELL_EVERY_MS = 10_000;
const MOST_REPORTED = 3;

/**
 * Longer than until what is overdue is woken, than any sweep of a chaos run, and than the five minutes after which a write is tried a
 * third time that was refused for now: what nobody works at for so long nobody knows of.
 */
const FORGOTTEN_MS = 400_000;

/** The first may have begun before the last write: only a look after it shows what that write is answered with. */
const LOOKS_AT_REST = 2;

/**
 * Waits until both sides agree, no work is left, and a poll has read the vendor since; before that, the echo of the last write is still
 * unread. Returns the open work when the time is over, or when no process has worked on it for long.
 */
export async function untilCalm(options: CalmOptions): Promise<Unrest> {
  const startedAt = performance.now();
  let reportedAt = startedAt;
  let workedAt = startedAt;
  const looks = new Set<string>();
  for (;;) {
    const [unrest, look] = [await unrestOf(options), await lastLook(options)];
    const { differences, openWorkflows, openLinks } = unrest;
    const now = performance.now();
    const isAtRest = differences.length === 0 && openWorkflows.length === 0 && openLinks === 0;
    if (isAtRest) looks.add(look);
    else looks.clear();
    if (looks.size > LOOKS_AT_REST) return unrest;
    if (differences.length === 0 || openWorkflows.length + openLinks > 0) workedAt = now;
    if (now - workedAt > FORGOTTEN_MS) return forgotten(unrest);
    if (options.signal.aborted || now - startedAt > options.limitMs) return withReason(unrest, isAtRest);
    if (now - reportedAt > TELL_EVERY_MS) {
      reportedAt = now;
      options.tell(
        `not calm yet: ${differences.length} differences, ${openWorkflows.length} open workflows, ${openLinks} open links${few(differences)}`,
      );
    }
    await delay(POLL_EVERY_MS);
  }
}

/** The last ones by their words. */
function few(differences: readonly string[]): string {
  return differences.length > MOST_REPORTED ? '' : differences.map((difference) => `; ${difference}`).join('');
}

function forgotten({ differences, ...unrest }: Unrest): Unrest {
  const seconds = FORGOTTEN_MS / 1000;
  return {
    ...unrest,
    differences: differences.map((what) => `${what}, and nobody has worked at it for ${seconds} s`),
  };
}

function withReason(unrest: Unrest, isAtRest: boolean): Unrest {
  return isAtRest ? { ...unrest, differences: ['the vendor was not looked at since all was done'] } : unrest;
}

async function unrestOf({ stack, world, deals, before }: CalmOptions): Promise<Unrest> {
  const [row] = await stack.ledgerQuery(
    'select count(*) as open from links where due_since is not null or lane is not null',
  );
  return {
    differences: findDifferences(deals, await observeDeal(world), before),
    openWorkflows: await openWorkflows(stack),
    openLinks: Number(row?.['open']),
  };
}

/** When a poll has last come to its end, over all tenants; empty where none has. */
async function lastLook({ stack }: CalmOptions): Promise<string> {
  const [row] = await stack.ledgerQuery("select min(updated_at)::text as at from cursors where stream = 'pollVendor'");
  return String(row?.['at'] ?? '');
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
