import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';

/** All that Temporal has of one tenant. */
export interface TenantWorkflows {
  /** Has its workflows forgotten, running and ended, with their histories. Temporal does it in the background. */
  forget(tenant: string): Promise<void>;
  /** How many it knows still. */
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

/** Names of tenants hold nothing that a query would read otherwise. */
function ofTenant(tenant: string): string {
  if (!/^[a-z0-9-]+$/.test(tenant)) throw new TypeError('what is asked for is no name of a tenant');
  return `${SEARCH_ATTRIBUTES.tenant.name} = '${tenant}'`;
}
