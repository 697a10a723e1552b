import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type GuardTenantInput, probeNowSignal, workWaitsSignal } from '../../workflows/messages.ts';
import type { OperationGroup } from '../domain/loop/operation-groups.ts';

/** Starts a paused group's guard unless it is running. */
export async function startGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.start('guardTenant', {
    ...guardOf(tenant, group),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/** Signals a paused group's guard that work waits, and starts the guard if it is not running. */
export async function signalGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.signalWithStart('guardTenant', {
    ...guardOf(tenant, group),
    signal: workWaitsSignal,
  });
}

/** The guards of paused groups, as operators use them. */
export interface Guards {
  /** Has a group's guard probe at once, if it is running. */
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
