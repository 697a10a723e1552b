import { describe, expect, it, test } from 'vitest';
import {
  askedOf,
  dayOf,
  isDue,
  isGivenUp,
  oneMoreFailure,
  type PageFailures,
  seenOf,
} from '../../../../src/domain/streams/catalog-refresh.ts';

const HOUR_MS = 3_600_000;
const begunAt = '2027-01-04T08:00:00.000Z';
const moment = { at: '2027-01-04T08:59:59.999Z', asked: null, everyMs: HOUR_MS, zone: 'UTC' };

describe('the next refresh begins', () => {
  it('not before its time', () => {
    expect(isDue({ begunAt, awaited: [] }, moment)).toBe(false);
  });

  it('when its time has come', () => {
    expect(isDue({ begunAt, awaited: [] }, { ...moment, at: '2027-01-04T09:00:00.000Z' })).toBe(true);
  });

  test.each([
    ['2027-01-04T08:00:00.001Z', true],
    [begunAt, false],
    ['2027-01-04T07:00:00.000Z', false],
  ])('when somebody has asked for it since: %s', (asked, expected) => {
    expect(isDue({ begunAt, awaited: [] }, { ...moment, asked })).toBe(expected);
  });

  test.each<[string, readonly string[], boolean]>([
    ['UTC', ['2027-01-05'], true],
    ['UTC', ['2027-01-04'], false],
    ['UTC', ['2027-01-06'], false],
    ['UTC', ['2027-01-06', '2027-01-05'], true],
    ['UTC', [], false],
    ['America/New_York', ['2027-01-05'], false],
  ])('when a day has begun that was waited for, in its zone: %s, %o', (zone, awaited, expected) => {
    const at = '2027-01-05T02:00:00.000Z';
    expect(isDue({ begunAt, awaited }, { ...moment, at, everyMs: 24 * HOUR_MS, zone })).toBe(expected);
  });
});

test('a day is that of its zone, and of the instant where there is no such zone', () => {
  expect(dayOf('2027-01-05T02:00:00.000Z', 'America/New_York')).toBe('2027-01-04');
  expect(dayOf('not an instant', 'UTC')).toBe('not an ins');
});

test('each stream has places of its own for what was asked and seen', () => {
  expect([askedOf('refreshCatalog'), seenOf('refreshCatalog')]).toEqual([
    'asked refreshCatalog',
    'seen refreshCatalog',
  ]);
});

describe('a page that fails', () => {
  const failuresOf = (pages: readonly string[]) =>
    pages.reduce<PageFailures | null>(oneMoreFailure, null) ?? { page: '', failures: 0 };

  it.each([
    [19, false],
    [20, true],
  ])('%i times in succession is given up: %s', (times, expected) => {
    expect(isGivenUp(failuresOf(Array(times).fill('a')))).toBe(expected);
  });

  it('is counted from one after another page has failed', () => {
    expect(failuresOf([...Array(19).fill('a'), 'b', 'a'])).toEqual({ page: 'a', failures: 1 });
  });
});
