import { describe, expect, test } from 'vitest';
import { sameId, toId18, toOpportunityId } from '../../../../src/domain/record/salesforce-id.ts';

/** Ids in their 15 characters, and with the three that record their upper case. */
const PAIRS = [
  ['006D000000IRFma', '006D000000IRFmaIAH'],
  ['006000000000001', '006000000000001AAA'],
  ['006aBcDeFgHiJkL', '006aBcDeFgHiJkLQKV'],
] as const;

describe.each(PAIRS)('the id %s', (short, long) => {
  test('has one form of 18 characters, however it is written', () => {
    for (const written of [short, long, long.toLowerCase(), long.toUpperCase()]) expect(toId18(written)).toBe(long);
    expect(toId18(short + long.slice(15).toLowerCase())).toBe(long);
  });

  test('is none with other characters behind it, in front of it, or too few', () => {
    for (const written of [`${long}A`, `${short}A`, `A${long}`, `-${short}`, `${short}-`, short.slice(1), ''])
      expect(toId18(written)).toBeNull();
    expect(toId18(`${short}${long.slice(15, 17)}5`)).toBeNull();
    expect(toId18(`${short.slice(0, 14)}_${long.slice(15)}`)).toBeNull();
    expect(toId18(`${short}${long.slice(15, 17)}9`)).toBeNull();
  });

  test('names the same record in both forms, and no other', () => {
    expect(sameId(short, long)).toBe(true);
    expect(sameId(long, short)).toBe(true);
    for (const other of ['006D000000IRFmb', `${short}!`, '']) {
      expect(sameId(long, other)).toBe(false);
      expect(sameId(other, long)).toBe(false);
    }
  });
});

test('two texts that are no ids name no record', () => {
  expect(sameId('not an id', 'not an id')).toBe(false);
});

test('an opportunity’s id begins as those of opportunities do', () => {
  expect(toOpportunityId('006D000000IRFma')).toBe('006D000000IRFmaIAH');
  expect(toOpportunityId('001D000000IRFma')).toBeNull();
  expect(toOpportunityId('006')).toBeNull();
});
