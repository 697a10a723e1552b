import {
  type Client,
  ScheduleNotFoundError,
  ScheduleOverlapPolicy,
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

/** What of Temporal's client it takes. */
export type StreamClient = {
  readonly schedule: Pick<Client['schedule'], 'getHandle'>;
  readonly workflow: Pick<Client['workflow'], 'start'>;
};

/**
 * Starts reads by the stream's own schedule, which knows those that it has begun: two at a time would read every page twice from one
 * cursor. Their ids do not keep them apart, since a schedule appends the time to the id that it is given.
 */
export function createStreamStarts(client: StreamClient): StreamStarts {
  return {
    start: async (tenant, stream) => {
      const schedule = client.schedule.getHandle(workflowIds.scheduled(tenant, stream));
      try {
        const { info } = await schedule.describe();
        if (info.runningActions.length > 0) return false;
        await schedule.trigger(ScheduleOverlapPolicy.SKIP);
        return true;
      } catch (error) {
        if (error instanceof ScheduleNotFoundError) return startAlone(client, tenant, stream);
        throw error;
      }
    },
  };
}

/** Of a tenant whose schedules no worker has made yet. */
async function startAlone({ workflow }: StreamClient, tenant: string, stream: StreamName): Promise<boolean> {
  const input: TenantInput = { tenant };
  try {
    await workflow.start(stream, {
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
}
