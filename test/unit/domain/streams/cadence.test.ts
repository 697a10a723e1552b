import { describe, expect, it } from 'vitest';
import { cadenceMs, lastTurnMs, nextPollMs } from '../../../../src/domain/streams/cadence.ts';
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
