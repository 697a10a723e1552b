/**
 * How work is led in, whoever noticed it: the links of what changed are marked due in the ledger, and only then are
 * their workflows signalled, started where none runs. A lost signal is found by its due link; a doubled one does no harm.
 */

import type { Client } from '@temporalio/client';
import { workflowIds } from '../../temporal.config.ts';
import { isRemoteHealthy, REMOTE_HEALTH } from '../domain/loop/remote-health.ts';
import type { Cause } from '../domain/loop/step.ts';
import { toOpportunityId } from '../domain/record/salesforce-id.ts';
import { stoppedBy } from '../domain/streams/work.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { LinkIds, LinkLedger } from '../ledger/links/link-ledger.ts';
import type { LaneLedger } from '../ledger/queue/lane-ledger.ts';
import type { QueueLedger } from '../ledger/queue/queue-ledger.ts';
import { signalGuard } from './guard.ts';
import { type LaneOptions, parted, startLane, wakeLane } from './lane.ts';
import { wakeRecords } from './wake.ts';

/** The part of the ledger that leading work in needs. */
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
   * Wakes the records of links that are due, by key; `cause` is the side that changed. Those of a paused tenant stay due:
   * the guard tells the CRM's users so, and wakes them when the outage is over. Rejects with the client's error when Temporal did not take all.
   * `isAgain`: they are found due, and nothing new was told of them: what is in the lane is carried there as it would be. `isBurst`: they
   * were told of together, and nobody waits for one of them in particular.
   */
  wake(tenant: string, keys: readonly string[], cause: Cause, how?: WakeOptions): Promise<void>;
  /**
   * Leaves a record of the lane to its own workflow, which looks at both sides: what the lane has read of them is not known there. Where
   * the tenant is paused nothing changes: the guard wakes what is due.
   */
  delegate(tenant: string, key: string, at: string): Promise<void>;
  /**
   * Marks one record due and wakes it, whether or not its tenant is paused: a person asked for it, and wants sent
   * again what was refused. Gives the id of the
   * workflow that looks at it.
   */
  requestSync(tenant: string, ids: LinkIds, at: string): Promise<{ readonly workflowId: string }>;
  /** Whether the tenant's remotes are known to answer most of what is asked of them. */
  areRemotesHealthy(tenant: string): Promise<boolean>;
  /** Throws when the ledger or Temporal cannot be reached. */
  ready(): Promise<void>;
}

/** The way in, over one client of Temporal and one ledger. `lane`: null where each record has its own workflow. */
export function createIntake(
  client: Client,
  ledger: IntakeLedger,
  { lane = null }: { readonly lane?: LaneOptions | null } = {},
): Intake {
  const signal = async (tenant: string, keys: readonly string[], cause: Cause): Promise<void> =>
    wakeRecords(client, tenant, keys, cause, await ledger.linkStatuses(tenant, keys));
  const wakeAll: Intake['wake'] = async (tenant, keys, cause, how) =>
    lane === null
      ? signal(tenant, keys, cause)
      : wakeByLane({ client, ledger, lane }, tenant, keys, cause, how);
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
      // While the CRM itself is out, nobody there can be told.
      else if (pause.group !== 'salesforce') await signalGuard(client, tenant, pause.group);
    },
    delegate: async (tenant, key, at) => {
      if ((await isStopped(tenant)) !== undefined) return;
      // Before the signal: what is given to the lane from now on is not covered by it.
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

/** Wakes some by their tenant's lane, and the others by their own workflows. */
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

/** Two ids for one record would be two links; so whoever leads work in has written each in its one form. */
function requireOpportunities(crmIds: readonly string[]): void {
  if (crmIds.every((id) => toOpportunityId(id) === id)) return;
  throw new TypeError('What was led in is no opportunity id in its 18-character form.');
}
