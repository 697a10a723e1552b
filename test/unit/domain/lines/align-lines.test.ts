import { expect, test } from 'vitest';
import { alignLines } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

/** Lines as `A10`, offer A at amount 10; a letter alone has no amount. */
function lines(text: string): readonly OfferLine[] {
  const split = text.split(' ').filter((item) => item !== '');
  return split.map((item) => ({
    offerNameId: item.slice(0, 1),
    amount: item.slice(1) || null,
    revenueType: null,
  }));
}

test.each<[string, string, string, (number | null)[]]>([
  ['nothing', '', '', []],
  ['all new', '', 'A1 B2', [null, null]],
  ['the same content, wherever it stands now', 'A1 B2', 'B2 A1', [1, 0]],
  ['twins, each in its place', 'A1 A1', 'A1 A1', [0, 1]],
  ['the same offer', 'A1 B2', 'B3 A4', [1, 0]],
  ['of two of an offer the one in the same place', 'A1 A2', 'C9 A5', [null, 1]],
  ['the same amount, when the offer changed', 'A1 B2', 'C2 D1', [1, 0]],
  ['of two of an amount the one in the same place', 'A1 B1', 'C9 D1', [null, 1]],
  ['no two lines by an amount that neither has', 'A', 'B', [null]],
  ['content before offer', 'A1 A2', 'A2', [1]],
  ['offer before amount', 'A1 B2', 'B1', [1]],
  ['one that is gone', 'A1 B2 C3', 'A1 C3', [0, 2]],
  ['no line twice', 'A1', 'A1 A1', [0, null]],
])('%s', (_, before, now, expected) => {
  expect(alignLines(lines(before), lines(now))).toEqual(expected);
});
