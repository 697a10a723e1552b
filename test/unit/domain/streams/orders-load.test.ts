import { describe, expect, it } from 'vitest';
import {
  answerTo,
  type LoadFacts,
  type LoadSearch,
  loadedUntil,
  loadState,
  searchOf,
} from '../../../../src/domain/streams/orders-load.ts';

const NOW = '2027-01-04T08:00:00.000Z';
const PAUSE = { since: NOW };
const search = (more: Partial<LoadSearch> = {}): LoadSearch => ({
  ...{ since: '2024-01-01', searchedUntil: NOW, percent: 100 },
  ...more,
});
const facts = (more: Partial<LoadFacts> = {}): LoadFacts => ({
  ...{ wantedSince: '2024-01-01', search: search(), toLoad: 0, pause: null },
  ...more,
});

describe('how far the search is', () => {
  const cursor = (since: string | null, until: string) => ({ since, at: { until } });

  it('is shown for one from a day that was named', () => {
    expect(searchOf(loadedUntil(null), NOW)).toBeNull();
    expect(searchOf(loadedUntil(cursor(null, NOW)), NOW)).toBeNull();
    const half = cursor('2025-01-04', '2026-01-04T08:00:00.000Z');
    const shown = { since: half.since, searchedUntil: half.at.until, percent: 50 };
    expect(searchOf(loadedUntil(half), NOW)).toEqual(shown);
  });

  it('is all of it from a day before the present on, and not before', () => {
    const percent = (until: string) => searchOf({ since: '2024-01-01', until }, NOW)?.percent;
    expect(percent('2027-01-03T08:00:00.001Z')).toBe(100);
    expect(percent('2027-01-03T08:00:00.000Z')).toBe(99);
  });
});

describe('where a load stands', () => {
  it.each([
    ['done', facts()],
    ['running', facts({ toLoad: 1 })],
    ['running', facts({ search: search({ percent: 99 }) })],
    ['running', facts({ search: null })],
    // Another day was named since.
    ['running', facts({ wantedSince: '2023-12-01' })],
    ['none', facts({ wantedSince: null })],
    ['paused', facts({ pause: PAUSE })],
    ['paused', facts({ pause: PAUSE, wantedSince: null, search: null })],
  ] as const)('%s', (state, of) => {
    expect(loadState(of)).toBe(state);
  });
});

describe('what a person’s word comes to', () => {
  it.each([
    ['pause', 'running', 'followed'],
    ['pause', 'paused', 'as-it-was'],
    ['pause', 'done', 'nothing-to-pause'],
    ['pause', 'none', 'nothing-to-pause'],
    ['resume', 'paused', 'followed'],
    ['resume', 'running', 'as-it-was'],
    ['resume', 'done', 'as-it-was'],
    ['resume', 'none', 'as-it-was'],
  ] as const)('%s, where it is %s: %s', (word, state, answer) => {
    expect(answerTo(word, state)).toBe(answer);
  });
});
