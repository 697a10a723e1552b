import { expect, it } from 'vitest';
import { ASKED_FIELD, askedAt } from '../../../../src/domain/record/asked.ts';

it.each([
  ['2026-03-01T10:00:00.000+0000', '2026-03-01T10:00:00.000Z'],
  ['soon', null],
  [null, null],
  [7, null],
])('a sync requested at %j was requested at %s', (value, at) => {
  expect(askedAt({ [ASKED_FIELD]: value as string | null })).toBe(at);
});

it('is read of the field that the package has', () => {
  expect(askedAt({ Lockstep_Sync_Asked__c: '2026-03-01T10:00:00Z' })).toBe('2026-03-01T10:00:00.000Z');
  expect(askedAt({})).toBeNull();
});
