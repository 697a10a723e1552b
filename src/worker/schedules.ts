import {
  type Client,
  ScheduleNotFoundError,
  type ScheduleOptions,
  ScheduleOverlapPolicy,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, scheduleIds, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import type { Tenant } from '../platform/tenant.ts';

/**
 * Brings each tenant's two schedules to what its file says. One run at a time: a run that is late is followed by the
 * next, never joined by it.
 */
export async function ensureSchedules(client: Client, tenants: readonly Tenant[]): Promise<void> {
  for (const tenant of tenants) {
    const name = tenant.tenant;
    await ensure(client, {
      ...common(name, tenant.vendor.poll.everyMs, 'pollVendor', workflowIds.pollVendor(name)),
      scheduleId: scheduleIds.pollVendor(name),
    });
    await ensure(client, {
      ...common(name, tenant.salesforce.sweep.everyMs, 'sweepSalesforce', workflowIds.sweepSalesforce(name)),
      scheduleId: scheduleIds.sweepSalesforce(name),
    });
  }
}

function common(
  tenant: string,
  everyMs: number,
  workflowType: string,
  workflowId: string,
): Omit<ScheduleOptions, 'scheduleId'> {
  return {
    spec: { intervals: [{ every: everyMs }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    action: {
      type: 'startWorkflow',
      workflowType,
      workflowId,
      taskQueue: TASK_QUEUES.sync,
      args: [{ tenant }],
      staticSummary: `${tenant}: ${workflowType}`,
      typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
    },
  };
}

async function ensure(client: Client, options: ScheduleOptions): Promise<void> {
  const handle = client.schedule.getHandle(options.scheduleId);
  try {
    await handle.update((current) => ({
      ...current,
      spec: options.spec,
      action: options.action as typeof current.action,
      policies: { ...current.policies, ...options.policies },
    }));
  } catch (error) {
    if (!(error instanceof ScheduleNotFoundError)) throw error;
    await client.schedule.create(options);
  }
}
