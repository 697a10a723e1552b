import {
  type Client,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { QueryDefinition, SignalDefinition, Workflow } from '@temporalio/common';

/** This file starts, queries and signals workflows that a tenant may have only once at a time. */

/** Starts a workflow that a tenant may have only once at a time; false if the workflow is running already. */
export async function startAlone(client: Client, type: string, options: WorkflowStartOptions): Promise<boolean> {
  try {
    const workflowIdConflictPolicy = WorkflowIdConflictPolicy.FAIL;
    await client.workflow.start<Workflow>(type, { ...options, workflowIdConflictPolicy });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}

/** Thrown if no worker answers a query about the status of a workflow run. The run itself continues. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** Time limit for a query, in ms. A running worker answers sooner. */
const ANSWER_MS = 5_000;

/**
 * The status of a workflow's last run; null if there was no run. `isRunning`: whether the run still accepts signals. Throws `Unanswered` if
 * no worker answers the query.
 */
export async function runStatusOf<Status extends object>(
  handle: WorkflowHandle,
  query: QueryDefinition<Status>,
): Promise<(Status & { readonly isRunning: boolean }) | null> {
  try {
    const { status } = await handle.describe();
    const answer = await handle.client.withDeadline(Date.now() + ANSWER_MS, () => handle.query(query));
    return { ...answer, isRunning: status.name === 'RUNNING' };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    if (!(error instanceof ServiceError)) throw error;
    throw new Unanswered(
      'No worker answers how far it is; it goes on once one runs: lockstep doctor says what is missing.',
    );
  }
}

/** Sends a signal to a workflow run; false if the run is not running any more. */
export async function signalRun(handle: WorkflowHandle, word: SignalDefinition): Promise<boolean> {
  try {
    await handle.signal(word);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
