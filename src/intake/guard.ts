import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type GuardTenantInput, probeNowSignal, workWaitsSignal } from '../../workflows/messages.ts';
import type { OperationGroup } from '../domain/loop/operation-groups.ts';

/**
 * Starts the workflow that ends the pause of an operation group (requests of a remote system that fail together): it sends a test request
 * (probe) from time to time until one succeeds. Does nothing if the workflow is running.
 */
export async function startGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.start('guardTenant', {
    ...guardOf(tenant, group),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/**
 * Signals that work waits for a paused operation group (requests of a remote system that fail together), so that CRM users are notified of
 * waiting records. The signal goes to the workflow that sends the group's test requests (probes), which is started if it is not running.
 */
export async function signalGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.signalWithStart('guardTenant', {
    ...guardOf(tenant, group),
    signal: workWaitsSignal,
  });
}

/**
 * Signals for commands of operators: to the workflows that send test requests (probes) to paused remote systems, and to the workflows of
 * waiting records.
 */
export interface Guards {
  /**
   * Makes the workflow of a paused operation group (requests of a remote system that fail together) send its test request (probe) now. Does
   * nothing if the workflow is not running.
   */
  probeNow(tenant: string, group: OperationGroup): Promise<void>;
  /** Signals these records' workflows, and the tenant's lane (the workflow for many records), to end their current wait. */
  endWaits(tenant: string, keys: readonly string[]): Promise<void>;
}

/** The number of workflows that are signalled at the same time. */
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
