import { expect, it } from 'vitest';
import { type StreamStop, stopAfter } from '../../../../src/domain/streams/stream-stop.ts';

const FAULT = { code: 'INVALID_FIELD', blames: ['Order__c.Foo__c'] };

it('is tried again later each time, and within an hour for ever', () => {
  let at = '2026-03-01T12:00:00.000Z';
  let stop: StreamStop | null = null;
  const minutes: number[] = [];
  for (let n = 0; n < 10; n += 1) {
    stop = stopAfter(stop, FAULT, at);
    expect(stop).toMatchObject({ ...FAULT, since: '2026-03-01T12:00:00.000Z' });
    minutes.push((Date.parse(stop.retryAt) - Date.parse(at)) / 60_000);
    at = stop.retryAt;
  }
  expect(minutes).toEqual([1, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
});
