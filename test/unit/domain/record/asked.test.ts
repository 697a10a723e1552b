import { expect, it } from 'vitest';
import { ASKED_FIELD, askedAt } from '../../../../src/domain/record/asked.ts';

const NOW = '2026-03-01T10:00:00.000Z';

it.each([
  ['2026-03-01T10:00:00.000+0000', '2026-03-01T10:00:00.000Z'],
  ['2026-03-01T10:10:00.000+0000', '2026-03-01T10:10:00.000Z'],
  ['2026-03-01T10:10:01.000+0000', null],
  ['4000-12-31T00:00:00.000+0000', null],
  ['soon', null],
  [null, null],
  [7, null],
])('a sync requested at %j was requested at %s', (value, at) => {
  expect(askedAt({ [ASKED_FIELD]: value as string | null }, NOW)).toBe(at);
});

it('is read of the field that the package has', () => {
  expect(askedAt({ Lockstep_Sync_Asked__c: '2026-03-01T10:00:00Z' }, NOW)).toBe('2026-03-01T10:00:00.000Z');
  expect(askedAt({}, NOW)).toBeNull();
});
