import { expect, it } from 'vitest';
import { OPERATION_GROUPS, type OperationGroup } from '../../../../src/domain/loop/operation-groups.ts';
import {
  isSuspect,
  metRefusalOf,
  type Relapses,
  relapsesAfter,
  relapsesOf,
  withAside,
} from '../../../../src/domain/loop/relapse.ts';

const AT = '2026-03-01T12:00:00.000Z';
const minutes = (count: number): string => new Date(Date.parse(AT) + count * 60_000).toISOString();
const lifted = (ago: number, held: number): Relapses => ({
  liftedAt: minutes(-ago),
  heldMs: held * 60_000,
  heldUntil: minutes(-ago),
});

it('is kept for each group by itself', () => {
  const groups = Object.keys(OPERATION_GROUPS) as readonly OperationGroup[];
  expect(new Set(groups.map(relapsesOf)).size).toBe(groups.length);
});

it.each<[string, Relapses | null, number]>([
  ['the first refusal', null, 0],
  ['one that a person has forgotten', { liftedAt: null, heldMs: 0, heldUntil: AT }, 0],
  ['a refusal soon after it answered', lifted(1, 0), 1],
  ['the next', lifted(1, 1), 2],
  ['one after a long rest', lifted(1, 100), 200],
  ['one after the longest', lifted(1, 240), 240],
  ['an hour later', lifted(60, 8), 16],
  ['more than an hour later', lifted(61, 8), 0],
  ['within twice the rest', lifted(100, 60), 120],
])('%s is left alone for as long', (_, known, held) => {
  expect(relapsesAfter(known, AT)).toEqual({
    liftedAt: known?.liftedAt ?? null,
    heldMs: held * 60_000,
    heldUntil: minutes(held),
  });
});

const MET = { request: 'record 006A', cause: 'scope 403', at: AT };
const well = (ago: number, more: Partial<Relapses> = {}): Relapses => ({
  ...lifted(ago, 0),
  met: MET,
  ...more,
});

it.each<[string, Relapses | null, Partial<typeof MET>, boolean]>([
  ['the first refusal', null, {}, false],
  ['the same record, soon after the group was well', well(1), {}, true],
  ['another record', well(1), { request: 'record 006B' }, false],
  [
    'another record, where one was refused alone for the same',
    well(1, { asides: ['x'] }),
    { request: 'record 006B' },
    true,
  ],
  [
    'another record for another cause',
    well(1, { asides: ['x'] }),
    { request: 'record 006B', cause: 'authentication 401' },
    false,
  ],
  ['the same record hours later', well(61), {}, false],
  ['one that was refused alone before', well(600, { asides: ['record 006A'] }), { cause: 'authentication 401' }, true],
])('%s: may be of its request alone', (_, known, more, suspect) => {
  expect(isSuspect(known, { ...MET, ...more })).toBe(suspect);
});

it('a rest doubles for one cause, and not for a group that may refuse one request alone', () => {
  const known: Relapses = { ...lifted(1, 4), met: MET };
  expect(relapsesAfter(known, AT, { met: MET }).heldMs).toBe(8 * 60_000);
  expect(relapsesAfter(known, AT, { met: { ...MET, cause: 'another' } }).heldMs).toBe(0);
  expect(relapsesAfter(known, AT, { met: MET, holds: false }).heldMs).toBe(0);
  expect(relapsesAfter(known, AT, { met: MET }).met).toEqual(MET);
  expect(relapsesAfter(known, minutes(2), { met: MET }).met).toBeUndefined();
});

it('remembers the last fifty requests that were refused singly, each once', () => {
  expect(withAside(null, 'x')).toBeNull();
  expect(withAside(lifted(1, 0), 'x')).toEqual({ ...lifted(1, 0), asides: ['x'] });
  expect(withAside({ ...lifted(1, 0), asides: ['x', 'y'] }, 'x')?.asides).toEqual(['y', 'x']);
  const many = Array.from({ length: 50 }, (_, at) => `record ${at}`);
  expect(withAside({ ...lifted(1, 0), asides: many }, 'x')?.asides).toEqual([...many.slice(1), 'x']);
});

it('keeps the last refusal of each group by itself', () => {
  const groups = Object.keys(OPERATION_GROUPS) as readonly OperationGroup[];
  expect(new Set([...groups.map(metRefusalOf), ...groups.map(relapsesOf)]).size).toBe(2 * groups.length);
});

it('remembers asides through a relapse', () => {
  expect(relapsesAfter({ ...lifted(1, 0), asides: ['x'] }, AT).asides).toEqual(['x']);
});
