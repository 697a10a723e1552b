import type { Client, WorkflowExecutionInfo } from '@temporalio/client';
import { workflowIds } from '../../temporal.config.ts';
import type { Run } from '../console/ports.ts';

const MOST_OWN = 10;
const MOST_OF_LANE = 50;
const SHOWN = 20;

type Asked = { readonly tenant: string; readonly key: string; readonly at: readonly string[] };

/**
 * The existing Temporal runs that worked on a record, newest first. `at`: when Lockstep worked on the record, ISO. The result contains the
 * runs of the record's own workflow. For times at which no run of that workflow existed, it also contains the runs of the tenant's lane
 * (the workflow for many records). `ui`: the address of the Temporal UI with its namespace; null if unknown. Throws the client's errors.
 */
export async function runsOf(client: Client, ui: string | null, { tenant, key, at }: Asked): Promise<readonly Run[]> {
  const own = await listed(client, workflowIds.syncOpportunity(tenant, key), MOST_OWN);
  const unexplained = at.filter((instant) => !own.some((run) => ranAt(run, instant)));
  const lane =
    unexplained.length === 0 ? [] : await listed(client, workflowIds.syncOpportunities(tenant), MOST_OF_LANE);
  const carried = lane.filter((run) => unexplained.some((instant) => ranAt(run, instant)));
  return [...own, ...carried]
    .toSorted((one, other) => other.startTime.getTime() - one.startTime.getTime())
    .slice(0, SHOWN)
    .map(({ workflowId, runId, status, startTime }) => ({
      ...{ workflowId, status: status.name, startedAt: startTime.toISOString() },
      url: ui === null ? null : `${ui}/workflows/${encodeURIComponent(workflowId)}/${runId}`,
    }));
}

async function listed(client: Client, workflowId: string, limit: number): Promise<readonly WorkflowExecutionInfo[]> {
  const query = `WorkflowId = '${workflowId.replaceAll("'", "''")}'`;
  const found: WorkflowExecutionInfo[] = [];
  for await (const run of client.workflow.list({ query, pageSize: limit })) {
    found.push(run);
    if (found.length === limit) break;
  }
  return found;
}

/**
 * How far the clocks of the ledger (Lockstep's database) and of Temporal may differ, in ms. The ledger stores when Lockstep worked on a
 * record. A workflow run counts as the one that did this work if the stored time lies between the run's start and end. The time may also be
 * this much before the start or after the end.
 */
const TOLERANCE_MS = 1_000;

function ranAt({ startTime, closeTime }: WorkflowExecutionInfo, instant: string): boolean {
  const ms = Date.parse(instant);
  const endMs = closeTime?.getTime() ?? Number.POSITIVE_INFINITY;
  return startTime.getTime() - TOLERANCE_MS <= ms && ms <= endMs + TOLERANCE_MS;
}
