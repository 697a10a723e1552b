import { describe, expect, test } from 'vitest';
import { showsWinner } from '../../../../src/domain/lines/merge-line.ts';
import { type LineMerge, mergeLines } from '../../../../src/domain/lines/merge-lines.ts';
import { pairLines } from '../../../../src/domain/lines/pair-lines.ts';
import type { OfferLine } from '../../../../src/domain/record/canonical.ts';

const line = (
  crmLineId: string | null,
  offerNameId: string,
  amount: string,
  revenueType: string | null = null,
): OfferLine => ({
  offerNameId,
  amount,
  revenueType,
  ...(crmLineId === null ? {} : { crmLineId }),
});

const A = line('1', 'A', '10');
const B = line('2', 'B', '20');
const vA = line(null, 'A', '10');
const vB = line(null, 'B', '20');

const hasCode = (type: string): boolean => type !== 'Odd';

type Sides = { readonly crm: readonly OfferLine[]; readonly vendor: readonly OfferLine[] };

function merged(base: Sides, now: Sides, prefer: 'crm' | 'vendor' = 'crm'): LineMerge {
  const basePairs = pairLines(base.crm, base.vendor, []);
  return mergeLines(
    {
      baseCrm: base.crm,
      baseVendor: base.vendor,
      basePairs,
      crm: now.crm,
      vendor: now.vendor,
      hasCode,
    },
    prefer,
  );
}

const content = (lines: readonly OfferLine[]): string[] =>
  lines.map((one) =>
    [one.offerNameId, one.amount, one.revenueType].filter((part) => part !== null).join(' '),
  );

const BASE: Sides = { crm: [A, B], vendor: [vA, vB] };

describe('a list that one or both sides changed', () => {
  test.each<[string, Sides, string[], boolean]>([
    ['nothing', BASE, ['A 10', 'B 20'], false],
    ['amount here', { crm: [line('1', 'A', '11'), B], vendor: [vA, vB] }, ['A 11', 'B 20'], false],
    ['amount there', { crm: [A, B], vendor: [line(null, 'A', '12'), vB] }, ['A 12', 'B 20'], false],
    [
      'one each',
      { crm: [line('1', 'A', '11'), B], vendor: [vA, line(null, 'B', '22')] },
      ['A 11', 'B 22'],
      false,
    ],
    ['added here', { crm: [A, B, line('3', 'C', '5')], vendor: [vA, vB] }, ['A 10', 'B 20', 'C 5'], false],
    ['added there', { crm: [A, B], vendor: [vA, vB, line(null, 'D', '5')] }, ['A 10', 'B 20', 'D 5'], false],
    [
      'added on both',
      { crm: [A, B, line('3', 'C', '5')], vendor: [vA, vB, line(null, 'D', '5')] },
      ['A 10', 'B 20', 'D 5', 'C 5'],
      false,
    ],
    ['removed here', { crm: [B], vendor: [vA, vB] }, ['B 20'], false],
    ['removed there', { crm: [A, B], vendor: [vB] }, ['B 20'], false],
    ['removed on both', { crm: [B], vendor: [vB] }, ['B 20'], false],
    [
      'replaced here by one of the same offer',
      { crm: [line('9', 'A', '30'), B], vendor: [vA, vB] },
      ['A 30', 'B 20'],
      false,
    ],
    [
      'deleted here and made again',
      { crm: [line('9', 'A', '10'), B], vendor: [vA, vB] },
      ['A 10', 'B 20'],
      false,
    ],
    [
      'deleted here and made again, edited there',
      { crm: [line('9', 'A', '10'), B], vendor: [line(null, 'A', '12'), vB] },
      ['A 12', 'B 20'],
      false,
    ],
    [
      'edited here, and one added there that says what it said',
      { crm: [line('1', 'A', '11'), B], vendor: [vA, vB, vA] },
      ['A 11', 'B 20', 'A 10'],
      false,
    ],
    [
      'edited there, and one added there that says what it said',
      { crm: [A, B], vendor: [line(null, 'A', '10', 'RENTAL_Y'), vB, vA] },
      ['A 10 RENTAL_Y', 'B 20', 'A 10'],
      false,
    ],
    [
      'same on both',
      { crm: [line('1', 'A', '11'), B], vendor: [line(null, 'A', '11'), vB] },
      ['A 11', 'B 20'],
      false,
    ],
    [
      'different on both',
      { crm: [line('1', 'A', '11'), B], vendor: [line(null, 'A', '12'), vB] },
      ['A 11', 'B 20'],
      true,
    ],
    ['removed here, edited there', { crm: [B], vendor: [line(null, 'A', '12'), vB] }, ['A 12', 'B 20'], true],
    ['edited here, removed there', { crm: [line('1', 'A', '11'), B], vendor: [vB] }, ['B 20', 'A 11'], true],
  ])('%s', (_, now, expected, conflict) => {
    const result = merged(BASE, now);
    expect(content(result.forCrm)).toEqual(expected);
    expect(content(result.forVendor)).toEqual(expected);
    expect(result.conflicts.length > 0).toBe(conflict);
  });
});

