/** The rule of a lone change, and of a record that was written a moment ago. */
import { describe, expect, test } from 'vitest';
import {
  begin,
  type Cause,
  type Command,
  LINGER_MS,
  type Next,
  type Step,
  type SyncEvent,
  spacingLeftMs,
  step,
  WRITE_SPACING_MS,
} from '../../../../src/domain/loop/step.ts';

const done = (next: Next = { next: 'nothing' }, reportDue = false): SyncEvent => ({
  type: 'summarised',
  summary: { ...next, reportDue },
});
const woken = (cause: Cause): SyncEvent => ({ type: 'woken', cause });
const waited: SyncEvent = { type: 'waited' };
const reported: SyncEvent = { type: 'reported' };
const failed = (kind: 'transient' | 'stale', reason: string | null = '500'): SyncEvent => ({
  type: 'failed',
  failure: { kind, retryAfterMs: null, reason },
  random: 0,
});

function run(first: Step, ...events: readonly SyncEvent[]): Step {
  return events.reduce((at, event) => step(at.state, event), first);
}

const linger = { type: 'wait', ms: LINGER_MS, interruptible: true, why: 'linger' };
const pause = { type: 'wait', ms: WRITE_SPACING_MS, interruptible: false, why: 'spacing' };

/** The first answer of a run that has asked whether its record is hot. */
const result = (isRecentlyWritten: boolean, next: Next = { next: 'nothing' }, reportDue = false): SyncEvent => ({
  type: 'summarised',
  summary: { ...next, reportDue, isRecentlyWritten },
});
const atOnce = { ...linger, ms: 0 };

test('what an activity has written besides is kept at its distance, as a write of its own is', () => {
  const wrote: SyncEvent = {
    type: 'summarised',
    summary: { next: 'nothing', reportDue: false, wrote: true },
  };
  const at = run(begin(['crm']), result(false, { next: 'read-vendor', planId: 'p' }), woken('crm'));
  expect(step(at.state, wrote).command).toEqual(pause);
  expect(step(at.state, done()).command).toMatchObject({ type: 'plan' });
});

describe('a lone change', () => {
  test.each<[string, unknown, readonly SyncEvent[]]>([
    ['of which nothing is to be done does not linger', atOnce, [result(false)]],
    [
      'that was written does not linger',
      atOnce,
      [result(false, { next: 'write-crm', planId: 'p' }), done({ next: 'nothing' }, true), reported],
    ],
    ['of a run that nobody has told lingers', linger, [done()]],
    [
      'with a wake after those of its beginning lingers',
      linger,
      [result(false, { next: 'plan-again' }), woken('crm'), done(), waited, done()],
    ],
    ['with a wake before the first answer lingers', linger, [woken('crm'), result(false), done()]],
    [
      'that was hot lingers, whatever comes after',
      linger,
      [result(true, { next: 'too-soon', ms: 800 }), waited, done()],
    ],
    [
      'does not linger once what failed is done',
      atOnce,
      [result(false, { next: 'plan-again' }), failed('transient'), waited, done()],
    ],
    [
      'does not linger once it was not stale any more',
      atOnce,
      [result(false, { next: 'plan-again' }), failed('stale'), done()],
    ],
  ])('%s', (_, expected, events) => {
    expect(run(begin(['crm']), ...events).command).toEqual(expected);
  });
});

describe('a record that another run has written a moment ago', () => {
  const soon = result(true, { next: 'too-soon', ms: 800 });

  test.each<[readonly Cause[], Command]>([
    [['crm'], { type: 'plan', vendor: 'unread' }],
    [['vendor'], { type: 'read-vendor', planId: null, crmDue: false }],
    [['any'], { type: 'read-vendor', planId: null, crmDue: true }],
  ])('woken by %j is looked at when it may be written again, and not before', (causes, then) => {
    const first = begin(causes);
    expect(first.command).toEqual(then);
    expect(run(first, soon).command).toEqual({ ...pause, ms: 800 });
    expect(run(first, soon, waited).command).toEqual(then);
  });

  test.each([
    [null, 0],
    [-WRITE_SPACING_MS - 1, 0],
    [-WRITE_SPACING_MS, 0],
    [-1_000, WRITE_SPACING_MS - 1_000],
    [0, WRITE_SPACING_MS],
    [9_000, WRITE_SPACING_MS],
  ])('written %s ms from now by its clock: waits %i ms', (fromNow, ms) => {
    const now = Date.parse('2026-01-01T00:00:00.000Z');
    const sentAt = fromNow === null ? null : new Date(now + fromNow).toISOString();
    expect(spacingLeftMs(sentAt, new Date(now).toISOString())).toBe(ms);
  });
});
