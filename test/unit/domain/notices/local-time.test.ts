import { describe, expect, it } from 'vitest';
import { hoursEnd, lastTime } from '../../../../src/domain/notices/local-time.ts';

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
const NIGHT = { from: 20 * 60, to: 7 * 60, zone: 'Europe/Berlin' };

describe('hours of each day', () => {
  it.each([
    ['2026-11-02T18:59:00Z', null],
    ['2026-11-02T19:00:30Z', '2026-11-03T06:00:00.000Z'],
    ['2026-11-03T05:59:59Z', '2026-11-03T06:00:00.000Z'],
    ['2026-11-03T06:00:00Z', null],
    // Clocks go back in this night, and forward in the next one.
    ['2026-10-24T20:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['2026-03-28T20:00:00Z', '2026-03-29T05:00:00.000Z'],
  ])('that contain %s end at %s', (now, end) => {
    expect(iso(hoursEnd(NIGHT, Date.parse(now)))).toBe(end);
  });

  it('may lie within a day', () => {
    const noon = { from: 12 * 60, to: 13 * 60, zone: 'Asia/Kolkata' };
    expect(iso(hoursEnd(noon, Date.parse('2026-11-02T06:45:00Z')))).toBe('2026-11-02T07:30:00.000Z');
  });
});

describe('the last time of day', () => {
  it.each([
    ['2026-11-02T06:59:59Z', '2026-11-01T07:00:00.000Z', '2026-11-01'],
    ['2026-11-02T07:00:00Z', '2026-11-02T07:00:00.000Z', '2026-11-02'],
    ['2026-10-25T06:30:00Z', '2026-10-24T06:00:00.000Z', '2026-10-24'],
    ['2026-10-25T08:00:00Z', '2026-10-25T07:00:00.000Z', '2026-10-25'],
    ['2026-03-29T06:00:00Z', '2026-03-29T06:00:00.000Z', '2026-03-29'],
  ])('at %s was %s', (now, at, date) => {
    const found = lastTime({ minute: 8 * 60, zone: 'Europe/Berlin' }, Date.parse(now));
    expect([iso(found.atMs), found.date]).toEqual([at, date]);
  });
});