test('a line that each side shows in its normalised form, and nobody changed, is left as it is on each', () => {
  const base: Sides = { crm: [line('1', 'A', '10', 'Own type'), B], vendor: [vA, vB] };
  const now: Sides = { crm: base.crm, vendor: [vA, line(null, 'B', '25')] };
  const result = merged(base, now, 'vendor');
  expect(content(result.forCrm)).toEqual(['A 10 Own type', 'B 25']);
  expect(content(result.forVendor)).toEqual(['A 10', 'B 25']);
  expect(result.conflicts.length > 0).toBe(false);
});

test('a line that only the CRM had is no deletion at the vendor, and reaches it', () => {
  const base: Sides = { crm: [A, line('3', 'C', '5')], vendor: [vA] };
  const result = merged(base, base);
  expect(content(result.forCrm)).toEqual(['A 10', 'C 5']);
  expect(content(result.forVendor)).toEqual(['A 10', 'C 5']);
  expect(result.conflicts.length > 0).toBe(false);
});

test.each<[string, Sides, 'crm' | 'vendor', LineMerge['conflicts'][number]]>([
  [
    'changed on both, to the CRM’s',
    { crm: [line('1', 'A', '11'), B], vendor: [line(null, 'A', '12'), vB] },
    'crm',
    { winner: 'crm', crm: line('1', 'A', '11'), vendor: line('1', 'A', '12') },
  ],
  [
    'changed on both, to the vendor’s',
    { crm: [line('1', 'A', '11'), B], vendor: [line(null, 'A', '12'), vB] },
    'vendor',
    { winner: 'vendor', crm: line('1', 'A', '11'), vendor: line('1', 'A', '12') },
  ],
  [
    'deleted in the CRM, whoever is preferred',
    { crm: [B], vendor: [line(null, 'A', '12'), vB] },
    'crm',
    { winner: 'vendor', crm: null, vendor: line(null, 'A', '12') },
  ],
  [
    'deleted at the vendor, whoever is preferred',
    { crm: [line('1', 'A', '11'), B], vendor: [vB] },
    'vendor',
    { winner: 'crm', crm: line('1', 'A', '11'), vendor: null },
  ],
])('a conflict names its winner and both lines: %s', (_, now, prefer, conflict) => {
  expect(merged(BASE, now, prefer).conflicts).toEqual([conflict]);
});

