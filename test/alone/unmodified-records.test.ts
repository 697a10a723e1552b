import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createUnmodifiedRecords } from '../../activities/opportunity/unmodified-records.ts';
import type { ActivityDeps, TenantRuntime } from '../../activities/support/deps.ts';
import type { Link } from '../../src/domain/record/link.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const SET_BACK_MS = 1_000;

vi.mock('../../src/domain/decide/vendor-snapshot.ts', () => ({ sufficientSnapshot: () => ({}) }));

it.each([
  ['', () => new Date()],
  [', though the machine’s clock was set back', () => new Date(Math.min(Date.now(), SET_BACK_MS))],
])('waits for another’s search no longer than a reading of its own would take%s', async (_, now) => {
  const never = new Promise<never>(() => undefined);
  const deps = {
    now: () => now().toISOString(),
    burstFrom: 0,
    ledger: { countOnTheirWay: async () => 9, cursor: () => never },
  } as unknown as ActivityDeps;
  const runtime = { tenant: { tenant: 'acme', mapping: {}, vendor: { poll: { overlapMs: 0 } } } };
  const link = { tenant: 'acme', crmId: '006', vendorId: 'LO-1', inBurst: true } as unknown as Link;
  const records = createUnmodifiedRecords(deps);
  void records.ask(runtime as unknown as TenantRuntime, link, undefined);
  const second = records.ask(runtime as unknown as TenantRuntime, link, undefined);
  const answer = Promise.race([second, never]);
  await vi.advanceTimersByTimeAsync(5_001);
  expect(await answer).toBe(false);
});
