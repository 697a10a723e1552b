import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type RecordWaitsInput, statusSignal } from '../../workflows/messages.ts';
import { isWaiting } from '../domain/record/link-state.ts';
import { shownId } from '../domain/values/shown-id.ts';

/**
 * Shows in Temporal that a record waits for a person: starts or signals the record's `recordWaits` workflow. If the
 * record does not wait, ends this workflow. Idempotent.
 */
export async function publishStatus(client: Client, record: RecordWaitsInput): Promise<void> {
  const { tenant, key, ...status } = record;
  const workflowId = workflowIds.recordWaits(tenant, key);
  if (!isWaiting(record.state)) {
    await client.workflow.getHandle(workflowId).signal(statusSignal, status).catch(notThere);
    return;
  }
  const { crmId, vendorId, state } = status;
  await client.workflow.signalWithStart('recordWaits', {
    workflowId,
    taskQueue: TASK_QUEUES.sync,
    args: [record],
    signal: statusSignal,
    signalArgs: [status],
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    staticSummary: `${tenant}: opportunity ${shownId(key)} waits for a person`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.tenant, value: tenant },
      ...(crmId === null ? [] : [{ key: SEARCH_ATTRIBUTES.crmId, value: crmId }]),
      ...(vendorId === null ? [] : [{ key: SEARCH_ATTRIBUTES.vendorId, value: vendorId }]),
      { key: SEARCH_ATTRIBUTES.syncState, value: state },
    ],
  });
}

/** Ignores Temporal's error that the `recordWaits` workflow does not exist, because a record that never waited has none. */
function notThere(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
