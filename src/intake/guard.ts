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
  /** Has the workflows of these records, and of the tenant's lane, end the waits that they are in. */
  endWaits(tenant: string, keys: readonly string[]): Promise<void>;
}

/** So many workflows are signalled at once. */
const AT_ONCE = 20;

export function createGuards(client: Client): Guards {
  const signal = async (workflowId: string): Promise<void> => {
    try {
      await client.workflow.getHandle(workflowId).signal(probeNowSignal);
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  };
  return {
    probeNow: (tenant, group) => signal(workflowIds.guardTenant(tenant, group)),
    endWaits: async (tenant, keys) => {
      await signal(workflowIds.syncOpportunities(tenant));
      for (let start = 0; start < keys.length; start += AT_ONCE) {
        const batch = keys.slice(start, start + AT_ONCE);
        await Promise.all(batch.map((key) => signal(workflowIds.syncOpportunity(tenant, key))));
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
