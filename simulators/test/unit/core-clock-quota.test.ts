import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/core/clock.ts';
import { createQuota } from '../../src/core/quota.ts';
import { createRandom } from '../../src/core/random.ts';

describe('clock', () => {
  it('goes on from where it was set, by the time underneath', () => {
    let nowMs = 1000;
    const clock = createClock(() => nowMs);
    expect(clock.now().getTime()).toBe(1000);
    clock.set('2030-01-01T00:00:00.000Z');
    nowMs += 5;
    clock.advance(-2);
    expect(clock.now().toISOString()).toBe('2030-01-01T00:00:00.003Z');
    clock.reset();
    expect(clock.now().getTime()).toBe(1005);
  });

  it('refuses what is no date-time', () => {
    expect(() => createClock(() => 0).set('noon')).toThrow(RangeError);
  });
});

describe('quota', () => {
  function start(limit: number) {
    const time = { ms: 0 };
    return {
      time,
      quota: createQuota(
        createClock(() => time.ms),
        { limit, windowSeconds: 10 },
      ),
    };
  }

  it('spends a window, refuses beyond it, and opens the next after the reset', () => {
    const { time, quota } = start(2);
    expect(quota.take()).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 10 });
    time.ms = 3500;
    expect(quota.take()).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 7 });
    expect(quota.take()).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 7 });
    time.ms = 9999;
    expect(quota.take().allowed).toBe(false);
    time.ms = 10_000;
    expect(quota.take()).toMatchObject({ allowed: true, remaining: 1, resetSeconds: 10 });
  });

  it('looks without spending', () => {
    const { quota } = start(1);
    quota.peek();
    expect(quota.peek()).toMatchObject({ allowed: true, remaining: 1 });
    expect(quota.take().allowed).toBe(true);
    expect(quota.peek().allowed).toBe(false);
  });

  it('keeps callers apart', () => {
    const { quota } = start(1);
    expect([quota.take('a').allowed, quota.take('a').allowed, quota.take('b').allowed]).toEqual([true, false, true]);
  });

  it('begins a fresh window when the clock goes back, when the rule changes, and at a reset', () => {
    const { time, quota } = start(1);
    time.ms = 5000;
    quota.take();
    time.ms = 1000;
    expect(quota.take().allowed).toBe(true);
    quota.set({ limit: 0, windowSeconds: 1 });
    expect(quota.take().allowed).toBe(false);
    quota.reset();
    expect(quota.rule()).toEqual({ limit: 1, windowSeconds: 10 });
    expect(quota.take().allowed).toBe(true);
  });
});

describe('random', () => {
  it('gives the same numbers for the same seed and others for another', () => {
    const draw = (seed: number | string) => {
      const random = createRandom(seed);
      return Array.from({ length: 5 }, () => random.integer(0, 1_000_000));
    };
    expect(draw('demo')).toEqual(draw('demo'));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    expect(draw('demo')).not.toEqual(draw('demos'));
  });

  it('stays within its bounds and reaches both', () => {
    const random = createRandom(1);
    const drawn = new Set(Array.from({ length: 200 }, () => random.integer(3, 5)));
    expect([...drawn].toSorted()).toEqual([3, 4, 5]);
    expect(() => random.pick([])).toThrow(RangeError);
  });
});
