import { Client, Connection } from '@temporalio/client';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import { NAMESPACE, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';

/** Starts a workflow that reads a tenant's stream at once. Rejects if one is already running. */
export async function triggerStream(address: string, tenant: string, stream: StreamName): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    await new Client({ connection, namespace: NAMESPACE }).workflow.start(stream, {
      workflowId: workflowIds.scheduled(tenant, stream),
      taskQueue: TASK_QUEUES.sync,
      args: [{ tenant }],
      staticSummary: `${tenant}: ${stream}`,
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
    });
  } finally {
    await connection.close();
  }
}