describe('a line of which each side changed something', () => {
  type Cells = readonly [amount: string, revenueType: string | null];
  const sides = (crm: Cells, vendor: Cells): Sides => ({
    crm: [line('1', 'A', ...crm)],
    vendor: [line(null, 'A', ...vendor)],
  });
  const agreed = sides(['10', 'UPFRONT'], ['10', 'UPFRONT']);
  const untold = sides(['10', 'Odd'], ['10', 'UPFRONT']);

  describe.each(['crm', 'vendor'] as const)('whichever is preferred (%s)', (prefer) => {
    test.each<[string, Sides, Sides, string, string]>([
      [
        'amount there, type here',
        agreed,
        sides(['10', 'RENTAL'], ['12', 'UPFRONT']),
        'A 12 RENTAL',
        'A 12 RENTAL',
      ],
      [
        'amount here, type there',
        agreed,
        sides(['11', 'UPFRONT'], ['10', 'RENTAL']),
        'A 11 RENTAL',
        'A 11 RENTAL',
      ],
      [
        'amount there, type without a code here',
        agreed,
        sides(['10', 'Odd'], ['12', 'UPFRONT']),
        'A 12 Odd',
        'A 12 UPFRONT',
      ],
      [
        'amount there, beside a type without a code',
        untold,
        sides(['10', 'Odd'], ['12', 'UPFRONT']),
        'A 12 Odd',
        'A 12 UPFRONT',
      ],
      [
        'type there, beside a type without a code',
        untold,
        sides(['10', 'Odd'], ['10', 'RENTAL']),
        'A 10 RENTAL',
        'A 10 RENTAL',
      ],
      ['type cleared here, amount there', agreed, sides(['10', null], ['12', 'UPFRONT']), 'A 12', 'A 12'],
      [
        'both the same type, amount there',
        agreed,
        sides(['10', 'RENTAL'], ['12', 'RENTAL']),
        'A 12 RENTAL',
        'A 12 RENTAL',
      ],
    ])('%s', (_, before, now, forCrm, forVendor) => {
      const result = merged(before, now, prefer);
      expect(content(result.forCrm)).toEqual([forCrm]);
      expect(content(result.forVendor)).toEqual([forVendor]);
      expect(result.conflicts).toEqual([]);
    });
  });

  describe('of which a side names another offer', () => {
    const other = { crm: [line('1', 'A', '10', 'UPFRONT')], vendor: [line(null, 'C', '10', 'UPFRONT')] };

    test('is decided as a whole where the other changed something too', () => {
      const now = { ...other, crm: [line('1', 'A', '10', 'RENTAL')] };
      const forCrm = (prefer: 'crm' | 'vendor') => merged(agreed, now, prefer).forCrm;
      expect(forCrm('crm')).toStrictEqual(now.crm);
      expect(forCrm('vendor')).toStrictEqual([line('1', 'C', '10', 'UPFRONT')]);
      expect(merged(agreed, now, 'crm').conflicts).toEqual([
        { winner: 'crm', crm: now.crm[0], vendor: now.vendor[0] },
      ]);
    });

    test('is the CRM’s where only that side changed another, with the vendor’s type where its own has no code', () => {
      const result = merged(other, { ...other, crm: [line('1', 'A', '11', 'Odd')] }, 'vendor');
      expect(content(result.forVendor)).toEqual(['A 11 UPFRONT']);
      expect(result.conflicts).toEqual([]);
    });

    test('stays as each side shows it where nobody changed it since', () => {
      const result = merged(other, other, 'vendor');
      expect(result.forCrm).toStrictEqual(other.crm);
      expect(content(result.forVendor)).toEqual(['C 10 UPFRONT']);
      expect(result.conflicts).toEqual([]);
    });

    test('is a conflict where nobody has agreed on it', () => {
      const basePairs = [{ crmLineId: '1', position: 0 }];
      const of = { baseCrm: [], baseVendor: other.vendor, basePairs, hasCode };
      const result = mergeLines({ ...of, ...other }, 'vendor');
      expect(result.forCrm).toStrictEqual([line('1', 'C', '10', 'UPFRONT')]);
      expect(result.conflicts).toHaveLength(1);
    });
  });
});

describe('what won a conflict of a line', () => {
  const conflict = { winner: 'crm', crm: line('1', 'A', '11'), vendor: line('1', 'A', '12') } as const;
  test.each<[string, OfferLine, Parameters<typeof showsWinner>[1], boolean]>([
    ['is shown', line('1', 'A', '11'), conflict, true],
    ['is shown beside another type', line('1', 'A', '11', 'RENTAL'), conflict, true],
    ['is not shown by another amount', line('1', 'A', '12'), conflict, false],
    ['is not shown by another offer', line('1', 'B', '11'), conflict, false],
    ['of the vendor is shown', line('1', 'A', '12'), { ...conflict, winner: 'vendor' }, true],
    ['over a deletion is the whole line', line('1', 'A', '11'), { ...conflict, vendor: null }, true],
    [
      'over a deletion is not a line of another type',
      line('1', 'A', '11', 'RENTAL'),
      { ...conflict, vendor: null },
      false,
    ],
    [
      'over a deletion in the CRM',
      line('1', 'A', '12', 'RENTAL'),
      { ...conflict, winner: 'vendor', crm: null },
      false,
    ],
    [
      'over another offer is the whole line',
      line('1', 'A', '11', 'RENTAL'),
      { ...conflict, vendor: line(null, 'C', '11') },
      false,
    ],
    ['is nothing where no line won', line('1', 'A', '11'), { ...conflict, crm: null }, false],
  ])('%s', (_, shown, of, expected) => {
    expect(showsWinner(shown, of)).toBe(expected);
  });
});
