import { describe, expect, test } from 'vitest';
import {
  BACK_OFF_MAX_MS,
  begin,
  type Cause,
  type Command,
  type Failure,
  LINGER_MS,
  MAX_COMMANDS,
  type Next,
  type Step,
  type SyncEvent,
  type SyncState,
  step,
  UNANSWERED_MS,
  WRITE_SPACING_MS,
} from '../../../../src/domain/loop/step.ts';

const done = (next: Next = { next: 'nothing' }, reportDue = false): SyncEvent => ({
  type: 'summarised',
  summary: { ...next, reportDue },
});
const woken = (cause: Cause): SyncEvent => ({ type: 'woken', cause });
const waited: SyncEvent = { type: 'waited' };
const reported: SyncEvent = { type: 'reported' };
const failed = (
  kind: Failure['kind'],
  retryAfterMs: number | null = null,
  random = 0,
  reason: string | null = '500',
): SyncEvent => ({
  type: 'failed',
  failure: kind === 'systemic' ? { kind, group: 'salesforce' } : { kind, retryAfterMs, reason },
  random,
});

function run(first: Step, ...events: readonly SyncEvent[]): Step {
  return events.reduce((at, event) => step(at.state, event), first);
}

function commands(first: Step, ...events: readonly SyncEvent[]): (Command | null)[] {
  const all = [first.command];
  let at = first;
  for (const event of events) {
    at = step(at.state, event);
    all.push(at.command);
  }
  return all;
}

const linger = { type: 'wait', ms: LINGER_MS, interruptible: true, why: 'linger' };
const pause = { type: 'wait', ms: WRITE_SPACING_MS, interruptible: false, why: 'spacing' };

describe('the first command of an activation', () => {
  test.each<[readonly Cause[], Command]>([
    [['crm'], { type: 'plan', vendor: 'unread' }],
    [['vendor'], { type: 'read-vendor', planId: null, crmDue: false }],
    [['any'], { type: 'read-vendor', planId: null, crmDue: true }],
    [['crm', 'vendor'], { type: 'read-vendor', planId: null, crmDue: true }],
    [[], { type: 'plan', vendor: 'unread' }],
  ])('wakes %j', (causes, expected) => {
    expect(begin(causes).command).toEqual(expected);
  });
});

describe('what a summary leads to', () => {
  test.each<[Next, unknown]>([
    [{ next: 'nothing' }, linger],
    [{ next: 'parked' }, linger],
    [{ next: 'detached' }, linger],
    [{ next: 'superseded' }, { type: 'complete' }],
    [{ next: 'plan-again' }, { type: 'plan', vendor: 'read' }],
  ])('%j', (next, expected) => {
    expect(run(begin(['crm']), done(next)).command).toEqual(expected);
  });

  test.each<Next>([
    { next: 'search-vendor', reportedMissing: false },
    { next: 'search-vendor', reportedMissing: true },
    { next: 'create-at-vendor', planId: 'p' },
    { next: 'update-at-vendor', planId: 'p' },
    { next: 'write-crm', planId: 'p' },
    { next: 'create-in-crm', planId: 'p' },
  ])('%j is a command with what the summary says of it', ({ next, ...more }) => {
    expect(run(begin(['crm']), done({ next, ...more } as Next)).command).toEqual({ type: next, ...more });
  });

  test('a reading of the vendor is one for what changed in the CRM', () => {
    const { command } = run(begin(['crm']), done({ next: 'read-vendor', planId: 'p' }));
    expect(command).toEqual({ type: 'read-vendor', planId: 'p', crmDue: true });
  });

  test('news for the CRM’s users are reported when the round ends', () => {
    expect(run(begin(['crm']), done({ next: 'nothing' }, true)).command).toEqual({ type: 'report' });
  });
});

