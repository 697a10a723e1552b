import { MockActivityEnvironment } from '@temporalio/testing';
import { expect, it } from 'vitest';
import { createStreamActivities } from '../../activities/streams/sources.ts';
import type { ActivityDeps } from '../../activities/support/deps.ts';

const NOW = '2026-03-01T12:00:00.000Z';

/** A poll over a ledger in memory; the first wake fails, as it does for a worker that dies before it. */
function pollWhoseFirstWakeFails() {
  let cursor: unknown = null;
  let due: readonly string[] = [];
  let found: readonly string[] = ['LO-1', 'LO-2'];
  const woken: string[][] = [];
  let wakes = 0;
  const deps = {
    now: () => NOW,
    wake: async (_tenant: string, keys: readonly string[]) => {
      wakes += 1;
      if (wakes === 1) throw new Error('gone before the first signal');
      woken.push([...keys]);
    },
    ledger: {
      pauses: async () => [],
      pausesAndCursors: async () => ({ pauses: [], positions: [null, cursor] }),
      saveCursor: async (_tenant: string, _stream: string, position: unknown) => {
        cursor = position;
      },
      moveCursors: async (_tenant: string, moves: readonly { position: unknown }[]) => {
        for (const move of moves) cursor = move.position;
      },
      markDue: async (
        _tenant: string,
        ids: readonly { vendorId: string }[],
        _at: string,
        at: { position: unknown },
      ) => {
        cursor = at.position;
        const keys = ids.map(({ vendorId }) => vendorId);
        due = [...due, ...keys];
        return keys;
      },
      dueKeys: async () => due,
      markWoken: async () => {},
      vendorIdsNotMarkedSince: async (_tenant: string, ids: readonly string[]) => ids,
      reserveRequest: async () => ({ allowed: true }),
      reportQuota: async () => {},
    },
    runtime: () => ({
      tenant: { tenant: 'acme', vendor: { poll: { overlapMs: 60_000 } } },
      vendor: {
        searchLeadOpportunities: async () => {
          const data = [{ dsLeadOpportunityId: found }];
          found = [];
          return { data, info: { timestamp: NOW }, date: null, rateLimit: { limit: null, remaining: null } };
        },
      },
    }),
  } as unknown as ActivityDeps;
  return {
    run: () =>
      new MockActivityEnvironment().run(createStreamActivities(deps).searchVendorOpportunities, {
        tenant: 'acme',
      }),
    woken,
  };
}

it('wakes, by the next run, what a run had marked due and died before waking; and only then', async () => {
  const { run, woken } = pollWhoseFirstWakeFails();
  await expect(run()).rejects.toThrow();
  await run();
  expect(woken).toEqual([['LO-1', 'LO-2']]);
  await run();
  expect(woken).toHaveLength(1);
});
