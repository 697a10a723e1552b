import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { requestSignal, type TenantInput } from '../../workflows/messages.ts';
import { isBulk, type StreamName } from '../domain/streams/streams.ts';

/**
 * Starts a tenant's own workflow for a stream (a source of changes that is read regularly): for an operator, or after a poll that found
 * much work.
 */
export interface StreamStarts {
  /** Starts reading a stream at once; false if the stream's workflow is running already. */
  start(tenant: string, stream: StreamName): Promise<boolean>;
}

/**
 * Creates the object that starts workflows for streams (sources of changes that are read regularly). A tenant has one workflow id for each
 * stream, because two concurrent runs would read the same pages of changes.
 */
export function createStreamStarts(client: { readonly workflow: Pick<Client['workflow'], 'start'> }): StreamStarts {
  return {
    start: async (tenant, stream) => {
      const workflowIdConflictPolicy = WorkflowIdConflictPolicy.FAIL;
      try {
        await client.workflow.start(stream, { ...startOf(tenant, stream), workflowIdConflictPolicy });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },
  };
}

/**
 * Reads a stream (a source of changes) soon, because a user requested it: starts the stream's workflow. If the workflow is running, signals
 * it to read once more.
 */
export async function requestStream(client: Client, tenant: string, stream: StreamName): Promise<void> {
  await client.workflow.signalWithStart(stream, {
    ...startOf(tenant, stream),
    signal: requestSignal,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

function startOf(tenant: string, stream: StreamName) {
  const input: TenantInput = { tenant };
  return {
    workflowId: workflowIds.scheduled(tenant, stream),
    taskQueue: TASK_QUEUES.sync,
    args: [input],
    // The first loads of many tenants are thousands of tasks, so they have a lower priority than users' changes.
    priority: { priorityKey: isBulk(stream) ? PRIORITIES.bulk : PRIORITIES.read, fairnessKey: tenant },
    staticSummary: `${tenant}: ${stream}`,
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
  } satisfies Omit<WorkflowStartOptions, 'workflowIdConflictPolicy'>;
}