describe('what is due', () => {
  test('after a vendor write that failed, the next round looks at both sides', () => {
    const at = run(
      begin(['crm']),
      done({ next: 'read-vendor', planId: 'p' }),
      done({ next: 'update-at-vendor', planId: 'q' }),
      failed('transient'),
    );
    expect(at.state).toMatchObject({ crmDue: true, vendorDue: true });
    expect(run(at, waited).command).toEqual({ type: 'read-vendor', planId: null, crmDue: true });
  });

  test('after a search at the vendor that failed, the next round reads there', () => {
    const at = run(
      begin(['crm']),
      done({ next: 'search-vendor', reportedMissing: false }),
      failed('transient'),
      waited,
    );
    expect(at.command).toEqual({ type: 'read-vendor', planId: null, crmDue: true });
  });

  test('a failed report leaves the report due', () => {
    const at = run(begin(['crm']), done({ next: 'nothing' }, true), failed('transient'), waited, done());
    expect(at.command).toEqual({ type: 'report' });
    expect(run(at, { type: 'reported' }).command).toEqual(linger);
  });

  test('a report that was made is not made again', () => {
    const at = run(begin(['crm']), done({ next: 'nothing' }, true), reported, woken('crm'), waited, done());
    expect(at.command).toEqual(linger);
  });

  test('a round that ends leaves nothing due', () => {
    const { state } = run(begin(['any']), done());
    expect(state).toMatchObject({ crmDue: false, vendorDue: false, causes: [] });
  });
});

describe('wakes', () => {
  test('have no command, are kept once each, and start a round when the one under way ends', () => {
    const at = run(begin(['crm']), woken('vendor'), woken('vendor'), woken('crm'));
    expect(at.command).toBeNull();
    expect(at.state.causes).toEqual(['vendor', 'crm']);
    expect(run(at, done()).command).toEqual({ type: 'read-vendor', planId: null, crmDue: true });
  });

  test('while lingering after a look start the next at once', () => {
    const at = run(begin(['crm']), done(), woken('crm'), waited);
    expect(at.command).toEqual({ type: 'plan', vendor: 'unread' });
  });

  test.each([
    ['during the write', [done({ next: 'write-crm', planId: 'p' }), woken('crm'), done()]],
    ['while lingering after it', [done({ next: 'write-crm', planId: 'p' }), done(), woken('crm'), waited]],
  ])('keep their distance from a write: %s', (_, events) => {
    const at = run(begin(['crm']), ...events);
    expect(at.command).toEqual(pause);
    expect(run(at, waited).command).toEqual({ type: 'plan', vendor: 'unread' });
  });

  test('of one who never stops are paced even where nothing is written', () => {
    const rounds = (count: number): SyncEvent[] => Array.from({ length: count }, () => [woken('crm'), done()]).flat();
    const first = begin(['crm']);
    expect(run(first, ...rounds(MAX_COMMANDS / 2 - 1)).command).toEqual({ type: 'plan', vendor: 'unread' });
    expect(run(first, ...rounds(MAX_COMMANDS / 2)).command).toEqual(pause);
  });
});

test.each<[SyncState['phase'], string, readonly SyncEvent[]]>([
  ['act', 'at first', []],
  ['act', 'in the next round', [done(), woken('crm'), waited]],
  ['linger', 'when nothing is left to do', [done()]],
  ['pause', 'when woken during a write', [done({ next: 'write-crm', planId: 'p' }), woken('crm'), done()]],
  ['pause', 'when woken after a write', [done({ next: 'write-crm', planId: 'p' }), done(), woken('crm'), waited]],
  ['back-off', 'after a failure', [failed('transient')]],
  ['done', 'when nobody woken for a while', [done(), waited]],
  ['done', 'when another key took over', [done({ next: 'superseded' })]],
  ['done', 'in an outage', [failed('systemic')]],
])('the phase is %s %s', (phase, _, events) => {
  expect(run(begin(['crm']), ...events).state.phase).toBe(phase);
});

test.each([
  ['lingered', [done(), waited]],
  ['been superseded', [done({ next: 'superseded' })]],
])('having %s it completes; what is done stays done', (_, events) => {
  const at = run(begin(['crm']), ...events);
  expect(at).toMatchObject({ state: { phase: 'done' }, command: { type: 'complete' } });
  for (const event of [waited, done({ next: 'plan-again' }), failed('transient')]) {
    expect(step(at.state, event).command).toEqual({ type: 'complete' });
  }
});

