import { type Client, WorkflowExecutionAlreadyStartedError, WorkflowIdConflictPolicy } from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import type { TenantInput } from '../../workflows/messages.ts';
import { isBulk, type StreamName } from '../domain/streams/streams.ts';

/** Starts a tenant's own workflow for a stream, for an operator or after a poll that found much work. */
export interface StreamStarts {
  /** Starts reading a stream at once; false if its workflow is running. */
  start(tenant: string, stream: StreamName): Promise<boolean>;
}

/** Creates the starter of streams. Each stream of a tenant has one workflow id, because two concurrent runs would read the same pages. */
export function createStreamStarts(client: { readonly workflow: Pick<Client['workflow'], 'start'> }): StreamStarts {
  return {
    start: async (tenant, stream) => {
      const input: TenantInput = { tenant };
      try {
        await client.workflow.start(stream, {
          workflowId: workflowIds.scheduled(tenant, stream),
          taskQueue: TASK_QUEUES.sync,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          // The first loads of many tenants are thousands of tasks, so they have a lower priority than users' changes.
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
