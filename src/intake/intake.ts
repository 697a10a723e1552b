/**
 * The intake: where all work on records begins. It marks the links of changed records (a link is the pair of a CRM and a vendor record) as
 * due, which means that they must be read and synced. The ledger (Lockstep's database) stores this mark. Then the intake signals or starts
 * the records' workflows. If a signal is lost, the link stays due, and its workflow is signalled later.
 */

import type { Client } from '@temporalio/client';
import { workflowIds } from '../../temporal.config.ts';
import { isRemoteHealthy, REMOTE_HEALTH } from '../domain/loop/remote-health.ts';
import type { Cause } from '../domain/loop/step.ts';
import { toDealId } from '../domain/record/salesforce-id.ts';
import type { StreamName } from '../domain/streams/streams.ts';
import { stoppedBy } from '../domain/streams/work.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LinkIds, LinkLedger } from '../ledger/links/link-ledger.ts';
import type { LaneLedger } from '../ledger/queue/lane-ledger.ts';
import type { QueueLedger } from '../ledger/queue/queue-ledger.ts';
import { signalGuard } from './guard.ts';
import { type LaneOptions, parted, startLane, wakeLane } from './lane.ts';
import { requestStream } from './stream-starts.ts';
import { wakeRecords } from './wake.ts';

export type IntakeLedger = Pick<
  Ledger,
  | 'markDue'
  | 'forgetRefusals'
  | 'recordDeliveries'
  | 'markSignalled'
  | 'linkStatuses'
  | 'takeInLane'
  | 'delegate'
  | 'pauses'
  | 'cursor'
  | 'ping'
>;

export type WakeOptions = { readonly isAgain?: boolean; readonly isBurst?: boolean };

export interface Intake extends Pick<QueueLedger, 'recordDeliveries' | 'markSignalled'> {
  /**
   * Wakes (signals or starts) the workflows of due links, by link key. A link is the pair of a CRM and a vendor record; it is due if it
   * must be read and synced. `cause`: the side that changed, or `any`. `isAgain`: the links are overdue; those that are already in the lane
   * (the workflow for many records) are not put there a second time. `isBurst`: many records were reported together, so no user waits for
   * one in particular. While the tenant is paused, no workflow is woken, and the links stay due. Rejects if Temporal did not accept every
   * signal.
   */
  wake(tenant: string, keys: readonly string[], cause: Cause, how?: WakeOptions): Promise<void>;
  /**
   * Moves a record from the lane (the workflow for many records) to the record's own workflow. Called if the lane cannot finish the record,
   * or if the record became due again. The signal to the record's workflow names no side, so that workflow reads both sides. Does nothing
   * while the tenant is paused.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
  /**
   * Wakes (signals or starts) a record's workflow for an operator, even while the tenant is paused. Values that a side has refused are then
   * sent again. Returns the id of the record's workflow.
   */
  requestSync(tenant: string, ids: LinkIds, at: string): Promise<{ readonly workflowId: string }>;
  /**
   * Starts reading a stream (a source of changes) soon, because a user requested it. Does nothing while a pause stops the stream. The first
   * sweep (query for changes in the CRM) after the pause finds the user's request in the CRM and calls this function again.
   */
  requestStream(tenant: string, stream: StreamName): Promise<void>;
  /**
   * Whether the tenant's remote systems are healthy: at least half of the last steps of work on its records succeeded, according to the
   * ledger (Lockstep's database). False if this is unknown.
   */
  areRemotesHealthy(tenant: string): Promise<boolean>;
  /** Checks that the ledger (Lockstep's database) and Temporal can be reached; rejects if not. */
  ready(): Promise<void>;
}

/**
 * Creates the intake. `lane`: when records go to a tenant's lane (the workflow for many records); null if there are no lanes and each
 * record has its own workflow.
 */
