import { expect, test } from 'vitest';
import { pairLines } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

/** `A10` is offer A at amount 10; `A` has no amount. Ids of the CRM lines are c0, c1, ... in order. */
function line(text: string): OfferLine {
  return { offerNameId: text.slice(0, 1), amount: text.slice(1) || null, revenueType: null };
}

function pair(crm: string, vendor: string, known: string): string {
  const split = (text: string): string[] => text.split(' ').filter((item) => item !== '');
  const crmLines = split(crm).map((text, index) => ({ ...line(text), crmLineId: `c${index}` }));
  const pairs = split(known).map((text) => {
    const [crmLineId = '', position] = text.split(':');
    return { crmLineId, position: Number(position) };
  });
  const found = pairLines(crmLines, split(vendor).map(line), pairs);
  return found.map((item) => `${item.crmLineId}:${item.position}`).join(' ');
}

test.each([
  ['nothing', '', '', '', ''],
  ['by offer', 'A1 B2', 'B3 A4', '', 'c1:0 c0:1'],
  ['by amount, when the offer changed', 'A1 B2', 'A1 C2', '', 'c0:0 c1:1'],
  ['a stranger is new, a line without partner gone', 'A1 B2', 'A1 C3', '', 'c0:0'],
  ['twins by the remembered pair', 'A1 A1', 'A1 A1', 'c0:1 c1:0', 'c1:0 c0:1'],
  ['changed twins by the remembered pair', 'A1 A2', 'A3 A4', 'c0:1 c1:0', 'c1:0 c0:1'],
  [
    'content before a remembered place, when the vendor removed a line',
    'A1 A2 A3',
    'A2 A3',
    'c0:0 c1:1 c2:2',
    'c1:0 c2:1',
  ],
  ['a remembered line before a stranger of its offer', 'A1 A9', 'A5 A6', 'c1:0', 'c1:0 c0:1'],
  ['a remembered line that is gone pairs nothing', 'A1', 'B2', 'c0:0 gone:0', ''],
  ['new offers by the remembered pair, where the amounts are one', 'A5 B5', 'C5 D5', 'c0:1 c1:0', 'c1:0 c0:1'],
  ['one offer without an amount', 'A B1', 'A B1', '', 'c0:0 c1:1'],
  ['two offers without an amount are no pair', 'A', 'B', '', ''],
  ['a remembered place that is gone', 'A1', 'A2', 'c0:7', 'c0:0'],
])('%s', (_, crm, vendor, known, expected) => {
  expect(pair(crm, vendor, known)).toBe(expected);
});

test('lines without an id pair with nothing', () => {
  expect(pairLines([line('A1')], [line('A1')], [])).toEqual([]);
});
