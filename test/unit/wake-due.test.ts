import { expect, it } from 'vitest';
import { createWakeOverdue } from '../../activities/streams/wake-due.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';

const NOW = '2026-03-01T12:00:00.000Z';

/** How many keys the ledger is asked for: of what is overdue, and of what is to be tried again. */
async function askedFor(everyMs: number): Promise<readonly number[]> {
  const limits: number[] = [];
  const ledger = {
    keepRetention: async () => undefined,
    pauses: async () => [],
    untoldWaiting: async () => [],
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
  return limits;
}

it.each([
  [2_000, 10],
  [10_000, 50],
  [60_000, 200],
  [3_600_000, 200],
])('with a poll every %d ms wakes %d at most of either kind', async (everyMs, most) => {
  expect(await askedFor(everyMs)).toEqual([most, most]);
});
