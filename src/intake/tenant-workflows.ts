import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';

/** A tenant's workflows in Temporal. */
export interface TenantWorkflows {
  /** Deletes the tenant's workflows, running or closed, with their histories. Temporal deletes in the background. */
  forget(tenant: string): Promise<void>;
  /** How many workflows of the tenant Temporal still has. */
  count(tenant: string): Promise<number>;
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
  };
}

/** The visibility query for a tenant's workflows. Throws for a name that could change the query. */
function ofTenant(tenant: string): string {
  if (!/^[a-z0-9-]+$/.test(tenant)) throw new TypeError('what is asked for is no name of a tenant');
  return `${SEARCH_ATTRIBUTES.tenant.name} = '${tenant}'`;
}