export function createIntake(
  client: Client,
  ledger: IntakeLedger,
  { lane = null }: { readonly lane?: LaneOptions | null } = {},
): Intake {
  const signal = async (tenant: string, keys: readonly string[], cause: Cause): Promise<void> =>
    wakeRecords(client, tenant, keys, cause, await ledger.linkStatuses(tenant, keys));
  const wakeAll: Intake['wake'] = async (tenant, keys, cause, how) =>
    lane === null ? signal(tenant, keys, cause) : wakeByLane({ client, ledger, lane }, tenant, keys, cause, how);
  const isStopped = async (tenant: string) => stoppedBy(await ledger.pauses(tenant), 'records');
  return {
    recordDeliveries: async (tenant, deliveries, at) => {
      requireOpportunities(deliveries.flatMap(({ crmIds }) => crmIds));
      return ledger.recordDeliveries(tenant, deliveries, at);
    },
    markSignalled: (tenant, ids, at) => ledger.markSignalled(tenant, ids, at),
    wake: async (tenant, keys, cause, how) => {
      if (keys.length === 0) return;
      const pause = await isStopped(tenant);
      if (pause === undefined) await wakeAll(tenant, keys, cause, how);
      // The signal makes the workflow `guardTenant` notify the CRM's users of waiting records. While the CRM fails, this is impossible, so
      // no signal is sent.
      else if (pause.group !== 'salesforce') await signalGuard(client, tenant, pause.group);
    },
    delegate: async (tenant, key, at) => {
      if ((await isStopped(tenant)) !== undefined) return;
      // The ledger (Lockstep's database) is changed before the signal is sent. In the other order, a record that enters the lane again
      // after the signal would be taken out of the lane.
      await ledger.delegate(tenant, key, at);
      try {
        await signal(tenant, [key], 'any');
      } catch (error) {
        await ledger.takeInLane(tenant, [key], 'any');
        throw error;
      }
    },
    requestSync: async (tenant, ids, at) => {
      requireOpportunities(ids.crmId === undefined ? [] : [ids.crmId]);
      const [key] = await ledger.markDue(tenant, [ids], at);
      if (key === undefined) throw new TypeError('the ledger gave no key for the link that it marked due');
      await ledger.forgetRefusals(tenant, key);
      await signal(tenant, [key], 'any');
      return { workflowId: workflowIds.syncOpportunity(tenant, key) };
    },
    requestStream: async (tenant, stream) => {
      if (stoppedBy(await ledger.pauses(tenant), stream) === undefined) await requestStream(client, tenant, stream);
    },
    areRemotesHealthy: async (tenant) => isRemoteHealthy(await ledger.cursor(tenant, REMOTE_HEALTH)) ?? false,
    ready: async () => {
      await Promise.all([ledger.ping(), client.workflowService.getSystemInfo({})]);
    },
  };
}

type ByLane = {
  readonly client: Client;
  readonly ledger: Pick<LinkLedger, 'linkStatuses'> & Pick<LaneLedger, 'takeInLane'>;
  readonly lane: LaneOptions;
};

/** Wakes records through their own workflows, or through the tenant's lane (a workflow for many records). */
async function wakeByLane(
  { client, ledger, lane }: ByLane,
  tenant: string,
  keys: readonly string[],
  cause: Cause,
  { isAgain = false, isBurst = false }: WakeOptions = {},
): Promise<void> {
  const statuses = await ledger.linkStatuses(tenant, keys);
  const { together, alone, known } = parted(keys, cause, statuses, { ...lane, isBurst });
  const fresh = isAgain ? together.filter((key) => !known.includes(key)) : together;
  if (fresh.length < together.length) await startLane(client, tenant);
  await wakeLane(client, ledger, tenant, fresh, cause);
  await wakeRecords(client, tenant, alone, cause, statuses);
}

/**
 * Throws unless each id is an opportunity's or lead's id with 18 characters. An id with 15 characters would create a second link (row in
 * Lockstep's database) for its record.
 */
function requireOpportunities(crmIds: readonly string[]): void {
  if (crmIds.every((id) => toDealId(id) === id)) return;
  throw new TypeError('What was led in is no id of an opportunity or lead in its 18-character form.');
}
