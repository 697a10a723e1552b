import { NO_FLEET } from '../../activities/fleet/fleet.ts';
import { ShardRound } from '../../activities/fleet/shard-round.ts';
import { createFollowChanges } from '../../activities/streams/follow-changes.ts';
import { shardsFor } from '../../src/domain/streams/shards.ts';
import { cadenceOf } from '../../src/platform/stream-rhythm.ts';
import type { Costs, IdleFleet } from './idle-fleet.ts';

const [HOUR, RUN, TURN] = [3_600_000, 540_000, 5_000];
const [EVENTS, EVENTS_OF_ACTIVITY] = [5, 6];

/** Runs shards, each with successive runs of nine minutes. */
export async function byShards(
  { names, tenant, deps, clock, read, wakeOverdue }: IdleFleet,
  hours: number,
): Promise<Pick<Costs, 'workflows' | 'activities' | 'events'>> {
  const [endMs, of] = [clock.ms + hours * HOUR, shardsFor(names.length)];
  let [runs, own] = [0, 0];
  const fleet = {
    ...NO_FLEET,
    served: () => names,
    version: tenant,
    cadence: (name: string, stream: Parameters<typeof read>[0]) => cadenceOf(tenant(name), stream),
    followsChanges: (name: string) => tenant(name).salesforce.changes !== 'outbound',
    auditEveryMs: (name: string) => tenant(name).audit.everyMs,
    startStream: async () => {
      own += 1;
      return true;
    },
  };
  const followChanges = createFollowChanges(deps);
  const all = { ...deps, fleet, read, wakeOverdue, followChanges, reportOutage: async () => {}, random: () => 0.5 };
  while (clock.ms < endMs) {
    const rounds = Array.from({ length: of }, (_, shard) => new ShardRound(all, { shard, of }));
    runs += rounds.length;
    for (const runEndMs = Math.min(endMs, clock.ms + RUN); clock.ms < runEndMs; clock.ms += TURN)
      for (const round of rounds) {
        await round.turn();
        await round.settled();
      }
    for (const round of rounds) round.end();
    for (const round of rounds) await round.settled();
  }
  const workflows = runs + own;
  return { workflows, activities: workflows, events: (EVENTS + EVENTS_OF_ACTIVITY) * workflows };
}
