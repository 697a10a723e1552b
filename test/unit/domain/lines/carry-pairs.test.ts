import { describe, expect, test } from 'vitest';
import { carryPairs, pairAgreed } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

/** Lines as `id offer amount`, with `-` for a line that has no CRM id. */
function lines(text: string): readonly OfferLine[] {
  return text.split(', ').map((one) => {
    const [id = '-', offerNameId = null, amount = null] = one.split(' ');
    return { offerNameId, amount, revenueType: null, ...(id === '-' ? {} : { crmLineId: id }) };
  });
}

/** Two equal lines (the vendor's first is the CRM's second), and a line of another offer. */
const agreed = {
  lines: lines('- A 1, - A 2, - B 9'),
  pairs: [
    { crmLineId: 'L2', position: 0 },
    { crmLineId: 'L1', position: 1 },
    { crmLineId: 'L3', position: 2 },
  ],
};
const CRM = 'L1 A 2.01, L2 A 1.01, L3 B 9';

/** The CRM line of each vendor line, and `-` for one that has none. */
function idsOf(pairs: ReturnType<typeof carryPairs>, vendor: readonly OfferLine[]): string {
  const found = new Map(pairs.map((pair) => [pair.position, pair.crmLineId]));
  return vendor.map((_line, at) => found.get(at) ?? '-').join(' ');
}

describe('while the sides differ', () => {
  test.each<[what: string, crm: string, vendor: string, ids: string]>([
    ['twins keep the lines they were agreed to be', CRM, '- A 1, - A 2, - B 9', 'L2 L1 L3'],
    ['wherever they stand now', CRM, '- B 9, - A 2, - A 1', 'L3 L1 L2'],
    ['also when their amounts changed', CRM, '- A 5, - A 6, - B 9', 'L2 L1 L3'],
    ['and when one before them is gone', CRM, '- A 2, - B 9', 'L1 L3'],
    ['a line that the CRM deleted has none', 'L1 A 2, L3 B 9', '- A 1, - A 2, - B 9', '- L1 L3'],
    ['what we sent names its line', CRM, 'L1 A 1, L2 A 2, - B 9', 'L1 L2 L3'],
    ['lines new on both sides are one by their offer', `${CRM}, L4 C 7`, '- C 8, - B 9', 'L4 L3'],
    ['also beside one of the same content that has its line', `${CRM}, L4 B 7`, '- B 9, - B 9', 'L3 L4'],
    ['a line that we sent comes before one that only stood there', CRM, 'L3 A 1, - B 9, - A 2', 'L3 - L1'],
    ['of the lines that name one CRM line, the first is it', 'L1 A 1, L2 A 2', 'L1 A 2, L1 A 2', 'L1 L2'],
    ['new lines of one offer are one by amount first', `${CRM}, L4 C 7, L5 C 8`, '- C 8, - C 6', 'L5 L4'],
    ['and not by their amount', `${CRM}, L4 C 7`, '- D 7, - B 9', '- L3'],
  ])('%s', (_, crm, vendor, ids) => {
    const pairs = carryPairs(agreed, lines(crm), lines(vendor));
    const positions = pairs.map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(idsOf(pairs, lines(vendor))).toBe(ids);
  });
});

test.each<[what: string, crm: string, vendor: string, ids: string]>([
  ['lines that say the same are one, wherever one stood', 'L3 B 8, L4 B 9', '- B 8, - B 9', 'L3 L4'],
  ['twins keep the lines that they were', 'L1 A 5, L2 A 5', '- A 5, - A 5', 'L2 L1'],
  ['so do lines that the vendor rounded', 'L1 A 2.01, L2 A 1.01', '- A 1, - A 2', 'L2 L1'],
  ['two offers of one price are two lines', 'L1 A 2, L4 C 7', '- A 2, - D 7', 'L1 -'],
])('once both sides agree, %s', (_, crm, vendor, ids) => {
  expect(idsOf(pairAgreed(agreed, lines(crm), lines(vendor)), lines(vendor))).toBe(ids);
});
