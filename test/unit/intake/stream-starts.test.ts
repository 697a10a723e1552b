import { type Client, WorkflowExecutionAlreadyStartedError, type WorkflowStartOptions } from '@temporalio/client';
import { expect, it } from 'vitest';
import { createStreamStarts } from '../../../src/intake/stream-starts.ts';
import { PRIORITIES } from '../../../temporal.config.ts';

/** A client of Temporal's that starts a workflow unless one of that id runs and the caller lets that fail. */
function temporal(...running: readonly string[]) {
  const started: string[] = [];
  const priorities: WorkflowStartOptions['priority'][] = [];
  const start = async (type: string, options: WorkflowStartOptions) => {
    const { workflowId, workflowIdConflictPolicy, priority } = options;
    if (running.includes(workflowId) && workflowIdConflictPolicy === 'FAIL')
      throw new WorkflowExecutionAlreadyStartedError('it runs', workflowId, type);
    started.push(`${type} as ${workflowId}`);
    priorities.push(priority);
  };
  const client = { workflow: { start } } as unknown as Pick<Client, 'workflow'>;
  return { starts: createStreamStarts(client), started, priorities };
}

it('a stream is read under the one id that it has', async () => {
  const { starts, started } = temporal('acme/pull-orders', 'globex/refresh-catalog');
  expect(await starts.start('acme', 'refreshCatalog')).toBe(true);
  expect(started).toEqual(['refreshCatalog as acme/refresh-catalog']);
});

it('one that is read just now is not read twice', async () => {
  const { starts, started } = temporal('acme/refresh-catalog');
  expect(await starts.start('acme', 'refreshCatalog')).toBe(false);
  expect(started).toEqual([]);
});

it('bulk work comes after what tells of deals', async () => {
  const { starts, priorities } = temporal();
  for (const stream of ['pollVendor', 'refreshCatalog', 'pullOrders'] as const) await starts.start('acme', stream);
  expect(priorities.map((priority) => priority?.priorityKey)).toEqual([
    PRIORITIES.read,
    PRIORITIES.bulk,
    PRIORITIES.bulk,
  ]);
  expect(PRIORITIES.bulk).toBeGreaterThan(PRIORITIES.read);
  expect(priorities.map((priority) => priority?.fairnessKey)).toEqual(['acme', 'acme', 'acme']);
});
