import { expect, test } from 'vitest';
import { sameLine } from '../../../../src/domain/lines/match-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

const LINE: OfferLine = { offerNameId: 'A', amount: '10', revenueType: null };

test.each([
  ['10', '10.00', true],
  ['10', '1e1', true],
  ['-0', '0', true],
  ['10', '10.01', false],
  ['10', null, false],
  ['0', null, false],
  ['1234567890123456789012345678901.25', '1234567890123456789012345678901.26', false],
])('lines of amount %s and %s are the same: %s', (a, b, expected) => {
  expect(sameLine({ ...LINE, amount: a }, { ...LINE, amount: b })).toBe(expected);
});

test.each<[string, Partial<OfferLine>, boolean]>([
  ['the same', {}, true],
  ['the CRM’s id, which is no content', { crmLineId: 'L1' }, true],
  ['another offer', { offerNameId: 'B' }, false],
  ['no offer', { offerNameId: null }, false],
  ['a revenue type', { revenueType: 'UPFRONT' }, false],
  ['an unset revenue type in another spelling', { revenueType: '' }, true],
])('beside a line, one with %s', (_, other, expected) => {
  expect(sameLine(LINE, { ...LINE, ...other })).toBe(expected);
  expect(sameLine({ ...LINE, ...other }, LINE)).toBe(expected);
});
