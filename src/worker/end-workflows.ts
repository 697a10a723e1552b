import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';

/** gRPC's code for what is there already. */
const ALREADY_EXISTS = 6;

/**
 * Ends what runs for a tenant that was removed, with the reason, in one request however much it is: also what only waits, such as
 * for a person. `version`: of the tenant, so that workers which say the same say it once. What begins later ends by itself, at its
 * first activity. Rejects with the client's error.
 */
export async function endWorkflows(client: Client, tenant: string, version: number): Promise<void> {
  const name = tenant.replaceAll("'", '');
  const query = `${SEARCH_ATTRIBUTES.tenant.name} = '${name}' AND ExecutionStatus = 'Running'`;
  // Temporal does one such thing at a time, so it is asked for where there is something to end alone.
  if ((await client.workflow.count(query)).count === 0) return;
  try {
    await client.workflowService.startBatchOperation({
      namespace: client.options.namespace,
      jobId: `lockstep/${name}/removed-${version}`,
      visibilityQuery: query,
      reason: `TENANT_REMOVED: the tenant ${name} was removed`,
      terminationOperation: { identity: 'lockstep' },
    });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== ALREADY_EXISTS) throw error;
  }
}
