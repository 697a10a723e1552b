import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { expect, it } from 'vitest';
import { createStreamStarts } from '../../../src/intake/stream-starts.ts';

/** A client of Temporal's that starts a workflow unless one of that id runs and the caller lets that fail. */
function temporal(...running: readonly string[]) {
  const started: string[] = [];
  const start = async (type: string, { workflowId, workflowIdConflictPolicy }: WorkflowStartOptions) => {
    if (running.includes(workflowId) && workflowIdConflictPolicy === 'FAIL')
      throw new WorkflowExecutionAlreadyStartedError('it runs', workflowId, type);
    started.push(`${type} as ${workflowId}`);
  };
  const client = { workflow: { start } } as unknown as Pick<Client, 'workflow'>;
  return { starts: createStreamStarts(client), started };
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
