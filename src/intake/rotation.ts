import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import {
  abortKeySignal,
  confirmKeySignal,
  type RotationStatus,
  rotationQuery,
  type TenantInput,
} from '../../workflows/messages.ts';
import { runStatusOf, signalRun, startAlone } from './single-run.ts';

/** Where a rotation stands. `begunAt`: an ISO instant; `isRunning`: a person's word can still reach it. */
export type RotationRunStatus = RotationStatus & { readonly isRunning: boolean; readonly begunAt: string };

/** The rotations of tenants' API keys, as people order them. */
export interface Rotation {
  /** Begins one; false where one is under way. */
  start(tenant: string): Promise<boolean>;
  /** Where the last one stands; null where there was none. */
  status(tenant: string): Promise<RotationRunStatus | null>;
  /** Tells it a person's word; false where none is under way. */
  tell(tenant: string, word: 'confirm' | 'abort'): Promise<boolean>;
}

export function createRotation(client: Client): Rotation {
  const handleOf = (tenant: string) => client.workflow.getHandle(workflowIds.rotateApiKey(tenant));
  return {
    start: (tenant) => {
      const input: TenantInput = { tenant };
      return startAlone(client, 'rotateApiKey', {
        workflowId: workflowIds.rotateApiKey(tenant),
        taskQueue: TASK_QUEUES.sync,
        args: [input],
        staticSummary: `${tenant}: a new API key`,
        typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
      });
    },
    status: async (tenant) => {
      const status = await runStatusOf(handleOf(tenant), rotationQuery);
      if (status === null) return null;
      const { startTime } = await handleOf(tenant).describe();
      return { ...status, begunAt: startTime.toISOString() };
    },
    tell: (tenant, word) =>
      signalRun(handleOf(tenant), word === 'confirm' ? confirmKeySignal : abortKeySignal),
  };
}
