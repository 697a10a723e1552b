import { setTimeout as delay } from 'node:timers/promises';
import {
  type Client,
  isGrpcServiceError,
  ServiceError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import { PRIORITIES, SEARCH_ATTRIBUTES, TASK_QUEUES, workflowIds } from '../../temporal.config.ts';
import { type SyncOpportunityInput, wakeSignal } from '../../workflows/messages.ts';
import type { Cause } from '../domain/loop/step.ts';
import { treatmentOf } from '../domain/loop/work-class.ts';
import { idsOfKey } from '../domain/record/link-key.ts';
import { shownId } from '../domain/values/shown-id.ts';
import type { LinkStatus } from '../ledger/links/link-ledger.ts';

const AT_ONCE = 20;
/** Matches Temporal's error for a workflow run that accepts no more signals because it has received too many. */
const RUN_IS_FULL = /limit for signal events/;
/**
 * Pauses, in ms, between attempts to signal a workflow run that accepts no more signals. As soon as no signals arrive, the workflow
 * continues as a new run, which accepts signals again.
 */
const PAUSES_MS = [100, 200, 400, 800, 1_600, 3_200];

/**
 * Signals each record's workflow, and starts the workflow if it is not running. Repeated calls do no harm. `linkStatuses`: the stored state
 * of each record, by link key; it sets the input and the search attributes of new runs. Rejects if Temporal did not accept every signal.
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
    await Promise.all(
      batch.map((key) => untilTaken(() => wakeRecord(client, tenant, key, cause, linkStatuses.get(key)))),
    );
  }
}

async function untilTaken(wake: () => Promise<void>): Promise<void> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await wake();
    } catch (error) {
      if (!isOfFullRun(error)) throw error;
    }
    await delay(pauseMs);
  }
  return wake();
}

function isOfFullRun(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && RUN_IS_FULL.test(cause.details);
}

async function wakeRecord(
  client: Client,
  tenant: string,
  key: string,
  cause: Cause,
  status: LinkStatus | undefined,
): Promise<void> {
  // The key of a link is the first known id of its deal: the CRM's id or the vendor's id.
  const first = idsOfKey(key);
  const crmId = status?.crmId ?? first.crmId;
  const vendorId = status?.vendorId ?? first.vendorId;
  const syncState = status?.state ?? null;
  const work = status?.work ?? 'interactive';
  const input: SyncOpportunityInput = {
    ...{ tenant, key, crmId, vendorId, syncState, work },
    ...(status?.failingSince ? { isUnanswered: true } : {}),
  };
  await client.workflow.signalWithStart('syncOpportunity', {
    workflowId: workflowIds.syncOpportunity(tenant, key),
    taskQueue: TASK_QUEUES.sync,
    args: [input],
    signal: wakeSignal,
    signalArgs: [{ cause, work }],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    priority: {
      priorityKey: treatmentOf(work).isFirst ? PRIORITIES.read : PRIORITIES.bulk,
      fairnessKey: tenant,
    },
    staticSummary: `${tenant}: opportunity ${shownId(key)}`,
    typedSearchAttributes: [
      { key: SEARCH_ATTRIBUTES.tenant, value: tenant },
      ...(crmId === null ? [] : [{ key: SEARCH_ATTRIBUTES.crmId, value: crmId }]),
      ...(vendorId === null ? [] : [{ key: SEARCH_ATTRIBUTES.vendorId, value: vendorId }]),
      ...(syncState === null ? [] : [{ key: SEARCH_ATTRIBUTES.syncState, value: syncState }]),
    ],
  });
}
