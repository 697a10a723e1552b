import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES, workflowIds } from '../../temporal.config.ts';

/** Deletes, counts and searches the workflows of a tenant in Temporal. */
export interface TenantWorkflows {
  /**
   * Deletes the tenant's workflows, running or closed, with their histories. Temporal executes the deletion in the
   * background.
   */
  forget(tenant: string): Promise<void>;
  /** How many workflows of the tenant Temporal has. */
  count(tenant: string): Promise<number>;
  /**
   * Searches the Temporal histories of these records' workflows for a text, in any letter case, for example to find a person's e-mail
   * address. With `erases`, also deletes the workflows whose history contains the text, because the person's data must be erased. Returns
   * how many histories were read (`read`) and how many contain the text (`found`).
   */
  holding(
    tenant: string,
    keys: readonly string[],
    text: string,
    erases: boolean,
  ): Promise<{ readonly read: number; readonly found: number }>;
}

export function createTenantWorkflows(client: Client): TenantWorkflows {
  return {
    forget: async (tenant) => {
      await client.workflowService.startBatchOperation({
        namespace: client.options.namespace,
        jobId: `lockstep/${tenant}/erased-${randomUUID()}`,
        visibilityQuery: ofTenant(tenant),
        reason: `the tenant ${tenant} was erased`,
        deletionOperation: { identity: 'lockstep' },
      });
    },
    count: async (tenant) => (await client.workflow.count(ofTenant(tenant))).count,
    holding: async (tenant, keys, text, erases) => {
      let [read, found] = [0, 0];
      for (const key of keys)
        for await (const { workflowId, runId } of client.workflow.list({ query: ofRecord(tenant, key) })) {
          const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
          read += 1;
          if (!contains(history, text.toLowerCase())) continue;
          found += 1;
          if (erases)
            await client.workflowService.deleteWorkflowExecution({
              namespace: client.options.namespace,
              workflowExecution: { workflowId, runId },
            });
        }
      return { read, found };
    },
  };
}

/** The visibility query for a tenant's workflows. Throws for a name that could change the query. */
function ofTenant(tenant: string): string {
  if (!/^[a-z0-9-]+$/.test(tenant)) throw new TypeError('what is asked for is no name of a tenant');
  return `${SEARCH_ATTRIBUTES.tenant.name} = '${tenant}'`;
}

/**
 * The visibility query for the workflows of one record. Throws for a key with a quote, which could change the query; a real key has none,
 * because it is an id.
 */
function ofRecord(tenant: string, key: string): string {
  const ids = [workflowIds.syncOpportunity(tenant, key), workflowIds.recordWaits(tenant, key)];
  if (ids.some((id) => id.includes("'"))) throw new TypeError('what is asked for is no key of a link');
  return ids.map((id) => `WorkflowId = '${id}'`).join(' OR ');
}

/** Whether a history contains a text, as plain text or in the bytes of its payloads. `lower`: the text in lower case. */
function contains(value: unknown, lower: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(lower);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8').toLowerCase().includes(lower);
  return typeof value === 'object' && value !== null && Object.values(value).some((one) => contains(one, lower));
}
