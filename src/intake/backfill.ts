import type { Client } from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import {
  type BackfillInput,
  type BackfillStatus,
  backfillQuery,
  cancelBackfillSignal,
  pauseBackfillSignal,
  resumeBackfillSignal,
} from '../../workflows/messages.ts';
import type { BackfillOrder } from '../domain/backfill/backfill.ts';
import { runStatusOf, signalRun, startAlone } from './single-run.ts';

export type BackfillWord = 'pause' | 'resume' | 'cancel';

/** The status of a backfill. `isRunning`: whether the backfill's workflow still runs and accepts signals. */
export type BackfillRunStatus = BackfillStatus & { readonly isRunning: boolean };

/**
 * Starts and controls the backfills that operators order. A backfill syncs the records that changed since an instant. A tenant has one
 * backfill at a time.
 */
export interface Backfills {
  /** Starts a backfill of the tenant; false if a backfill is running. */
  start(tenant: string, order: BackfillOrder): Promise<boolean>;
  /** The status of the tenant's last backfill; null if there was none. */
  status(tenant: string): Promise<BackfillRunStatus | null>;
  /** Signals an operator's order (pause, resume or cancel) to the tenant's running backfill; false if no backfill is running. */
  tell(tenant: string, word: BackfillWord): Promise<boolean>;
}

const SIGNALS = {
  pause: pauseBackfillSignal,
  resume: resumeBackfillSignal,
  cancel: cancelBackfillSignal,
} as const;

export function createBackfills(client: Client): Backfills {
  const handleOf = (tenant: string) => client.workflow.getHandle(workflowIds.backfill(tenant));
  return {
    start: (tenant, order) => {
      const input: BackfillInput = { tenant, order };
      return startAlone(client, 'backfill', {
        workflowId: workflowIds.backfill(tenant),
        taskQueue: TASK_QUEUES.sync,
        args: [input],
        priority: { priorityKey: PRIORITIES.bulk, fairnessKey: tenant },
        staticSummary: `${tenant}: backfill since ${order.since}`,
        typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
      });
    },
    status: (tenant) => runStatusOf(handleOf(tenant), backfillQuery),
    tell: (tenant, word) => signalRun(handleOf(tenant), SIGNALS[word]),
  };
}
