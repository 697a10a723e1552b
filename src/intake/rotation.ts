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

/**
 * The status of a key rotation. `begunAt`: when the rotation began, ISO. `isRunning`: whether its workflow still runs and accepts signals.
 */
export type RotationRunStatus = RotationStatus & { readonly isRunning: boolean; readonly begunAt: string };

/** Starts and controls rotations of tenants' API keys, for operators. */
export interface Rotation {
  /** Starts to rotate the tenant's API key; false if a rotation is running. */
  start(tenant: string): Promise<boolean>;
  /** The status of the tenant's last key rotation; null if there was none. */
  status(tenant: string): Promise<RotationRunStatus | null>;
  /** Signals an operator's order (confirm or abort) to the tenant's running key rotation; false if no rotation is running. */
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
    tell: (tenant, word) => signalRun(handleOf(tenant), word === 'confirm' ? confirmKeySignal : abortKeySignal),
  };
}
