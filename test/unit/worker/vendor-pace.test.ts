import { expect, it } from 'vitest';
import { createVendorPace } from '../../../src/worker/vendor-pace.ts';

const NEVER = new AbortController().signal;

it('lets so many requests a second of a tenant leave, and counts those that others send', async () => {
  const waits: number[] = [];
  let nowMs = 1_000;
  const pace = createVendorPace(
    () => nowMs,
    async (ms) => void waits.push(ms),
  );
  await pace.turn('acme', 5, NEVER);
  await pace.turn('acme', 5, NEVER);
  pace.note('acme', 5);
  await pace.turn('acme', 5, NEVER);
  await pace.turn('other', 5, NEVER);
  expect(waits).toEqual([200, 600]);
  nowMs += 60_000;
  await pace.turn('acme', 5, NEVER);
  await pace.turn('acme', 5, NEVER);
  expect(waits).toEqual([200, 600, 200]);
});

it('gives up a turn whose activity is cancelled', async () => {
  const pace = createVendorPace(() => 0);
  await pace.turn('acme', 1, NEVER);
  await expect(pace.turn('acme', 1, AbortSignal.abort())).rejects.toThrow();
});
