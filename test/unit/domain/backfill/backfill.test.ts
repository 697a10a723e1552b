import { expect, it } from 'vitest';
import {
  BACKFILL_CURSOR,
  type BackfillPhase,
  firstState,
  isMatching,
  NOTHING_FOUND,
  phaseAfter,
} from '../../../../src/domain/backfill/backfill.ts';
import { FIRST_SPAN_MS } from '../../../../src/domain/streams/whole-periods.ts';

const ORDER = { since: '2026-01-01T00:00:00.000Z', from: 'both', share: 0.5 } as const;

it('begins with the search of the vendor, both sides at what was ordered', () => {
  expect(firstState('b1', ORDER, '2027-01-01T00:00:00.000Z')).toEqual({
    run: 'b1',
    begunAt: '2027-01-01T00:00:00.000Z',
    order: ORDER,
    phase: 'find-vendor',
    vendorUntil: ORDER.since,
    spanMs: FIRST_SPAN_MS,
    crmPosition: { systemModstamp: ORDER.since, id: '' },
  });
  expect(NOTHING_FOUND.vendor).toEqual({ found: 0, matched: 0, done: 0 });
});

it('is found again under the name by which ledgers have kept it', () => {
  expect(BACKFILL_CURSOR).toBe('backfill');
});

it.each<[BackfillPhase, boolean]>([
  ['find-vendor', true],
  ['find-crm', true],
  ['match', true],
  ['vendor', false],
  ['crm', false],
  ['over', false],
])('makes nothing of the past before all are matched: in %s that holds back, %s', (phase, isHeld) => {
  expect(isMatching({ phase, order: ORDER })).toBe(isHeld);
});

it('is over once it is over', () => {
  expect(phaseAfter('crm', ORDER)).toBe('over');
  expect(phaseAfter('over', ORDER)).toBe('over');
});
