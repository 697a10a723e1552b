import { NO_FLEET } from '../../activities/fleet/fleet.ts';
import { ShardRound } from '../../activities/fleet/shard-round.ts';
import { createFollowChanges } from '../../activities/streams/follow-changes.ts';
import { shardsFor } from '../../src/domain/streams/shards.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import { cadenceOf } from '../../src/platform/stream-rhythm.ts';
import { RUN_MS } from '../../src/worker/schedules.ts';
import { ACTIONS, type IdleFleet, type TemporalCosts } from './idle-fleet.ts';

const [HOUR, TURN] = [3_600_000, 5_000];
const [EVENTS, EVENTS_OF_ACTIVITY] = [5, 6];
/** An audit of a tenant without records: its activities. */
const AUDIT_ACTIVITIES = 5;

/** `of`: the number of tenants among which the shards' own runs are divided. `heartbeats`: those of one run of a shard. */
export type FleetOf = { readonly of: number; readonly heartbeats: number };

/**
 * Runs shards, each with successive runs as long as in the product. A workflow that a shard starts for a tenant's stream reads the stream
 * to its end.
 */
export async function byShards(idle: IdleFleet, hours: number, { of, heartbeats }: FleetOf): Promise<TemporalCosts> {
  const { names, tenant, deps, clock, read, wakeOverdue } = idle;
  const endMs = clock.ms + hours * HOUR;
  let [runs, own, activities] = [0, 0, 0];
  const fleet = {
    ...NO_FLEET,
    served: () => names,
    version: tenant,
    cadence: (name: string, stream: StreamName) => cadenceOf(tenant(name), stream),
    followsChanges: (name: string) => tenant(name).salesforce.changes !== 'outbound',
    auditEveryMs: (name: string) => tenant(name).audit.everyMs,
    startStream: async (name: string, stream: StreamName) => {
      own += 1;
      for (let more = true; more; activities += 1) ({ more } = await read(stream, { tenant: name }));
      if (stream === 'pollVendor') {
        await wakeOverdue({ tenant: name });
        activities += 1;
      }
      return true;
    },
  };
  const followChanges = createFollowChanges(deps);
  const all = { ...deps, fleet, read, wakeOverdue, followChanges, reportOutage: async () => {}, random: () => 0.5 };
  const shards = shardsFor(names.length);
  while (clock.ms < endMs) {
    const rounds = Array.from({ length: shards }, (_, shard) => new ShardRound(all, { shard, of: shards }));
    runs += 1;
    for (const runEndMs = Math.min(endMs, clock.ms + RUN_MS); clock.ms < runEndMs; clock.ms += TURN)
      for (const round of rounds) {
        await round.turn();
        await round.settled();
      }
    for (const round of rounds) round.end();
    for (const round of rounds) await round.settled();
  }
  // A tenant's share of the shards' runs, and its audits.
  const shared = (runs * shardsFor(of) * names.length) / of;
  const audits = names.reduce((sum, name) => sum + (hours * HOUR) / tenant(name).audit.everyMs, 0);
  const workflows = shared + own + audits;
  const run = activities + shared + audits * AUDIT_ACTIVITIES;
  return {
    ...{ workflows, activities: run, events: EVENTS * workflows + EVENTS_OF_ACTIVITY * run },
    actions:
      shared * (ACTIONS.schedule + ACTIONS.heartbeat * heartbeats) +
      (own + audits) * ACTIONS.start +
      run * ACTIONS.activity,
  };
}
