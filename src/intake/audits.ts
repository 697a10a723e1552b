import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type AuditInput, type AuditProgress, auditQuery } from '../../workflows/messages.ts';

/**
 * Starts and observes audits of tenants. An audit compares both sides (CRM and vendor) of all linked records. An operator's audit and a
 * scheduled audit share one workflow id, so a tenant has at most one audit at a time.
 */
export interface Audits {
  /** Starts an audit of the tenant; false if an audit is running. */
  start(order: Omit<AuditInput, 'carried'>): Promise<boolean>;
  /**
   * The status of the tenant's last audit; null if there was none. `progress` is null if the audit is not running, or if no worker answers
   * the query.
   */
  status(tenant: string): Promise<{ readonly state: string; readonly progress: AuditProgress | null } | null>;
  /** Ends the running audit of the tenant; false if no audit is running. */
  stop(tenant: string): Promise<boolean>;
}

export function createAudits(client: Client): Audits {
  const handleOf = (tenant: string) => client.workflow.getHandle(workflowIds.scheduled(tenant, 'audit'));
  const stateOf = async (tenant: string): Promise<string | null> => {
    try {
      return (await handleOf(tenant).describe()).status.name;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  };
  return {
    start: async (order) => {
      const { tenant } = order;
      try {
        await client.workflow.start('audit', {
          workflowId: workflowIds.scheduled(tenant, 'audit'),
          taskQueue: TASK_QUEUES.sync,
          args: [order],
          workflowIdConflictPolicy: WorkflowIdConflictPolicy.FAIL,
          staticSummary: `${tenant}: audit`,
          typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
        });
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw error;
      }
    },
    status: async (tenant) => {
      const state = await stateOf(tenant);
      if (state === null) return null;
      // The query fails if no worker runs. The workflow's state is still known, because Temporal reports it without a
      // worker.
      const progress =
        state === 'RUNNING'
          ? await handleOf(tenant)
              .query(auditQuery)
              .catch(() => null)
          : null;
      return { state, progress };
    },
    stop: async (tenant) => {
      if ((await stateOf(tenant)) !== 'RUNNING') return false;
      await handleOf(tenant).cancel();
      return true;
    },
  };
}
