import { type Client, WorkflowIdConflictPolicy } from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { laneSignal, type SyncOpportunitiesInput } from '../../workflows/messages.ts';
import type { Cause } from '../domain/loop/step.ts';
import { BURST, treatmentOf } from '../domain/loop/work-class.ts';
import type { LinkStatus } from '../ledger/links/link-ledger.ts';
import type { LaneLedger } from '../ledger/queue/lane-ledger.ts';

/**
 * Settings of a tenant's lane, the workflow that processes many records. `from`: the lane takes a group of records if at least this many
 * are reported together. Smaller groups usually get one workflow for each record.
 */
export type LaneOptions = { readonly from: number };

/** The default: eight or more records that are reported together go to the tenant's lane, the workflow for many records. */
export const LANE: LaneOptions = { from: BURST };

/**
 * Keys of records whose workflows are to be woken (signalled or started), by the workflow that will process them. `together`: the tenant's
 * lane (the workflow for many records). `alone`: the records' own workflows. `known`: the keys in `together` whose records are already in
 * the lane.
 */
export type Parted = {
  readonly together: readonly string[];
  readonly alone: readonly string[];
  readonly known: readonly string[];
};

/**
 * Decides which of the given records go to the tenant's lane (the workflow for many records), and which to their own workflows. The lane
 * gets many records that changed together, many echoes (own writes to read back), bulk work, and records that it already has. Records whose
 * remote systems do not answer, and links whose deal now belongs to another link, never go to the lane. If `from` is 1, all other records
 * go to it.
 */
export function parted(
  keys: readonly string[],
  cause: Cause,
  statuses: ReadonlyMap<string, LinkStatus>,
  { from, isBurst = false }: LaneOptions & { readonly isBurst?: boolean },
): Parted {
  const isOfLane = (key: string): boolean => {
    const status = statuses.get(key);
    if (status?.failingSince != null || status?.state === 'superseded') return false;
    const { lane } = treatmentOf(status?.work);
    if (status?.inLane === true || lane === 'always') return true;
    return from <= 1 || (keys.length >= from && (isBurst || cause === 'any' || lane === 'many'));
  };
  const together = keys.filter(isOfLane);
  const known = together.filter((key) => statuses.get(key)?.inLane === true);
  return { together, alone: keys.filter((key) => !isOfLane(key)), known };
}

/**
 * Puts records into their tenant's lane (the workflow for many records) and starts the lane. Rejects with the error of the ledger
 * (Lockstep's database) or of the Temporal client. The records then stay due (to be synced), and a later check for overdue records repeats
 * this call.
 */
export async function wakeLane(
  client: Client,
  ledger: Pick<LaneLedger, 'takeInLane'>,
  tenant: string,
  keys: readonly string[],
  cause: Cause,
): Promise<void> {
  if (keys.length === 0) return;
  await ledger.takeInLane(tenant, keys, cause);
  await startLane(client, tenant);
}

/**
 * Signals a tenant's lane (the workflow for many records) to read from the ledger (Lockstep's database) which records wait for it. Starts
 * the lane if it is not running.
 */
export async function startLane(client: Client, tenant: string): Promise<void> {
  const input: SyncOpportunitiesInput = { tenant };
  await client.workflow.signalWithStart('syncOpportunities', {
    workflowId: workflowIds.syncOpportunities(tenant),
    taskQueue: TASK_QUEUES.sync,
    args: [input],
    signal: laneSignal,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    priority: { priorityKey: PRIORITIES.bulk, fairnessKey: tenant },
    staticSummary: `${tenant}: many opportunities`,
    typedSearchAttributes: [{ key: SEARCH_ATTRIBUTES.tenant, value: tenant }],
  });
}
