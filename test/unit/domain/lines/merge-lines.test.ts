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
const vC = line(null, 'C', '11');

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
  lines.map((one) => [one.offerNameId, one.amount, one.revenueType].filter((part) => part !== null).join(' '));
const text = (lines: readonly OfferLine[]): string => content(lines).join(', ');

/** Lines as `offer amount type`; one of the CRM has its id before a colon. */
const lines = (of: string): OfferLine[] =>
  of.split(', ').map((one) => {
    const [, id = null, offer = '', amount = '', type = null] = /^(?:(\d):)?(\w) (\d+)(?: (\w+))?$/.exec(one) ?? [];
    return line(id, offer, amount, type);
  });

const BASE: Sides = { crm: [A, B], vendor: [vA, vB] };

describe('a list that one or both sides changed', () => {
  test.each([
    { changed: 'nothing', crm: '1:A 10, 2:B 20', vendor: 'A 10, B 20', both: 'A 10, B 20' },
    { changed: 'amount here', crm: '1:A 11, 2:B 20', vendor: 'A 10, B 20', both: 'A 11, B 20' },
    { changed: 'amount there', crm: '1:A 10, 2:B 20', vendor: 'A 12, B 20', both: 'A 12, B 20' },
    { changed: 'one each', crm: '1:A 11, 2:B 20', vendor: 'A 10, B 22', both: 'A 11, B 22' },
    { changed: 'added here', crm: '1:A 10, 2:B 20, 3:C 5', vendor: 'A 10, B 20', both: 'A 10, B 20, C 5' },
    { changed: 'added there', crm: '1:A 10, 2:B 20', vendor: 'A 10, B 20, C 5', both: 'A 10, B 20, C 5' },
    {
      changed: 'added on both',
      ...{ crm: '1:A 10, 2:B 20, 3:C 5', vendor: 'A 10, B 20, D 5', both: 'A 10, B 20, D 5, C 5' },
    },
    { changed: 'deleted here', crm: '2:B 20', vendor: 'A 10, B 20', both: 'B 20' },
    { changed: 'deleted there', crm: '1:A 10, 2:B 20', vendor: 'B 20', both: 'B 20' },
    { changed: 'deleted on both', crm: '2:B 20', vendor: 'B 20', both: 'B 20' },
    { changed: 'replaced here', crm: '9:A 30, 2:B 20', vendor: 'A 10, B 20', both: 'A 30, B 20' },
    { changed: 'made again here', crm: '9:A 10, 2:B 20', vendor: 'A 10, B 20', both: 'A 10, B 20' },
    {
      changed: 'made again here, edited there',
      ...{ crm: '9:A 10, 2:B 20', vendor: 'A 12, B 20', both: 'A 12, B 20' },
    },
    {
      changed: 'edited here, and one added there that says what it said',
      ...{ crm: '1:A 11, 2:B 20', vendor: 'A 10, B 20, A 10', both: 'A 11, B 20, A 10' },
    },
    {
      changed: 'edited there, and one added there that says what it said',
      ...{ crm: '1:A 10, 2:B 20', vendor: 'A 10 RENTAL_Y, B 20, A 10', both: 'A 10 RENTAL_Y, B 20, A 10' },
    },
    { changed: 'the same on both', crm: '1:A 11, 2:B 20', vendor: 'A 11, B 20', both: 'A 11, B 20' },
  ])('$changed: both sides get $both', ({ crm, vendor, both }) => {
    const result = merged(BASE, { crm: lines(crm), vendor: lines(vendor) });
    expect([text(result.forCrm), text(result.forVendor)]).toEqual([both, both]);
    expect(result.conflicts).toEqual([]);
  });

  test.each([
    { changed: 'on both', prefer: 'crm', crm: '1:A 11, 2:B 20', vendor: 'A 12, B 20', both: 'A 11, B 20' },
    { changed: 'on both', prefer: 'vendor', crm: '1:A 11, 2:B 20', vendor: 'A 12, B 20', both: 'A 12, B 20' },
    {
      changed: 'there, deleted here',
      prefer: 'crm',
      crm: '2:B 20',
      vendor: 'A 12, B 20',
      both: 'A 12, B 20',
    },
    {
      changed: 'here, deleted there',
      prefer: 'vendor',
      crm: '1:A 11, 2:B 20',
      vendor: 'B 20',
      both: 'B 20, A 11',
    },
  ] as const)(
    'a line changed $changed is a conflict; where the $prefer’s is preferred, both get $both',
    ({ prefer, crm, vendor, both }) => {
      const result = merged(BASE, { crm: lines(crm), vendor: lines(vendor) }, prefer);
      expect([text(result.forCrm), text(result.forVendor)]).toEqual([both, both]);
      expect(result.conflicts).toHaveLength(1);
    },
  );
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
  const agreed: Sides = { crm: lines('1:A 10 UPFRONT'), vendor: lines('A 10 UPFRONT') };
  /** `Odd` is a type that the vendor has no code for. */
  const untold: Sides = { crm: lines('1:A 10 Odd'), vendor: lines('A 10 UPFRONT') };

  describe.each(['crm', 'vendor'] as const)('whichever is preferred (%s)', (prefer) => {
    test.each([
      { before: agreed, crm: '1:A 10 RENTAL', vendor: 'A 12 UPFRONT', forBoth: 'A 12 RENTAL' },
      { before: agreed, crm: '1:A 11 UPFRONT', vendor: 'A 10 RENTAL', forBoth: 'A 11 RENTAL' },
      { before: agreed, crm: '1:A 10', vendor: 'A 12 UPFRONT', forBoth: 'A 12' },
      { before: agreed, crm: '1:A 10 RENTAL', vendor: 'A 12 RENTAL', forBoth: 'A 12 RENTAL' },
      { before: untold, crm: '1:A 10 Odd', vendor: 'A 10 RENTAL', forBoth: 'A 10 RENTAL' },
    ])('$crm here and $vendor there are $forBoth on both', ({ before, crm, vendor, forBoth }) => {
      const result = merged(before, { crm: lines(crm), vendor: lines(vendor) }, prefer);
      expect([text(result.forCrm), text(result.forVendor)]).toEqual([forBoth, forBoth]);
      expect(result.conflicts).toEqual([]);
    });

    test.each([
      { when: 'it is chosen', before: agreed },
      { when: 'it was chosen before', before: untold },
    ])('a type without a code stays here, and the vendor’s there, when $when', ({ before }) => {
      const result = merged(before, { crm: lines('1:A 10 Odd'), vendor: lines('A 12 UPFRONT') }, prefer);
      expect([text(result.forCrm), text(result.forVendor)]).toEqual(['A 12 Odd', 'A 12 UPFRONT']);
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
      expect(merged(agreed, now, 'crm').conflicts).toEqual([{ winner: 'crm', crm: now.crm[0], vendor: now.vendor[0] }]);
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
  test.each<[what: string, shown: string, of: Parameters<typeof showsWinner>[1], isShown: boolean]>([
    ['is shown', '1:A 11', conflict, true],
    ['is shown beside another type', '1:A 11 RENTAL', conflict, true],
    ['is not shown by another amount', '1:A 12', conflict, false],
    ['is not shown by another offer', '1:B 11', conflict, false],
    ['of the vendor is shown', '1:A 12', { ...conflict, winner: 'vendor' }, true],
    ['over a deletion is the whole line', '1:A 11', { ...conflict, vendor: null }, true],
    ['over a deletion is not a line of another type', '1:A 11 RENTAL', { ...conflict, vendor: null }, false],
    ['over a deletion in the CRM', '1:A 12 RENTAL', { ...conflict, winner: 'vendor', crm: null }, false],
    ['over another offer is the whole line', '1:A 11 RENTAL', { ...conflict, vendor: vC }, false],
    ['is nothing where no line won', '1:A 11', { ...conflict, crm: null }, false],
  ])('%s: %s', (_, shown, of, isShown) => {
    expect(lines(shown).map((one) => showsWinner(one, of))).toEqual([isShown]);
  });
});
