import { describe, expect, it } from 'vitest';
import { activePollMs, cadenceMs, lastTurnMs, nextPollMs } from '../../../../src/domain/streams/cadence.ts';
import fc from '../../../support/properties.ts';

const MINUTE = 60_000;
const POLL = { everyMs: MINUTE, idleMs: 3 * MINUTE };

describe('how often a stream is looked at', () => {
  it.each([
    [0, 1],
    [5, 1],
    [10, 1],
    [20, 2],
    [29, 2.9],
    [30, 3],
    [600, 3],
    [Number.POSITIVE_INFINITY, 3],
  ])('%d quiet minutes after something was found: each %d minutes', (quiet, every) =>
    expect(cadenceMs(POLL, quiet * MINUTE)).toBeCloseTo(every * MINUTE),
  );

  it.each([
    [0, 6],
    [9.9, 6],
    [10, 60],
    [20, 120],
    [600, 180],
  ])('%d quiet minutes after a change of an active tenant: each %d seconds', (quiet, seconds) =>
    expect(cadenceMs({ ...POLL, activeMs: 6_000 }, quiet * MINUTE)).toBeCloseTo(seconds * 1_000),
  );

  it.each([
    ['a thousand requests a minute', 60, { limit: 1_000, seconds: 60 }, 6],
    ['plenty of requests', 60, { limit: 100_000, seconds: 60 }, 6],
    ['plenty of requests, and a usual interval that is short', 20, { limit: 100_000, seconds: 60 }, 5],
    ['half as many requests', 60, { limit: 500, seconds: 60 }, 12],
    ['few requests', 60, { limit: 50, seconds: 60 }, 60],
    ['a window of an hour', 60, { limit: 20_000, seconds: 3_600 }, 18],
    ['no requests at all', 60, { limit: 0, seconds: 60 }, 60],
    ['a quota without a limit', 60, { limit: null, seconds: 60 }, 60],
    ['an unknown quota', 60, null, 60],
    ['a usual interval below five seconds', 2, { limit: 1_000, seconds: 60 }, 2],
    ['a usual interval of a day', 86_400, { limit: 1_000, seconds: 60 }, 8_640],
  ])('an active tenant with %s, usually polled each %d s, is polled each %j: %d s', (_, every, quota, seconds) =>
    expect(activePollMs(every * 1_000, quota)).toBe(seconds * 1_000),
  );

  it('is never more seldom than its longest time, nor ever more often than its shortest', () => {
    const ms = fc.integer({ min: 1_000, max: 86_400_000 });
    const law = fc.property(
      ms,
      ms,
      fc.nat(),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (one, other, quiet, random) => {
        const cadence = { everyMs: Math.min(one, other), idleMs: Math.max(one, other) };
        const next = nextPollMs(cadence, { lastMs: 1e12, foundMs: 1e12 - quiet }, 1e12, random);
        expect(next - 1e12).toBeLessThanOrEqual(cadence.idleMs);
        expect(next - 1e12).toBeGreaterThanOrEqual(0.9 * cadence.everyMs - 1);
      },
    );
    fc.assert(law);
  });

  it('comes soon where there was no look, and those of many tenants do not come at once', () => {
    const first = [0, 0.5, 1].map((random) => nextPollMs(POLL, { lastMs: null, foundMs: null }, 0, random));
    expect(first).toEqual([0, 15_000, 30_000]);
  });

  it.each([
    [0, 0.25, 99, 25],
    [0, 0.25, 24, -75],
    [0, 0, 100, 100],
  ])('turns of 100 at %d and a part of %d: the last before %d is %d', (_, part, now, last) =>
    expect(lastTurnMs(100, part, now)).toBe(last),
  );
});
