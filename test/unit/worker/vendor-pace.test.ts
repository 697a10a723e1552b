import { expect, it } from 'vitest';
import { createVendorPace } from '../../../src/worker/vendor-pace.ts';

const NEVER = new AbortController().signal;

/** A pace by a clock that moves by what is waited for. */
function paced() {
  const clock = { nowMs: 1_000 };
  const pace = createVendorPace(
    () => clock.nowMs,
    async (ms) => {
      clock.nowMs += ms;
    },
  );
  const left: (readonly [string, number])[] = [];
  const turn = async (name: string, who: 'first' | 'others' = 'others', tenant = 'acme', signal = NEVER) => {
    await pace.turn(tenant, 5, signal, who);
    left.push([name, clock.nowMs]);
  };
  return { pace, clock, left, turn };
}

it('lets so many requests a second of a tenant leave, and counts those that others send', async () => {
  const { pace, clock, left, turn } = paced();
  await turn('a');
  await turn('b');
  pace.note('acme', 5);
  await turn('c');
  await turn('d', 'others', 'other');
  clock.nowMs += 60_000;
  await turn('e');
  await turn('f');
  expect(left).toEqual([
    ...([['a', 1_000] as const, ['b', 1_200] as const, ['c', 1_600] as const, ['d', 1_600] as const] as const),
    ...([['e', 61_600] as const, ['f', 61_800] as const] as const),
  ]);
});

it('lets what a user waits for go before all that came together, at the same rate', async () => {
  const { left, turn } = paced();
  const all = [...['a', 'b', 'c', 'd'].map((name) => turn(name)), turn('user', 'first')];
  await Promise.all(all);
  expect(left.map(([name]) => name)).toEqual(['a', 'user', 'b', 'c', 'd']);
  expect(left.at(-1)?.[1]).toBe(1_800);
});

it('follows a raised rate, but no lower one than its own', async () => {
  const { pace, left, turn } = paced();
  await turn('a');
  pace.raise('acme', 10);
  pace.raise('other', 100);
  for (const name of ['b', 'c']) await turn(name);
  pace.raise('acme', 2);
  await turn('d');
  await turn('e');
  expect(left.map(([, atMs]) => atMs)).toEqual([1_000, 1_200, 1_300, 1_400, 1_600]);
});

it('gives up a turn whose activity is cancelled, and keeps no place for it', async () => {
  const { left, turn } = paced();
  await expect(turn('over', 'others', 'acme', AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
  const ending = new AbortController();
  const all = [turn('a'), turn('b', 'others', 'acme', ending.signal), turn('c')];
  ending.abort(new Error('cancelled'));
  const ends = await Promise.allSettled(all);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(left.map(([name]) => name)).toEqual(['a', 'c']);
});

it('waits by the clock where nobody gives it another', async () => {
  const pace = createVendorPace();
  const beganMs = performance.now();
  await pace.turn('acme', 20, NEVER, 'others');
  await pace.turn('acme', 20, NEVER, 'others');
  expect(performance.now() - beganMs).toBeGreaterThan(45);
});
