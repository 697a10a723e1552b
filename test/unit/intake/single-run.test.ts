import { ServiceError, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import type { QueryDefinition } from '@temporalio/common';
import { expect, it } from 'vitest';
import { runStatusOf, Unanswered } from '../../../src/intake/single-run.ts';

const QUERY = { type: 'query', name: 'backfill' } as QueryDefinition<{ readonly done: number }>;

/** A run that returns this state to a query. */
function handle(query: () => Promise<{ readonly done: number }>): WorkflowHandle {
  const deadlines: number[] = [];
  const withDeadline = (at: number, ask: () => Promise<unknown>) => {
    deadlines.push(at);
    return ask();
  };
  const describe = async () => ({ status: { name: 'RUNNING' } });
  return { describe, query, client: { withDeadline } } as unknown as WorkflowHandle;
}

it('tells where it stands', async () => {
  const standing = await runStatusOf(
    handle(async () => ({ done: 3 })),
    QUERY,
  );
  expect(standing).toEqual({ done: 3, isRunning: true });
});

it('says that no worker answers, and that it goes on', async () => {
  const nobody = handle(() => Promise.reject(new ServiceError('4 DEADLINE_EXCEEDED')));
  await expect(runStatusOf(nobody, QUERY)).rejects.toThrow(Unanswered);
  await expect(runStatusOf(nobody, QUERY)).rejects.toThrow(/goes on once one runs: lockstep doctor/);
});

it('knows of none where Temporal has none', async () => {
  const none = handle(() => Promise.reject(new WorkflowNotFoundError('none', 'w', undefined)));
  expect(await runStatusOf(none, QUERY)).toBeNull();
});
