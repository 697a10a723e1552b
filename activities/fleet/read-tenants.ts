import { setTimeout as pause } from 'node:timers/promises';
import { activityInfo, cancellationSignal } from '@temporalio/activity';
import { attemptId, type Shard } from '../../src/domain/streams/shards.ts';
import { failure } from '../support/to-failure.ts';
import { type RoundDeps, type ShardCounts, ShardRound } from './shard-round.ts';

export type { ShardCounts } from './shard-round.ts';

const TURN_EVERY_MS = 500;
/**
 * How long, in ms, the activity waits at its end for the polls that it aborted. A poll that syncs records directly does not abort the
 * requests that it has already sent for them.
 */
const MOST_ENDING_MS = 10_000;

/** The shard (group of tenants) whose streams the activity reads. `forMs`: how long to read, in milliseconds. */
export type ReadTenantsArgs = Shard & { readonly forMs: number };

/**
 * Reads the streams (regular reads of changed rows) of all tenants in a shard (a group of tenants) for some minutes. Returns the counts of
 * its polls, for Temporal's UI. If its worker stops, another worker continues.
 */
export function createReadTenants(deps: RoundDeps) {
  return async function readTenants({ forMs, ...shard }: ReadTenantsArgs): Promise<ShardCounts> {
    const { activityId, attempt, workflowExecution } = activityInfo();
    const { workflowId = '', runId = '' } = workflowExecution ?? {};
    const reader = { ...shard, attempt: attemptId({ workflowId, runId, activityId, attempt }) };
    return deps.fleet.readShard(reader, async (lost) => {
      const signal = AbortSignal.any([cancellationSignal(), deps.fleet.ending, lost]);
      const round = new ShardRound(deps, shard);
      const endMs = Date.now() + forMs;
      try {
        while (!signal.aborted && Date.now() < endMs) {
          await round.turn();
          await pause(TURN_EVERY_MS, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        round.end();
        await Promise.race([round.settled(), pause(MOST_ENDING_MS)]);
      }
      if (lost.aborted) throw failure('TRANSIENT', 'another worker reads the shard', { isOurs: true });
      if (signal.aborted) throw failure('TRANSIENT', 'the worker ends', { isOurs: true });
      return round.counts();
    });
  };
}
