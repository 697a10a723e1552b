import { expect, it } from 'vitest';
import { createDrainDue, createWakeOverdue } from '../../activities/streams/wake-due.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';
import { REMOTE_HEALTH } from '../../src/domain/loop/remote-health.ts';

const NOW = '2026-03-01T12:00:00.000Z';

/** How many keys the ledger is asked for: of what is overdue, of what is to be tried again, and of what waited for an outage. */
async function askedFor(everyMs: number, standing: object | null = null): Promise<readonly number[]> {
  const limits: number[] = [];
  const ledger = {
    hasDealNews: async () => false,
    keepRetention: async () => undefined,
    pauses: async () => [],
    pausesAndCursors: async (_: string, streams: readonly string[]) => ({
      pauses: [],
      positions: streams.map((stream) => (stream === REMOTE_HEALTH ? standing : null)),
    }),
    unreportedWaiting: async () => [],
    unconfirmedReports: async () => [],
    dueKeys: async (_: string, limit: number) => {
      limits.push(limit);
      return [];
    },
    markRetries: async (_: string, __: string, limit: number) => {
      limits.push(limit);
      return [];
    },
  };
  const tenant = { retention: {}, vendor: { poll: { everyMs } } };
  const deps = { ledger, runtime: () => ({ tenant }), wake: async () => undefined, now: () => NOW };
  await createWakeOverdue(deps as unknown as ActivityDeps)({ tenant: 'acme' });
  await createDrainDue(deps as unknown as ActivityDeps)({ tenant: 'acme', before: NOW });
  return limits;
}

it.each([
  [2_000, 10],
  [10_000, 50],
  [60_000, 200],
  [3_600_000, 200],
])('with a poll every %d ms wakes %d at most of either kind', async (everyMs, most) => {
  expect(await askedFor(everyMs)).toEqual([most, most, 20]);
});

it.each([
  [null, [50, 50, 20]],
  [{ isHealthy: true }, [50, 50, 20]],
  [{ isHealthy: false }, [5, 5, 2]],
])('wakes a tenth while the remotes fail: %j', async (standing, most) => {
  expect(await askedFor(10_000, standing)).toEqual(most);
});

it.each([
  [1, false],
  [2, true],
])('of a tenant whose remotes fail %d that were woken are all: %s', async (woken, more) => {
  const ledger = {
    pausesAndCursors: async () => ({ pauses: [], positions: [{ isHealthy: false }] }),
    dueKeys: async () => Array.from({ length: woken }, (_, n) => String(n)),
    markWoken: async () => undefined,
  };
  const deps = { ledger, wake: async () => undefined, now: () => NOW } as unknown as ActivityDeps;
  expect(await createDrainDue(deps)({ tenant: 'acme', before: NOW })).toEqual({ woken, more });
});
