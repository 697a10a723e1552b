import { type Client, WorkflowIdConflictPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type GuardTenantInput, probeNowSignal, workWaitsSignal } from '../../workflows/messages.ts';
import type { OperationGroup } from '../domain/loop/operation-groups.ts';

/**
 * Starts the workflow that ends the pause of an operation group (requests to one remote system that fail together). The workflow sends test
 * requests (probes) from time to time, until all of them succeed. Does nothing if the workflow is running.
 */
export async function startGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.start('guardTenant', {
    ...guardOf(tenant, group),
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  });
}

/**
 * Notifies the workflow that tests a paused operation group (requests to one remote system that fail together): records wait for the end of
 * the pause. The workflow, which is started if it is not running, then notifies CRM users of these records.
 */
export async function signalGuard(client: Client, tenant: string, group: OperationGroup): Promise<void> {
  await client.workflow.signalWithStart('guardTenant', {
    ...guardOf(tenant, group),
    signal: workWaitsSignal,
  });
}

/**
 * Sends signals for operators' commands: to the workflows that send test requests (probes) while an operation group is paused, and to the
 * workflows of waiting records.
 */
export interface Guards {
  /**
   * Makes the workflow that tests a paused operation group (requests to one remote system that fail together) send its test requests
   * (probes) now. Does nothing if the workflow is not running.
   */
  probeNow(tenant: string, group: OperationGroup): Promise<void>;
  /**
   * Signals these records' workflows, and the tenant's lane (the workflow for many records), to end their current wait. Skips workflows
   * that are not running.
   */
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
