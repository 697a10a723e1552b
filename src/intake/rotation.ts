import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import {
  abortKeySignal,
  confirmKeySignal,
  type RotationStatus,
  rotationQuery,
  type TenantInput,
} from '../../workflows/messages.ts';

/** The rotations of tenants' API keys, as people order them. */
export interface Rotation {
  /** Begins one; false where one is under way. */
  start(tenant: string): Promise<boolean>;
  /** Where the last one stands; null where there was none. `isRunning`: a person's word can still reach it. */
  status(tenant: string): Promise<(RotationStatus & { readonly isRunning: boolean }) | null>;
  /** Tells it a person's word; false where none is under way. */
  tell(tenant: string, word: 'confirm' | 'abort'): Promise<boolean>;
}

export function createRotation(client: Client): Rotation {
  const handleOf = (tenant: string) => client.workflow.getHandle(workflowIds.rotateApiKey(tenant));
  return {
    start: async (tenant) => {
      const input: TenantInput = { tenant };
      try {
        await client.workflow.start('rotateApiKey', {
          workflowId: workflowIds.rotateApiKey(tenant),
          taskQueue: TASK_QUEUES.sync,
          args: [input],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          staticSummary: `${tenant}: a new API key`,
          typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
        });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },
    status: async (tenant) => {
      try {
        const handle = handleOf(tenant);
        const { status } = await handle.describe();
        return { ...(await handle.query(rotationQuery)), isRunning: status.name === 'RUNNING' };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return null;
        throw error;
      }
    },
    tell: async (tenant, word) => {
      try {
        await handleOf(tenant).signal(word === 'confirm' ? confirmKeySignal : abortKeySignal);
        return true;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
  };
}
