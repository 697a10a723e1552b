import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type SyncOpportunityInput, wakeSignal } from '../../workflows/messages.ts';
import type { LinkState } from '../domain/decide/plan.ts';
import { type OperationGroup, stoppedBy } from '../domain/loop/operation-groups.ts';
import type { Cause } from '../domain/loop/step.ts';
import { referenceKind } from '../domain/record/reference.ts';

const AT_ONCE = 20;

/** Where a record stood when it was woken: its workflow is found by this before it has looked itself. */
export type LinkStatus = {
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
};

export interface WakeLedger {
  pauses(tenant: string): Promise<readonly { readonly group: OperationGroup }[]>;
  linkStatuses(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
}

/**
 * "Look at these records again": signals each record's workflow, starting it where none runs. Repeating a wake-up does
 * no harm. Rejects with the client's error when Temporal did not take all of them.
 */
export async function wakeRecords(
  client: Client,
  tenant: string,
  keys: readonly string[],
  cause: Cause,
  linkStatuses: ReadonlyMap<string, LinkStatus> = new Map(),
): Promise<void> {
  for (let start = 0; start < keys.length; start += AT_ONCE) {
    const batch = keys.slice(start, start + AT_ONCE);
    await Promise.all(batch.map((key) => wakeRecord(client, tenant, key, cause, linkStatuses.get(key))));
  }
}

/** The same, unless a pause stops work on records: then they stay due, and its guard wakes them when the outage is over. */
export async function wakeUnlessPaused(
  client: Client,
  ledger: WakeLedger,
  tenant: string,
  keys: readonly string[],
  cause: Cause,
): Promise<void> {
  if (keys.length === 0 || stoppedBy(await ledger.pauses(tenant), 'records') !== undefined) return;
  await wakeRecords(client, tenant, keys, cause, await ledger.linkStatuses(tenant, keys));
}

async function wakeRecord(
  client: Client,
  tenant: string,
  key: string,
  cause: Cause,
  status: LinkStatus | undefined,
): Promise<void> {
  // The key is the first id that the deal was seen under: the CRM's, or the vendor's.
  const ours = referenceKind(key) === 'ours';
  const crmId = status?.crmId ?? (ours ? key : null);
  const vendorId = status?.vendorId ?? (ours ? null : key);
  const syncState = status?.state ?? null;
  const input: SyncOpportunityInput = { tenant, key, crmId, vendorId, syncState };
  await client.workflow.signalWithStart('syncOpportunity', {
    workflowId: workflowIds.syncOpportunity(tenant, key),
    taskQueue: TASK_QUEUES.sync,
    args: [input],
    signal: wakeSignal,
    signalArgs: [{ cause }],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    priority: { priorityKey: PRIORITIES.read, fairnessKey: tenant },
    staticSummary: `${tenant}: opportunity ${key}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.tenant, value: tenant },
      ...(crmId === null ? [] : [{ key: SEARCH_ATTRIBUTES.crmId, value: crmId }]),
      ...(vendorId === null ? [] : [{ key: SEARCH_ATTRIBUTES.vendorId, value: vendorId }]),
      ...(syncState === null ? [] : [{ key: SEARCH_ATTRIBUTES.syncState, value: syncState }]),
    ],
  });
}
