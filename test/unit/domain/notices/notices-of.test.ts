import { describe, expect, it } from 'vitest';
import { type Notice, noticesOf } from '../../../../src/domain/notices/notices-of.ts';
import type { NoticeRule, NoticeRules } from '../../../../src/domain/notices/rules.ts';
import type { OpenState, State, TenantStates } from '../../../../src/domain/notices/state.ts';

const MINUTE_MS = 60_000;
const START_MS = Date.parse('2026-11-02T10:00:00Z');
const minute = (n: number): string => new Date(START_MS + n * MINUTE_MS).toISOString();

const DOWN: State = { cause: 'remote-down', subject: 'salesforce', since: null, records: null };
const EVERYTHING: NoticeRule = {
  ...{ causes: null, severities: null, tenants: null, to: null, as: 'now', settleMs: null },
};

function rulesWith(more: Partial<NoticeRules> = {}): NoticeRules {
  return { channels: [{ name: 'ops', quiet: null }], rules: [], settleMs: MINUTE_MS, ...more };
}

/** What a tenant's looks notice, one look a minute. `null`: it is unclear whether the states hold. */
function noticedIn(looks: readonly (readonly State[] | null)[], rules = rulesWith()) {
  let open: readonly OpenState[] = [];
  let stored = 0;
  const noticed: (readonly [number, Notice])[] = [];
  for (const [n, states] of looks.entries()) {
    const after: TenantStates = { states: states ?? [], isUnclear: () => states === null };
    const step = noticesOf('acme', open, after, { rules, now: minute(n) });
    if (step.changed.length + step.removed.length > 0) stored += 1;
    open = step.open;
    noticed.push(...step.notices.map((notice) => [n, notice] as const));
  }
  return { noticed, open, stored, kinds: noticed.map(([n, { kind }]) => `${n} ${kind}`) };
}

describe('a state', () => {
  it('is noticed once when it begins and once when it ends, however long it lasts', () => {
    const { kinds } = noticedIn([[], [DOWN], [DOWN], [DOWN], [DOWN], [DOWN], [], [], [], []]);
    expect(kinds).toEqual(['2 began', '7 ended']);
  });

  it('is not noticed if it does not last', () => {
    const { kinds, open } = noticedIn([[], [DOWN], [], [DOWN], [], []]);
    expect([kinds, open]).toEqual([[], []]);
  });

  it('that comes back while its end settles is still the same state', () => {
    const { kinds } = noticedIn([[DOWN], [DOWN], [], [DOWN], [DOWN], [], []]);
    expect(kinds).toEqual(['1 began', '6 ended']);
  });

  it('that is known to have lasted long is noticed by the first look', () => {
    const { kinds, noticed } = noticedIn([[{ ...DOWN, since: minute(-60) }]]);
    expect(kinds).toEqual(['0 began']);
    expect(noticed[0]?.[1].at).toBe(minute(-60));
  });

  it('goes on while it is unclear whether it holds', () => {
    const { kinds } = noticedIn([[DOWN], [DOWN], null, null, null, [DOWN], [], []]);
    expect(kinds).toEqual(['1 began', '7 ended']);
  });

  it('that does not change is nothing to store', () => {
    expect(noticedIn([[], [], [], []]).stored).toBe(0);
    expect(noticedIn([[DOWN], [DOWN], [DOWN], [DOWN], [DOWN]]).stored).toBe(2);
  });

  it('of 10,000 records is one notice and one recovery, though their number changes', () => {
    const waiting = (records: number): readonly State[] => [
      { cause: 'records-wait', subject: 'vendor-refused', since: null, records },
    ];
    const { kinds, noticed } = noticedIn([[], waiting(3), waiting(9_000), waiting(10_000), waiting(12), [], []]);
    expect(kinds).toEqual(['2 began', '6 ended']);
    expect(noticed[0]?.[1].state.records).toBe(9_000);
  });

  it('ends for the channels that its beginning was sent to, whatever the rules say then', () => {
    const before = noticedIn([[DOWN], [DOWN]]).open;
    const rules = rulesWith({ channels: [{ name: 'other', quiet: null }], settleMs: 0 });
    const { notices } = noticesOf('acme', before, { states: [], isUnclear: () => false }, { rules, now: minute(5) });
    expect(notices.map(({ kind, channel }) => [kind, channel])).toEqual([['ended', 'ops']]);
  });
});

describe('a rule', () => {
  const channels = ['ops', 'chat'].map((name) => ({ name, quiet: null }));
  const now = { settleMs: 0, channels };

  it.each([
    ['nothing', {}, ['ops now', 'chat now']],
    ['its cause', { causes: ['remote-down'], to: ['chat'] }, ['chat now']],
    ['another cause', { causes: ['drift'], to: ['chat'] }, ['ops now', 'chat now']],
    ['its severity', { severities: ['urgent'], to: ['ops'], as: 'digest' }, ['ops digest']],
    ['its tenant', { tenants: ['acme'], as: 'none' }, []],
    ['another tenant', { tenants: ['globex'], as: 'none' }, ['ops now', 'chat now']],
  ] as const)('that names %s decides who is notified', (_, rule, expected) => {
    const { noticed } = noticedIn([[DOWN]], rulesWith({ ...now, rules: [{ ...EVERYTHING, ...rule }] }));
    expect(noticed.map(([, { channel, way }]) => `${channel} ${way}`)).toEqual(expected);
  });

  it('comes before the later ones that fit too', () => {
    const rules = [
      { ...EVERYTHING, to: ['chat'] },
      { ...EVERYTHING, as: 'none' as const },
    ];
    expect(noticedIn([[DOWN]], rulesWith({ ...now, rules })).noticed).toHaveLength(1);
  });
});

describe('in quiet hours', () => {
  const quiet = { from: 9 * 60, to: 11 * 60 + 30, zone: 'UTC' };
  const dueOf = (isUrgentNow: boolean, state: State) =>
    noticedIn([[state]], rulesWith({ settleMs: 0, channels: [{ name: 'ops', quiet: { ...quiet, isUrgentNow } }] }))
      .noticed[0]?.[1].dueAt;
  const drift: State = { cause: 'drift', subject: '', since: null, records: 3 };

  it('a notice waits for their end', () => {
    expect([dueOf(true, drift), dueOf(false, DOWN)]).toEqual([minute(90), minute(90)]);
  });

  it('an urgent one is sent at once, unless the file says that it waits', () => {
    expect(dueOf(true, DOWN)).toBe(minute(0));
  });
});
