import { expect, test } from 'vitest';
import { durationWords } from '../../../../src/domain/values/duration.ts';

test.each([
  [0, '0 s'],
  [119, '119 s'],
  [120, '2 min'],
  [121, '3 min'],
  [7_199, '120 min'],
  [7_200, '2.0 h'],
  [9_000, '2.5 h'],
])('%d seconds are %s', (seconds, words) => {
  expect(durationWords(seconds)).toBe(words);
});
