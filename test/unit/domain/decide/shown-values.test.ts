import { describe, expect, it } from 'vitest';
import {
  heldWords,
  overruledNotices,
  overruledWords,
  shownBeside,
} from '../../../../src/domain/decide/report-words.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

const long = (letter: string) => letter.repeat(50);

describe('two values beside each other', () => {
  it.each<[unknown, unknown, string]>([
    ['', 'x', 'nothing'],
    [null, 'x', 'nothing'],
    [[], ['x'], 'nothing'],
    ['text', 'x', '"text"'],
    ['x'.repeat(80), '', `"${'x'.repeat(80)}"`],
    ['x'.repeat(81), '', `"${'x'.repeat(80)}…"`],
    [['A', 'B'], ['A'], '"A, B"'],
    [[{ a: 1 }], [], '"{"a":1}"'],
    [['x'.repeat(39), 'y'.repeat(39)], [], `"${'x'.repeat(39)}, ${'y'.repeat(39)}"`],
    [[long('a'), long('b')], [long('b')], `2 entries with "${long('a')}"`],
    [[long('a'), long('b')], [long('b'), long('a')], '2 entries'],
    [[long('a'), long('b')], null, `2 entries with "${`${long('a')}, ${long('b')}`.slice(0, 80)}…"`],
    [[5, null], [], '"5, null"'],
    [
      [
        { offerNameId: 'OFR-1', amount: '10', revenueType: 'UPFRONT', crmLineId: 'L1' },
        { offerNameId: 'OFR-2', amount: null, revenueType: null },
      ],
      [],
      '"OFR-1 10 UPFRONT, OFR-2"',
    ],
  ])('%j beside %j is shown as %s', (value, other, expected) => {
    expect(shownBeside(value, other).crm).toBe(expected);
    expect(shownBeside(other, value).vendor).toBe(expected);
  });
});

describe('lines that were decided by rule', () => {
  const line = (amount: string | null, revenueType: string | null = null, offerNameId = 'OFR-1'): OfferLine => ({
    offerNameId,
    amount,
    revenueType,
  });
  function words(lines: readonly { crm: OfferLine | null; vendor: OfferLine | null }[]): readonly string[] {
    const note = {
      lines: lines.map((one) => ({ winner: 'crm' as const, ...one })),
      rule: 'newest: by the later record',
      crmSavedAt: null,
      vendorSavedAt: null,
    };
    return overruledWords({ ...EMPTY_BASE, overruled: { offerLines: note } });
  }

  it.each([
    [line('1'), line('2'), 'OFR-1, was changed on both sides: amount 1 in the CRM stays, amount 2 at'],
    [line('1', 'A'), line('1', null), 'revenueType A in the CRM stays, revenueType nothing at the vendor'],
    [line('1', 'A'), null, 'amount 1, revenueType A in the CRM stays, no such line at the vendor'],
    [null, line(null, 'B', 'OFR-2'), 'OFR-2, was changed on both sides: no such line in the CRM stays, amount nothing'],
  ])('name what differs: %j and %j', (crm, vendor, expected) => {
    const [result] = words([{ crm, vendor }]);
    expect(result).toContain(expected);
    expect(result).toMatch(/^Overruled: product lines, line OFR-/);
  });

  it('are reported one by one up to five, and the others are counted', () => {
    const many = (count: number) => words(Array.from({ length: count }, () => ({ crm: line('1'), vendor: null })));
    expect(many(5)).toHaveLength(5);
    expect(many(7)).toHaveLength(6);
    expect(many(7).at(-1)).toBe('product lines: 2 more lines decided in the same way.');
  });
});

it('a conflict that waits names the field and both values', () => {
  const held = { name: { crm: 'Ours', vendor: 'Theirs' }, description: { crm: null, vendor: 'x' } };
  expect(heldWords({ ...EMPTY_BASE, held })).toEqual([
    'name: "Ours" in the CRM, "Theirs" at the vendor.',
    'description: nothing in the CRM, "x" at the vendor.',
  ]);
  expect(heldWords(null)).toEqual([]);
});

describe('a notice of overruled fields', () => {
  const note = { rule: 'newest', crmSavedAt: '2027-01-04T08:00:00.000Z', vendorSavedAt: null };
  const line = (winner: 'crm' | 'vendor') => ({
    winner,
    crm: { offerNameId: 'OFR-1', amount: '1' },
    vendor: null,
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a field',
      { name: { ...note, winner: 'vendor', crm: 'Ours', vendor: 'Theirs' } },
      ['the value at the vendor stays'],
    ],
    [
      'lines of both sides',
      { offerLines: { ...note, lines: [line('crm'), line('vendor'), line('crm')] } },
      ['2 lines', '1 line'],
    ],
  ])('names %s, and quotes no value', (_, overruled, parts) => {
    const notices = overruledNotices({ ...EMPTY_BASE, overruled } as Parameters<typeof overruledNotices>[0]);
    expect(notices).toHaveLength(parts.length);
    for (const [place, part] of parts.entries()) expect(notices[place]).toContain(part);
    for (const value of ['Ours', 'Theirs', 'OFR-1']) expect(notices.join()).not.toContain(value);
  });
});
