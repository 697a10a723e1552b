import type { Client } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../temporal.config.ts';

/** gRPC's code ALREADY_EXISTS. */
const ALREADY_EXISTS = 6;

/**
 * Terminates all running workflows of a removed tenant by one batch job. `version`: the version of the tenant's declaration (its tenant
 * file as the ledger stores it); it is part of the job's id, so that several workers create the job only once. A workflow that starts later
 * fails at its first activity. Rejects with the client's error.
 */
export async function endWorkflows(client: Client, tenant: string, version: number): Promise<void> {
  const name = tenant.replaceAll("'", '');
  const query = `${SEARCH_ATTRIBUTES.tenant.name} = '${name}' AND ExecutionStatus = 'Running'`;
  // Temporal runs one batch job at a time, so Lockstep requests no job that would terminate nothing.
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
