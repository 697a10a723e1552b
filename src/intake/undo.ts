import type { Client } from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { cancelUndoSignal, type UndoInput, type UndoStatus, undoQuery } from '../../workflows/messages.ts';
import type { UndoRunOrder } from '../domain/backfill/undo-run.ts';
import { runStatusOf, signalRun, startAlone } from './single-run.ts';

/** The status of an undo. `isRunning`: whether the undo's workflow still runs and accepts signals. */
export type UndoRunStatus = UndoStatus & { readonly isRunning: boolean };

/**
 * Starts and controls the undos that operators order. An undo restores the values that past writes replaced. A tenant has one undo at a
 * time.
 */
export interface Undos {
  /** Starts an undo of the tenant; false if an undo is running. */
  start(tenant: string, order: UndoRunOrder): Promise<boolean>;
  /** The status of the tenant's last undo; null if there was none. */
  status(tenant: string): Promise<UndoRunStatus | null>;
  /** Ends the running undo of the tenant; false if no undo is running. */
  cancel(tenant: string): Promise<boolean>;
}

export function createUndos(client: Client): Undos {
  const handleOf = (tenant: string) => client.workflow.getHandle(workflowIds.undo(tenant));
  return {
    start: (tenant, order) => {
      const input: UndoInput = { tenant, order };
      return startAlone(client, 'undo', {
        workflowId: workflowIds.undo(tenant),
        taskQueue: TASK_QUEUES.sync,
        args: [input],
        priority: { priorityKey: PRIORITIES.bulk, fairnessKey: tenant },
        staticSummary: `${tenant}: undo`,
        typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
      });
    },
    status: (tenant) => runStatusOf(handleOf(tenant), undoQuery),
    cancel: (tenant) => signalRun(handleOf(tenant), cancelUndoSignal),
  };
}
