import { describe, expect, it } from 'vitest';
import { afterAnswer, type QuotaWindow, takeOne } from '../../src/ledger/quota/quota-window.ts';
import fc from '../support/properties.ts';

const START = Date.UTC(2026, 4, 1, 12);

/** A window of 60 s from START, with 3 of 10 left. */
const known: QuotaWindow = {
  limit: 10,
  remaining: 3,
  bulkUsed: 0,
  startMs: START,
  endMs: START + 60_000,
  seconds: 60,
  assumed: false,
};

function seen(seconds: number, remaining: number, resetSeconds: number, limit: number | null = 10) {
  return { limit, remaining, resetSeconds, atMs: START + seconds * 1000 };
}

describe('takeOne', () => {
  it('starts full again when the window is over, of the same length', () => {
    const next = takeOne({ ...known, remaining: 0 }, START + 61_000);
    expect(next).toEqual({
      ...known,
      remaining: 9,
      startMs: START + 61_000,
      endMs: START + 121_000,
      assumed: true,
    });
  });

  it('passes everything while nothing is known, and one under a limit of nothing', () => {
    const unknown = { ...known, limit: null, remaining: null };
    expect(takeOne(unknown, START)).toBe(unknown);
    expect(takeOne({ ...known, limit: null, remaining: 0 }, START + 60_000)?.remaining).toBeNull();
    expect(takeOne({ ...known, limit: 0, remaining: 0 }, START + 60_000)?.remaining).toBe(0);
  });
});

describe('bulk work', () => {
  const full: QuotaWindow = { ...known, remaining: 10 };

  it('takes its share of the limit, and leaves the rest to all other work', () => {
    let window = full;
    for (let call = 0; call < 4; call += 1) window = takeOne(window, START + 1000, { share: 0.4 }) as QuotaWindow;
    expect(window).toMatchObject({ remaining: 6, bulkUsed: 4 });
    expect(takeOne(window, START + 1000, { share: 0.4 })).toBeNull();
    expect(takeOne(window, START + 1000)).toMatchObject({ remaining: 5, bulkUsed: 4 });
  });

  it('gets through at all where its share is less than one request', () => {
    expect(takeOne(full, START + 1000, { share: 0.01 })).toMatchObject({ bulkUsed: 1 });
    expect(takeOne({ ...full, bulkUsed: 1 }, START + 1000, { share: 0.01 })).toBeNull();
  });

  it('is counted through the answers of its window, and again in the next', () => {
    const used = { ...full, remaining: 6, bulkUsed: 4 };
    expect(afterAnswer(used, seen(5, 5, 55))).toMatchObject({ remaining: 5, bulkUsed: 4 });
    expect(afterAnswer(used, seen(5, 5, 20))).toMatchObject({ remaining: 5, bulkUsed: 4 });
    expect(afterAnswer(used, seen(61, 9, 59))).toMatchObject({ remaining: 9, bulkUsed: 0 });
  });
});

