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

/** Where a backfill stands. `isRunning`: a person's word can still reach it. */
export type BackfillRunStatus = BackfillStatus & { readonly isRunning: boolean };

/** The backfills of tenants, as people order them; one of a tenant at a time. */
export interface Backfills {
  /** Begins one; false where one is under way. */
  start(tenant: string, order: BackfillOrder): Promise<boolean>;
  /** Where the last one stands; null where there was none. */
  status(tenant: string): Promise<BackfillRunStatus | null>;
  /** Tells it a person's word; false where none is under way. */
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