describe('failures', () => {
  test.each([
    [1_000, 0, 1_200],
    [1_000, 0.999, 2_998],
    [0, 0, 200],
    [600_000, 0.5, 601_100],
  ])('throttled: the reset of %i ms, and by chance (%d) up to two seconds more: %i', (reset, random, ms) => {
    const { command } = run(begin(['crm']), failed('throttled', reset, random));
    expect(command).toEqual({ type: 'wait', ms, interruptible: false, why: 'trouble' });
  });

  test('of one that gives way: whatever wakes its record ends the wait', () => {
    const failure = { kind: 'throttled', retryAfterMs: 1, interruptible: true, reason: null } as const;
    const { command } = step(begin(['crm']).state, { type: 'failed', failure, random: 0 });
    expect(command).toMatchObject({ type: 'wait', interruptible: true });
  });

  test.each([
    [{ kind: 'throttled', retryAfterMs: 1, waitsFor: 'vendor-throttled' }, 'vendor-throttled'],
    [{ kind: 'stale', retryAfterMs: 1 }, 'stale'],
    [{ kind: 'transient', retryAfterMs: null }, 'trouble'],
  ] as const)('%o: the wait says why', (failure, why) => {
    const { command } = step(begin(['crm']).state, {
      type: 'failed',
      failure: { ...failure, reason: null },
      random: 0,
    });
    expect(command).toMatchObject({ type: 'wait', why });
  });

  test('throttled without a reset: waits double, as for any failure', () => {
    const events = Array.from({ length: 4 }, () => [failed('throttled'), waited]).flat();
    const waits = commands(begin(['crm']), ...events).flatMap((item) => (item?.type === 'wait' ? [item.ms] : []));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  test('systemic: the outage is reported, and the activation is over', () => {
    const at = run(begin(['crm']), failed('systemic'));
    expect(at.command).toEqual({ type: 'outage', group: 'salesforce' });
    expect(run(at, woken('crm'), waited).command).toEqual({ type: 'complete' });
  });

  test('systemic: a pause that is known stays so', () => {
    const failure = { kind: 'systemic', group: 'salesforce', isKnown: true } as const;
    const { command } = run(begin(['crm']), { type: 'failed', failure, random: 0 });
    expect(command).toEqual({ type: 'outage', group: 'salesforce', isKnown: true });
  });

  test('transient: waits double up to a minute', () => {
    const events = Array.from({ length: 9 }, () => [failed('transient'), waited]).flat();
    const waits = commands(begin(['crm']), ...events).flatMap((item) => (item?.type === 'wait' ? [item.ms] : []));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(Math.max(...waits)).toBe(BACK_OFF_MAX_MS);
  });

  test.each([
    ['comes first, its own wait is over by then', { retryAfterMs: null, fairnessDelayMs: 20_000 }, 20_000],
    ['is shorter, its own wait counts', { retryAfterMs: null, fairnessDelayMs: 900 }, 1_000],
    ['is shorter than what a remote asks for, that counts', { retryAfterMs: 9_000, fairnessDelayMs: 2_000 }, 9_200],
  ])('where the turn of others %s', (_, waits, ms) => {
    const event: SyncEvent = {
      type: 'failed',
      failure: { kind: 'transient', reason: '500', ...waits },
      random: 0,
    };
    const at = run(begin(['crm']), event);
    expect(at.command).toMatchObject({ type: 'wait', ms, interruptible: false });
    expect(at.state.failingMs).toBe(ms);
  });

  test('chance takes up to half of a wait off', () => {
    const { command } = run(begin(['crm']), failed('transient', null, 1));
    expect(command).toMatchObject({ type: 'wait', ms: 500 });
  });

  test('reads that work do not shorten the waits of a write that keeps failing', () => {
    const round = [done({ next: 'read-vendor', planId: 'p' }), done({ next: 'update-at-vendor', planId: 'q' })];
    const again = [done({ next: 'update-at-vendor', planId: 'q' }), failed('transient'), waited];
    const waits = commands(begin(['crm']), ...round, failed('transient'), waited, ...again, ...again).flatMap((item) =>
      item?.type === 'wait' ? [item.ms] : [],
    );
    expect(waits).toEqual([1_000, 2_000, 4_000]);
  });

  test('stale: observed again at once three times, then with a wait, until a round ends', () => {
    const stale = failed('stale');
    const types = commands(begin(['crm']), stale, stale, stale, stale, waited, done()).map((item) => item?.type);
    expect(types).toEqual(['plan', 'plan', 'plan', 'plan', 'wait', 'plan', 'wait']);
    expect(run(begin(['crm']), stale, stale, done()).state.staleRounds).toBe(0);
  });

  test('stale for a reading that came too early: observed again when the next one can tell more', () => {
    const early = failed('stale', 700);
    const [, wait, then] = commands(begin(['crm']), early, waited);
    expect(wait).toMatchObject({ type: 'wait', interruptible: false });
    expect(wait?.type === 'wait' && wait.ms).toBeGreaterThanOrEqual(700);
    expect(then).toEqual({ type: 'plan', vendor: 'unread' });
  });

  describe('nothing but failures for an hour', () => {
    const silent = failed('transient');
    const parking = { type: 'park', reason: '500', failingMs: UNANSWERED_MS };

    test('is parked then, however it is woken meanwhile', () => {
      let at = run(begin(['crm']), silent);
      let waitedMs = 0;
      while (at.command?.type === 'wait') {
        expect(waitedMs).toBeLessThan(UNANSWERED_MS);
        waitedMs += at.command.ms;
        at = run(at, woken('any'), waited, silent);
      }
      expect(at.command).toEqual({ ...parking, failingMs: waitedMs });
      expect(at.state.causes).toEqual([]);
    });

    test('is reported, and leaves nothing to do but to linger', () => {
      const at = run(begin(['any'], true), woken('any'), silent, done({ next: 'parked' }, true));
      expect(at.command).toEqual({ type: 'report' });
      expect(run(at, reported).command).toEqual(linger);
      expect(run(at, reported, waited).command).toEqual({ type: 'complete' });
      expect(run(at, silent).command).toEqual(linger);
      expect(run(at, silent, woken('crm'), waited, done()).command).toEqual(linger);
    });

    test('is tried once when it is woken again, in this run and in another', () => {
      expect(run(begin(['crm'], true), silent).command).toEqual(parking);
      const again = run(begin(['crm'], true), silent, done({ next: 'parked' }), woken('crm'), waited);
      expect(again.command).toEqual({ type: 'plan', vendor: 'unread' });
      expect(run(again, silent).command).toEqual(parking);
    });

    test('is over with a round that ends, and only once that is reported', () => {
      for (const ended of [[done()], [done({ next: 'nothing' }, true), reported]])
        expect(run(begin(['crm'], true), ...ended, woken('crm'), waited, silent).command?.type).toBe('wait');
      expect(run(begin(['crm'], true), done({ next: 'nothing' }, true), silent).command).toEqual(parking);
    });

    test('counts a side that asks for less without saying until when, and one that fails and does', () => {
      expect(run(begin(['crm'], true), failed('throttled')).command).toEqual(parking);
      expect(run(begin(['crm'], true), failed('transient', 1_000)).command).toEqual(parking);
    });

    test.each([
      ['a quota that is used up', failed('throttled', 1_000)],
      ['what is Lockstep’s own', failed('transient', null, 0, null)],
    ])('%s never parks a record', (_, event) => {
      expect(run(begin(['crm'], true), event).command?.type).toBe('wait');
      expect(run(begin(['crm']), event).state.failingMs).toBe(0);
    });
  });

  test('a loop that nobody foresaw gets slower instead of hot', () => {
    let at = begin(['crm']);
    const waits: number[] = [];
    for (let turn = 0; turn < 200; turn += 1) {
      at = step(at.state, at.command?.type === 'wait' ? waited : done({ next: 'plan-again' }));
      if (at.command?.type === 'wait') waits.push(at.command.ms);
    }
    expect(waits.length).toBeGreaterThan(5);
    expect(waits).toEqual([...waits].sort((a, b) => a - b));
    expect(waits[3]).toBeGreaterThanOrEqual(4 * (waits[0] ?? 0));
  });

  test.each<[string, SyncEvent, unknown]>([
    ['more work waits', done({ next: 'plan-again' }), { type: 'wait', ms: 750, interruptible: false, why: 'trouble' }],
    ['the end of the round is reached', done(), linger],
    ['completion is reached', done({ next: 'superseded' }), { type: 'complete' }],
    ['an outage is told', failed('systemic'), { type: 'outage', group: 'salesforce' }],
  ])('after as many commands as may follow one another, %s', (_, last, expected) => {
    const more = Array.from({ length: MAX_COMMANDS - 1 }, () => done({ next: 'plan-again' }));
    const all = commands(begin(['crm']), ...more, last);
    expect(all.slice(0, MAX_COMMANDS).every((item) => item?.type === 'plan')).toBe(true);
    expect(all.at(-1)).toEqual(expected);
  });
});