describe('afterAnswer', () => {
  it('takes the first answer as it is', () => {
    expect(afterAnswer(null, seen(0, 7, 60))).toEqual({ ...known, remaining: 7 });
  });

  it.each([
    ['fewer than counted', seen(5, 1, 55), { remaining: 1, endMs: START + 60_000 }],
    ['more than counted: others are under way', seen(5, 8, 55), { remaining: 3, endMs: START + 60_000 }],
    ['a 429', seen(5, 0, 55), { remaining: 0, endMs: START + 60_000 }],
    ['a 429 with a later reset', seen(5, 0, 300), { remaining: 0, endMs: START + 305_000 }],
    ['a 429 with an earlier reset', seen(5, 0, 2), { remaining: 0, endMs: START + 7_000 }],
    ['the second lost to rounding', seen(5, 2, 56), { remaining: 2, endMs: START + 61_000 }],
    ['the next window', seen(60, 9, 60), { remaining: 9, endMs: START + 120_000 }],
    ['no limit', seen(5, 2, 55, null), { remaining: 2, limit: 10 }],
    ['another limit: another quota', seen(5, 90, 10, 100), { remaining: 90, limit: 100, endMs: START + 15_000 }],
  ])('within a window: %s', (_name, answer, expected) => {
    expect(afterAnswer(known, answer)).toMatchObject(expected);
  });

  it('confirms an assumed window with the end that is given, and keeps what was counted', () => {
    const assumed = takeOne({ ...known, remaining: 0 }, START + 60_000) as QuotaWindow;
    const confirmed = afterAnswer({ ...assumed, remaining: 5 }, seen(61, 9, 30));
    expect(confirmed).toMatchObject({ remaining: 5, endMs: START + 91_000, seconds: 30, assumed: false });
  });

  it('keeps a block until its reset, whatever answers of other windows say', () => {
    const blocked = afterAnswer(known, seen(5, 0, 6));
    expect(afterAnswer(blocked, seen(6, 900, 54))).toBe(blocked);
    expect(takeOne(blocked, START + 10_900)).toBeNull();
    expect(takeOne(blocked, START + 11_000)).not.toBeNull();
  });

  it('is not misled by an answer that belongs to the window before', () => {
    const assumed = takeOne({ ...known, remaining: 0 }, START + 60_500) as QuotaWindow;
    expect(afterAnswer(assumed, seen(59.9, 0, 1))).toBe(assumed);
    const next = afterAnswer(known, seen(60, 9, 60));
    expect(afterAnswer(next, seen(58, 0, 2))).toBe(next);
  });

  it('does not depend on the order in which the answers of one window arrive', () => {
    const answer = fc.record({
      second: fc.integer({ min: 0, max: 50 }),
      remaining: fc.integer({ min: 0, max: 10 }),
    });
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (answers) => {
        const feed = (window: QuotaWindow, one: (typeof answers)[number]) =>
          afterAnswer(window, seen(one.second, one.remaining, 60 - one.second));
        const least = Math.min(3, ...answers.map((one) => one.remaining));
        expect(answers.reduce(feed, known)).toEqual([...answers].reverse().reduce(feed, known));
        expect(answers.reduce(feed, known)).toMatchObject({ remaining: least, endMs: START + 60_000 });
      }),
    );
  });
});

describe('what is spare', () => {
  const full: QuotaWindow = { ...known, remaining: 10 };
  const takeSpare = (window: QuotaWindow, seconds: number) =>
    takeOne(window, START + seconds * 1000, { onlySpare: true });

  it('is what others would have left by now, had they asked evenly all along', () => {
    expect(takeSpare(full, 5.999)).toBeNull();
    expect(takeSpare(full, 6)).toMatchObject({ remaining: 9, bulkUsed: 0 });
    expect(takeSpare({ ...full, remaining: 9 }, 6)).toBeNull();
    expect(takeSpare({ ...full, remaining: 4 }, 41)).toBeNull();
    expect(takeSpare({ ...full, remaining: 4 }, 42)).toMatchObject({ remaining: 3 });
    expect(takeSpare({ ...full, remaining: 0 }, 59)).toBeNull();
  });

  it('never takes what an even use of the window needs', () => {
    const steps = fc.array(fc.record({ ms: fc.nat(9_000), spare: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(steps, (taken) => {
        let window: QuotaWindow = { ...full, limit: 30, remaining: 30 };
        let [atMs, others] = [START, 0];
        for (const { ms, spare } of taken) {
          atMs += ms;
          if (atMs >= window.endMs) return;
          // Others that ask no faster than evenly find a request, whatever the spare ones took.
          const isDue = others < ((atMs - START) * 30) / 60_000 - 1;
          const next = takeOne(window, atMs, spare ? { onlySpare: true } : {});
          if (spare) window = next ?? window;
          else if (isDue) {
            expect(next).not.toBeNull();
            window = next as QuotaWindow;
            others += 1;
          }
        }
      }),
    );
  });
});
