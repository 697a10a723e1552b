import { describe, expect, it, test } from 'vitest';
import { overruledWords } from '../../../../src/domain/decide/report-words.ts';
import { laterRecord } from '../../../../src/domain/merge/newest.ts';
import { withOverruled } from '../../../../src/domain/merge/overruled.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { FieldDecision } from '../../../../src/domain/record/field-decision.ts';

const stamp = (until: string | null) => ({ after: null, until });
const CRM = stamp('2027-01-04T10:00:05.000Z');
const VENDOR = stamp('2027-01-04T10:00:06.200Z');
const changes = { crmChange: CRM, vendorChange: VENDOR, config: {} };

function decision(verdict: FieldDecision['verdict'], values: Partial<FieldDecision> = {}): FieldDecision {
  const base = { crm: 'Old', vendor: 'Old' };
  return { field: 'name', verdict, rule: 'newest', base, crm: 'Ours', vendor: 'Theirs', ...values };
}

test.each([
  ['the vendor saved a second later', CRM, VENDOR, 'vendor'],
  ['the CRM saved later', VENDOR, CRM, 'crm'],
  ['within one second, which the CRM cannot tell', CRM, stamp('2027-01-04T10:00:05.900Z'), 'crm'],
  ['the vendor tells no time', CRM, stamp(null), 'crm'],
  ['the CRM tells no time', stamp(null), VENDOR, 'crm'],
] as const)('the later record: %s', (_, crm, vendor, expected) => {
  expect(laterRecord(crm, vendor)).toBe(expected);
});

describe('what a rule decided against', () => {
  it.each(['conflict-crm', 'conflict-vendor'] as const)('is kept with both values: %s', (verdict) => {
    expect(withOverruled(EMPTY_BASE, [decision(verdict)], changes).overruled).toEqual({
      name: {
        winner: verdict === 'conflict-crm' ? 'crm' : 'vendor',
        rule: 'newest',
        crm: 'Ours',
        vendor: 'Theirs',
        crmSavedAt: CRM.until,
        vendorSavedAt: VENDOR.until,
      },
    });
  });

  const result = withOverruled(EMPTY_BASE, [decision('conflict-crm')], changes);

  it('stays while the field does, whatever becomes of others', () => {
    expect(withOverruled(result, [], changes)).toEqual(result);
    expect(withOverruled(result, [decision('to-crm', { field: 'description' })], changes)).toEqual(result);
  });

  describe('of lines', () => {
    const line = (amount: string) => ({ offerNameId: 'A', amount, revenueType: null });
    const lines = [{ winner: 'vendor' as const, crm: line('1'), vendor: line('2') }];
    const shown = { field: 'offerLines' as const, crm: [line('1')], vendor: [line('2')] };
    const typed = { ...line('2'), revenueType: 'UPFRONT' };
    const known = withOverruled(EMPTY_BASE, [decision('to-crm', { ...shown, lines })], changes);
    const after = (item: FieldDecision) => Object.keys(withOverruled(known, [item], changes).overruled ?? {});

    it.each<[string, FieldDecision, readonly string[]]>([
      ['stays while its side shows it', decision('to-crm', shown), ['offerLines']],
      ['goes with the line', decision('to-crm', { ...shown, vendor: [line('3')] }), []],
      ['goes though the other side shows it', decision('to-vendor', { ...shown, crm: [line('2')], vendor: [] }), []],
      [
        'stays while the rest of the line is not written yet',
        decision('to-crm', { ...shown, vendor: [typed] }),
        ['offerLines'],
      ],
      ['goes where the CRM did not take it', decision('withheld', shown), []],
    ])('%s', (_, item, expected) => {
      expect(Object.keys(known.overruled ?? {})).toEqual(['offerLines']);
      expect(after(item)).toEqual(expected);
    });
  });

  it('is reported in words: who stays, who does not, when, by which rule', () => {
    expect(overruledWords(result)).toEqual([
      'Overruled: name was changed on both sides: "Ours" in the CRM (saved 2027-01-04 10:00:05 UTC) stays, "Theirs" at the vendor (saved 2027-01-04 10:00:06 UTC) does not (newest); change it again if that is wrong.',
    ]);
    expect(overruledWords(null)).toEqual([]);
  });

  it.each([
    ['', 'nothing'],
    [null, 'nothing'],
    [undefined, 'nothing'],
    [['A', 'B'], '"A, B"'],
    [[], 'nothing'],
    [[{ offer: 'x' }], '"{"offer":"x"}"'],
    [['y'.repeat(80), 'Z'], `2 entries with "${'y'.repeat(80)}…"`],
    ['x'.repeat(80), `"${'x'.repeat(80)}"`],
    ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
  ])('shows %o as %s', (value, shown) => {
    const lost = decision('conflict-vendor', { crm: value });
    const [words] = overruledWords(
      withOverruled(EMPTY_BASE, [lost], { crmChange: stamp(null), vendorChange: stamp(null), config: {} }),
    );
    expect(words).toContain(`"Theirs" at the vendor stays, ${shown} in the CRM does not`);
  });
});
