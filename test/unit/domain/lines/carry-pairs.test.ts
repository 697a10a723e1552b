import { expect, test } from 'vitest';
import { carryPairs, pairAgreed } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

/** Lines as `id offer amount`, with `-` for a line that has no CRM id. */
function lines(...texts: readonly string[]): readonly OfferLine[] {
  return texts.map((text) => {
    const [id = '-', offerNameId = null, amount = null] = text.split(' ');
    return { offerNameId, amount, revenueType: null, ...(id === '-' ? {} : { crmLineId: id }) };
  });
}

const agreed = {
  lines: lines('- A 1', '- A 2', '- B 9'),
  pairs: [
    { crmLineId: 'L2', position: 0 },
    { crmLineId: 'L1', position: 1 },
    { crmLineId: 'L3', position: 2 },
  ],
};
const crm = lines('L1 A 2.01', 'L2 A 1.01', 'L3 B 9');

test.each<[string, readonly OfferLine[], readonly OfferLine[], string]>([
  ['twins keep the lines they were agreed to be', crm, lines('- A 1', '- A 2', '- B 9'), 'L2 L1 L3'],
  ['wherever they stand now', crm, lines('- B 9', '- A 2', '- A 1'), 'L3 L1 L2'],
  ['also when their amounts changed', crm, lines('- A 5', '- A 6', '- B 9'), 'L2 L1 L3'],
  ['and when one before them is gone', crm, lines('- A 2', '- B 9'), 'L1 L3'],
  [
    'a line that the CRM deleted has none',
    lines('L1 A 2', 'L3 B 9'),
    lines('- A 1', '- A 2', '- B 9'),
    '- L1 L3',
  ],
  ['what we sent names its line', crm, lines('L1 A 1', 'L2 A 2', '- B 9'), 'L1 L2 L3'],
  [
    'lines new on both sides are one by their offer',
    [...crm, ...lines('L4 C 7')],
    lines('- C 8', '- B 9'),
    'L4 L3',
  ],
  [
    'also beside one of the same content that has its line',
    [...crm, ...lines('L4 B 7')],
    lines('- B 9', '- B 9'),
    'L3 L4',
  ],
  [
    'a line that we sent keeps its line before one that only stood where it stands',
    crm,
    lines('L3 A 1', '- B 9', '- A 2'),
    'L3 - L1',
  ],
  [
    'of the lines that name one CRM line, the first is it',
    lines('L1 A 1', 'L2 A 2'),
    lines('L1 A 2', 'L1 A 2'),
    'L1 L2',
  ],
  [
    'new lines of one offer are one by their amounts first',
    [...crm, ...lines('L4 C 7', 'L5 C 8')],
    lines('- C 8', '- C 6'),
    'L5 L4',
  ],
  ['and not by their amount', [...crm, ...lines('L4 C 7')], lines('- D 7', '- B 9'), '- L3'],
])('%s', (_, now, vendor, expected) => {
  const pairs = carryPairs(agreed, now, vendor);
  const found = new Map(pairs.map((pair) => [pair.position, pair.crmLineId]));
  expect([...found.keys()]).toEqual([...found.keys()].sort((a, b) => a - b));
  expect(vendor.map((_line, at) => found.get(at) ?? '-').join(' ')).toBe(expected);
});

test.each<[string, readonly OfferLine[], readonly OfferLine[], string]>([
  [
    'lines that say the same are one, wherever one stood',
    lines('L3 B 8', 'L4 B 9'),
    lines('- B 8', '- B 9'),
    'L3 L4',
  ],
  ['twins keep the lines that they were', lines('L1 A 5', 'L2 A 5'), lines('- A 5', '- A 5'), 'L2 L1'],
  ['so do lines that the vendor rounded', lines('L1 A 2.01', 'L2 A 1.01'), lines('- A 1', '- A 2'), 'L2 L1'],
  ['two offers of one price are two lines', lines('L1 A 2', 'L4 C 7'), lines('- A 2', '- D 7'), 'L1 -'],
])('once both sides agree, %s', (_, now, vendor, expected) => {
  const pairs = pairAgreed(agreed, now, vendor);
  const found = new Map(pairs.map((pair) => [pair.position, pair.crmLineId]));
  expect(vendor.map((_line, at) => found.get(at) ?? '-').join(' ')).toBe(expected);
});
