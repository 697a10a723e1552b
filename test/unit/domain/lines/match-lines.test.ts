import { describe, expect, test } from 'vitest';
import { matchLines, preferring, type Rule } from '../../../../src/domain/lines/match-lines.ts';

type TextRule = Rule<string, string>;

const same: TextRule = (left, right) => left === right;
const sameLetter: TextRule = (left, right) => left[0] === right[0];
const sameDigit: TextRule = (left, right) => left[1] === right[1];
const samePlace: TextRule = (_left, _right, at) => at.left === at.right;
const mirrored: TextRule = (_left, _right, at) => at.left === 0 && at.right === 2;

const split = (text: string): readonly string[] => text.split(' ').filter((item) => item !== '');

/** The matches in the order they were found, each as `left:right`, by their places. */
function places(left: string, right: string, rules: readonly TextRule[]): string {
  return matchLines(split(left), split(right), rules)
    .map(({ at }) => `${at.left}:${at.right}`)
    .join(' ');
}

describe('items of two lists that are one', () => {
  test.each<[string, string, string, readonly TextRule[], string]>([
    ['nothing of nothing', '', '', [same], ''],
    ['nothing on the left', '', 'a1', [same], ''],
    ['nothing on the right', 'a1', '', [same], ''],
    ['nothing without a rule', 'a1', 'a1', [], ''],
    ['nothing where no rule holds', 'a1', 'b2', [same, sameLetter, sameDigit], ''],
    ['wherever they stand', 'a1 b2', 'b2 a1', [same], '0:1 1:0'],
    ['a left item takes the first of its like', 'a1', 'a1 a1', [same], '0:0'],
    ['of left items of a kind the first is served', 'a1 a2', 'a9', [sameLetter], '0:0'],
    ['twins in order, each once', 'a1 a1', 'a1 a1 a1', [same], '0:0 1:1'],
    ['left items choose in order, not right ones', 'b1 a1', 'a1 b1', [sameDigit], '0:0 1:1'],
    ['a surer rule before another, for all items', 'a1 a2', 'a2', [same, sameLetter], '1:0'],
    ['what a surer rule gave is not given again', 'a1 a2', 'a2 a3', [same, sameLetter], '1:0 0:1'],
    ['nor is another taken by who has one', 'a1', 'a1 a2', [same, sameLetter], '0:0'],
    ['the rules in their order', 'a1', 'b1 a2', [sameDigit, sameLetter], '0:0'],
    ['and in the other', 'a1', 'b1 a2', [sameLetter, sameDigit], '0:1'],
    ['by place alone', 'a1 b2', 'c3 d4', [samePlace], '0:0 1:1'],
    ['by the place of each side', 'a1 b2', 'c3 d4 e5', [mirrored], '0:2'],
  ])('%s', (_, left, right, rules, expected) => {
    expect(places(left, right, rules)).toBe(expected);
  });
});

describe('a hint', () => {
  test.each<[string, string, string, readonly TextRule[], string]>([
    ['tells twins apart', 'c3 a1', 'a1 a1', [same], '1:1'],
    ['does not make one what no rule holds for', 'a1', 'b2', [same], ''],
    ['is not needed', 'a1 b2', 'b2 a1', [same], '0:1 1:0'],
    ['comes after a surer rule without it', 'a1 a2', 'a3 a1', [same, sameLetter], '0:1 1:0'],
    ['comes before the same rule without it', 'a1 a2', 'b9 a9', [sameLetter], '1:1'],
  ])('%s', (_, left, right, rules, expected) => {
    expect(places(left, right, preferring(samePlace, rules))).toBe(expected);
  });
});
