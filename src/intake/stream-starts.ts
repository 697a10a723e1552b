import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
} from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import type { TenantInput } from '../../workflows/messages.ts';
import { isBulk, type StreamName } from '../domain/streams/streams.ts';

/** Streams that are read by a workflow of the tenant's own: on a person's word, or as a look found much to do. */
export interface StreamStarts {
  /** Reads a stream at once; false where such a workflow reads it. */
  start(tenant: string, stream: StreamName): Promise<boolean>;
}

/** One id a stream, so that two never read it step by step at once: each would read the same pages from one cursor. */
export function createStreamStarts(client: {
  readonly workflow: Pick<Client['workflow'], 'start'>;
}): StreamStarts {
  return {
    start: async (tenant, stream) => {
      const input: TenantInput = { tenant };
      try {
        await client.workflow.start(stream, {
          workflowId: workflowIds.scheduled(tenant, stream),
          taskQueue: TASK_QUEUES.sync,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          // The first loads of a fleet are thousands of tasks, which nobody's change waits behind.
          priority: { priorityKey: isBulk(stream) ? PRIORITIES.bulk : PRIORITIES.read, fairnessKey: tenant },
          staticSummary: `${tenant}: ${stream}`,
          typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
        });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },
  };
}
