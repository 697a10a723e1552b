import { MockActivityEnvironment } from '@temporalio/testing';
import { createFollowChanges } from '../../../activities/streams/follow-changes.ts';
import type { ActivityDeps } from '../../../activities/support/deps.ts';
import { limited } from '../../../activities/support/limited.ts';
import { CHANGES_CURSOR, type ChangesPosition } from '../../../src/domain/streams/change-events.ts';
import type { StreamName } from '../../../src/domain/streams/streams.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import { until } from '../until.ts';
import type { World } from './world.ts';

/** A follower of a world's change events, as a shard's round runs it. */
export type Follower = {
  /** The keys of each wake. */
  readonly woken: readonly (readonly string[])[];
  /** The streams that were requested. */
  readonly requested: readonly string[];
  readonly answers: () => number;
  readonly gaps: () => number;
  /** Waits until the org has its stream. */
  opened(): Promise<void>;
  /** Waits until a wake contains the key. */
  wakes(key: string): Promise<void>;
  /** Waits until it ended on its own; gives its error. */
  ended(): Promise<unknown>;
  /** Ends it, as the end of a round does. */
  end(): Promise<unknown>;
};

type Followed = Parameters<ReturnType<typeof createFollowChanges>>[1];

export function follow(
  world: World,
  ledger: Ledger = world.ledger,
  heard: Followed = { onAnswer: () => undefined, onGap: () => undefined },
  syncLone?: ActivityDeps['syncLone'],
): Follower {
  const woken: (readonly string[])[] = [];
  const requested: string[] = [];
  const over = new AbortController();
  let [answers, gaps] = [0, 0];
  const deps = {
    ledger,
    runtime: () => world.runtime,
    now: world.clock.now,
    wake: async (_tenant: string, keys: readonly string[]) => {
      await world.wake(keys, 'crm');
      // Only now, so that a test that waits for the wake does not let time pass before the workflow has its signal.
      woken.push(keys);
    },
    ...(syncLone === undefined ? {} : { syncLone }),
    requestStream: async (_tenant: string, stream: StreamName) => void requested.push(stream),
  } as unknown as ActivityDeps;
  const followed = {
    onAnswer: () => {
      answers += 1;
      heard.onAnswer();
    },
    onGap: () => {
      gaps += 1;
      heard.onGap();
    },
  };
  const run = new MockActivityEnvironment().run(() =>
    limited(over.signal, () => createFollowChanges(deps)(world.tenant, followed)),
  );
  const ended = (run as Promise<unknown>).then(
    () => null,
    (error: unknown) => error,
  );
  return {
    woken,
    requested,
    answers: () => answers,
    gaps: () => gaps,
    opened: async () => void (await until('a stream', async () => (await world.crm.streams()).length > 0)),
    wakes: async (key) => void (await until(`a wake of ${key}`, async () => woken.flat().includes(key))),
    ended: () => ended,
    end: () => {
      over.abort();
      return ended;
    },
  };
}

/** What the ledger has of the world's change events. */
export async function changesOf({ ledger, tenant }: World): Promise<ChangesPosition> {
  return ((await ledger.cursor(tenant, CHANGES_CURSOR)) ?? {}) as ChangesPosition;
}
