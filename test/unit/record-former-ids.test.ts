import { expect, test } from 'vitest';
import { formerLeads, formerOpportunity, isOfPreviousOrg, referencesOf } from '../../src/domain/record/former-ids.ts';

const [LEAD, WINNER] = ['00QAA0000000001AAA', '00QAA0000000002AAA'];
const [OLD, NOW] = ['006BB0000000001AAA', '006CC0000000001AAA'];

test.each<[string, string[], string[], string | null]>([
  ['a deal of one id', [], [], null],
  ['a converted lead', [LEAD], [LEAD], null],
  ['a merged lead that was converted', [LEAD, WINNER], [LEAD, WINNER], null],
  ['a deal of a previous org', [OLD], [], OLD],
  ['a converted lead of a previous org', [LEAD, OLD], [], OLD],
])('%s: leads and opportunity of before', (_, formerIds, leads, opportunity) => {
  expect(formerLeads({ formerIds })).toEqual(leads);
  expect(formerOpportunity({ formerIds })).toBe(opportunity);
});

test('the vendor may know a deal by each lead that it was in this org, by 15 characters too', () => {
  const references = referencesOf(NOW, { formerIds: [LEAD, WINNER] });

  expect(references).toEqual([NOW, LEAD, WINNER].flatMap((id) => [id, id.slice(0, 15)]));
});

test.each<[string | null, string[], boolean]>([
  [LEAD, [LEAD, OLD], true],
  [OLD, [LEAD, OLD], true],
  [LEAD, [LEAD], false],
  [WINNER, [OLD, WINNER], false],
  [null, [OLD], false],
])('%s with former ids %j is of a previous org: %s', (id, formerIds, expected) => {
  expect(isOfPreviousOrg(id, { formerIds })).toBe(expected);
});
