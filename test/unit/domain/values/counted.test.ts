import { expect, it } from 'vitest';
import { counted } from '../../../../src/domain/values/counted.ts';

it.each([
  [0, '0 records'],
  [1, '1 record'],
  [2, '2 records'],
])('counts %i as %s', (n, words) => {
  expect(counted(n, 'record')).toBe(words);
});

it('takes a plural of its own', () => {
  expect([1, 3].map((n) => counted(n, 'reply', 'replies'))).toEqual(['1 reply', '3 replies']);
});
