import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import type { TenantInput } from '../../workflows/messages.ts';
import type { StreamName } from '../domain/streams/streams.ts';

/** Streams that are read on a person's word, beside their schedules. */
export interface StreamStarts {
  /** Reads a stream at once; false where it is being read. */
  start(tenant: string, stream: StreamName): Promise<boolean>;
}

export function createStreamStarts(client: Client): StreamStarts {
  return {
    start: async (tenant, stream) => {
      const input: TenantInput = { tenant };
      try {
        await client.workflow.start(stream, {
          // That of a read that its schedule begins: one at a time.
          workflowId: workflowIds.scheduled(tenant, stream),
          taskQueue: TASK_QUEUES.sync,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
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
