import {
  ActivityFailure,
  ApplicationFailure,
  CancelledFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { describe, expect, it } from 'vitest';
import type { Failure } from '../../src/domain/loop/step.ts';
import { isForAnotherPlace, isRepeatable, readFailure } from '../../workflows/read-failure.ts';

const failed = (type: string, details?: object): ApplicationFailure =>
  ApplicationFailure.create({ type, message: type, details: details === undefined ? [] : [details] });
const ofActivity = (cause: Error): ActivityFailure =>
  new ActivityFailure('activity failed', 'planSync', '1', RetryState.NON_RETRYABLE_FAILURE, 'test', cause);
const timedOut = new TimeoutFailure('late', undefined, TimeoutType.START_TO_CLOSE);

describe('what a failed activity means for the loop', () => {
  it.each<[string, Error, Failure]>([
    [
      'throttled',
      failed('THROTTLED', { retryAfterMs: 9_000 }),
      { kind: 'throttled', retryAfterMs: 9_000, reason: 'THROTTLED' },
    ],
    ...(['TRANSIENT', 'NOT_FOUND_YET', 'CONTRACT', 'REFUSED'] as const).map((type): [string, Error, Failure] => [
      type,
      failed(type, { retryAfterMs: null }),
      { kind: 'transient', retryAfterMs: null, reason: type },
    ]),
    ['of our own', failed('TRANSIENT', { isOurs: true }), { kind: 'transient', retryAfterMs: null, reason: null }],
    [
      'after others',
      failed('CONTRACT', { retryAfterMs: null, fairnessDelayMs: 2_000 }),
      { kind: 'transient', retryAfterMs: null, reason: 'CONTRACT', fairnessDelayMs: 2_000 },
    ],
    [
      'of a worker that shut down meanwhile',
      failed('WorkerShutdown'),
      { kind: 'transient', retryAfterMs: null, reason: null },
    ],
    ['stale', failed('STALE'), { kind: 'stale', retryAfterMs: null, reason: 'STALE' }],
    ['late', timedOut, { kind: 'transient', retryAfterMs: null, reason: 'a step took too long' }],
    [
      'out',
      failed('SYSTEMIC', { group: 'vendor-order' }),
      { kind: 'systemic', group: 'vendor-order', why: 'SYSTEMIC' },
    ],
    [
      'paused',
      failed('SYSTEMIC', { group: 'vendor-order', isKnown: true }),
      { kind: 'systemic', group: 'vendor-order', isKnown: true },
    ],
  ])('%s', (_, error, meaning) => {
    expect(readFailure(ofActivity(error))).toEqual(meaning);
    expect(readFailure(error)).toEqual(meaning);
  });

  it.each([
    ['a bug', new TypeError('bug')],
    ['a type of failure that nobody knows', failed('toString')],
    ['an outage of nothing', failed('SYSTEMIC')],
    ['a cancellation', new CancelledFailure('cancelled')],
  ])('%s is thrown on', (_, error) => {
    expect(() => readFailure(error)).toThrow(error);
  });
});

describe('whether a read that failed is asked again at once', () => {
  it.each<[boolean, string, Error]>([
    [true, 'what failed for a while', failed('TRANSIENT', { retryAfterMs: null })],
    [true, 'what took too long', timedOut],
    [false, 'what others come before', failed('TRANSIENT', { retryAfterMs: null, fairnessDelayMs: 2_000 })],
    [false, 'what was refused', failed('REFUSED')],
    [false, 'a bug', new TypeError('bug')],
    [false, 'a cancellation', new CancelledFailure('cancelled')],
  ])('%s: %s', (expected, _, error) => {
    expect(isRepeatable(ofActivity(error))).toBe(expected);
    expect(isRepeatable(error)).toBe(expected);
  });
});

describe('a first try that another place may have at once', () => {
  it.each<[string, Error, boolean]>([
    ['has no room', failed('TRANSIENT', { isOurs: true }), true],
    ['has no room, and others come first', failed('TRANSIENT', { isOurs: true, fairnessDelayMs: 2_000 }), false],
    ['was failed by a remote', failed('TRANSIENT', { retryAfterMs: null }), false],
    ['was throttled', failed('THROTTLED', { isOurs: true }), false],
    ['is stale', failed('STALE'), false],
    ['is late', timedOut, false],
    ['is cancelled', new CancelledFailure('over'), false],
  ])('%s', (_, error, may) => {
    expect(isForAnotherPlace(error)).toBe(may);
  });
});
