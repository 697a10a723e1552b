import { Client, Connection } from '@temporalio/client';
import { NAMESPACE, workflowIds } from '../../../temporal.config.ts';
import type { StreamName } from '../../domain/streams/streams.ts';

/** Has a tenant's stream read at once, by its schedule. Rejects while the worker has not made the schedule yet. */
export async function triggerStream(address: string, tenant: string, stream: StreamName): Promise<void> {
  const connection = await Connection.connect({ address });
  try {
    const { schedule } = new Client({ connection, namespace: NAMESPACE });
    await schedule.getHandle(workflowIds.scheduled(tenant, stream)).trigger();
  } finally {
    await connection.close();
  }
}
