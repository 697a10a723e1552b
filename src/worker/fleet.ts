import type { Client } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Fleet } from '../../activities/fleet/fleet.ts';
import { workflowIds } from '../../temporal.config.ts';
import { createAudits } from '../intake/audits.ts';
import { createStreamStarts } from '../intake/stream-starts.ts';
import type { LiveRoster } from '../platform/live-roster.ts';
import { cadenceOf } from '../platform/stream-rhythm.ts';
import type { Tenant } from '../platform/tenant.ts';
import type { Runtimes } from './runtimes.ts';
import type { ShardBeats } from './shard-beats.ts';

/** Makes the fleet of a worker: the tenants in its roster (the list of tenants), and the functions that start their workflows. */
export function fleetOf(
  client: Client,
  roster: LiveRoster,
  { runtimes, beats }: { readonly runtimes: Pick<Runtimes, 'during'>; readonly beats: ShardBeats },
  ending: AbortSignal,
): Fleet {
  const starts = createStreamStarts(client);
  const audits = createAudits(client);
  const tenant = (name: string): Tenant | undefined => roster.roster().served.get(name)?.tenant;
  const loaded = new WeakMap<Tenant, number>();
  const loadedMs = (name: string): number => {
    const found = tenant(name);
    if (found === undefined) return Number.NEGATIVE_INFINITY;
    const ms = loaded.get(found) ?? Date.now();
    loaded.set(found, ms);
    return ms;
  };
  return {
    served: () => [...roster.roster().served.keys()],
    elsewhere: () => [...roster.roster().unavailable.keys()],
    ending,
    version: tenant,
    loadedMs,
    cadence: (name, stream) => {
      const found = tenant(name);
      return found === undefined ? NEVER : cadenceOf(found, stream);
    },
    followsChanges: (name) => (tenant(name)?.salesforce.changes ?? 'outbound') !== 'outbound',
    auditEveryMs: (name) => tenant(name)?.audit.everyMs ?? NEVER.everyMs,
    readShard: ({ of, ...reader }, run) => beats.read(reader, of, run),
    scoped: (run) => runtimes.during(run),
    startStream: (name, stream) => starts.start(name, stream),
    isReading: async (name, stream) => {
      try {
        const { status } = await client.workflow.getHandle(workflowIds.scheduled(name, stream)).describe();
        return status.name === 'RUNNING';
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return false;
        throw error;
      }
    },
    startAudit: (name) => audits.start({ tenant: name, repairs: true }),
  };
}

/**
 * The polling intervals, in ms, for a tenant that is removed while its shard (group of tenants) is being read. The read takes minutes, so
 * an interval of a day means that the tenant's streams are not polled.
 */
const NEVER = { everyMs: 86_400_000, idleMs: 86_400_000 };
