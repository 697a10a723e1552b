import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type GuardTenantInput, probeNowSignal, workWaitsSignal } from '../../workflows/messages.ts';
import type { OperationGroup } from '../domain/loop/operation-groups.ts';

/** Starts the guard of a paused group unless it is already there. */
export async function startGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.start('guardTenant', {
    ...guardOf(tenant, group),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/** Tells the guard of a paused group that something waits for it, and starts it where it is not there. */
export async function signalGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.signalWithStart('guardTenant', {
    ...guardOf(tenant, group),
    signal: workWaitsSignal,
  });
}

/** The guards of paused groups, as people speak to them. */
export interface Guards {
  /** Has the guard of a group look at once, where there is one. */
  probeNow(tenant: string, group: OperationGroup): Promise<void>;
}

export function createGuards(client: Client): Guards {
  return {
    probeNow: async (tenant, group) => {
      try {
        await client.workflow.getHandle(workflowIds.guardTenant(tenant, group)).signal(probeNowSignal);
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}

function guardOf(tenant: string, group: OperationGroup) {
  const input: GuardTenantInput = { tenant, group };
  return {
    workflowId: workflowIds.guardTenant(tenant, group),
    taskQueue: TASK_QUEUES.sync,
    args: [input],
    staticSummary: `${tenant}: ${group} is paused`,
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
  };
}
