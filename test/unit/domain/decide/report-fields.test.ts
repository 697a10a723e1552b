import { describe, expect, test } from 'vitest';
import { dueReport, refreshedSync, reportInput } from '../../../../src/domain/decide/report.ts';
import { type SidesLink, sidesOf } from '../../../../src/domain/decide/report-fields.ts';
import type { Base } from '../../../../src/domain/record/base.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { issue } from '../../../../src/domain/record/issue.ts';
import { agreedBase, linkSample, vendorReading } from '../../../support/value-engine/samples.ts';

const parsed = (text: unknown): unknown => (text === null ? null : JSON.parse(String(text)));

/** What the component reads about one field: its state and, for readers of values, both sides. */
function shown(field: string, link: Partial<SidesLink>, mapping: Parameters<typeof sidesOf>[1] = {}) {
  const fields = sidesOf({ base: null, issues: [], vendorObservation: null, crmId: null, ...link }, mapping);
  const states = parsed(fields['Field_States__c']) as { field: string }[];
  const values = parsed(fields['Field_Values__c']) as Record<string, unknown> | null;
  return { state: states.find((row) => row.field === field), values: values?.[field] ?? null };
}

const based = (more: Partial<Base>): Partial<SidesLink> => ({ base: agreedBase({}, more) });
const saved = { rule: 'newest', crmSavedAt: '2026-03-01T10:00:00.000Z', vendorSavedAt: null };
const line = (amount: string) => ({ offerNameId: 'o-1', amount, revenueType: null });

describe('the deal field by field', () => {
  test('has every mapped field once, in the order of the mapping, and no value of a field that is the same', () => {
    const fields = sidesOf(
      { issues: [], vendorObservation: null, crmId: null, base: agreedBase({ name: 'Ours' }) },
      {},
    );
    const states = parsed(fields['Field_States__c']) as { field: string; is: string }[];
    expect(states.map(({ field }) => field)).toEqual(FIELD_NAMES);
    expect(new Set(states.map(({ is }) => is))).toEqual(new Set(['same']));
    expect(fields['Field_Values__c']).toBeNull();
    expect(fields['Field_States__c']).not.toContain('Ours');
  });

  test('of a lead names the fields of the lead, and none that a lead lacks', () => {
    const fields = sidesOf({ issues: [], vendorObservation: null, crmId: '00Q000000000001AAA', base: null }, {});
    const states = parsed(fields['Field_States__c']) as { field: string; crm: string }[];
    const of = Object.fromEntries(states.map(({ field, crm }) => [field, crm]));
    expect(of).toMatchObject({ name: 'Vendor_Deal_Name__c', status: 'Status', closeDate: 'Vendor_Close_Date__c' });
    expect(of).toMatchObject({ offerLines: 'OpportunityLineItem', customerLegalEntity: 'Account' });
    expect(Object.keys(of)).not.toContain('reasonWon');
  });

  test.each<[string, string, Partial<SidesLink>, object, unknown]>([
    [
      'a conflict that waits, before the issue that says so',
      'description',
      {
        ...based({ held: { description: { crm: 'Ours', vendor: null } } }),
        issues: [issue('conflict', 'description', 'Choose.')],
      },
      { is: 'conflict' },
      { crm: 'Ours', vendor: null },
    ],
    [
      'a change that a side refused, with the value that the vendor has',
      'nextMilestone',
      {
        issues: [issue('vendor-refused', 'nextMilestone', 'Correct it.')],
        vendorObservation: vendorReading({ nextMilestone: 'Theirs' }),
      },
      { is: 'waits', why: 'Correct it.' },
      { vendor: 'Theirs' },
    ],
    [
      'a notice that holds nothing back',
      'nextMilestone',
      { issues: [issue('forecast-of-vendor', 'nextMilestone', 'Nothing to do.')] },
      { is: 'same' },
      null,
    ],
    [
      'an overruled value',
      'description',
      based({ overruled: { description: { ...saved, winner: 'crm', crm: 'Ours', vendor: 'Theirs' } } }),
      { is: 'overruled', wins: 'crm', why: 'newest', crmSavedAt: saved.crmSavedAt },
      { crm: 'Ours', vendor: 'Theirs' },
    ],
    [
      'lines that were decided for both sides',
      'offerLines',
      based({
        overruled: {
          offerLines: {
            ...saved,
            lines: [
              { winner: 'crm', crm: line('1'), vendor: null },
              { winner: 'vendor', crm: line('2'), vendor: line('3') },
            ],
          },
        },
      }),
      { is: 'overruled', wins: 'both' },
      { crm: 'o-1 1, o-1 2', vendor: 'o-1 3' },
    ],
    [
      'a default of the vendor in a field that is empty here',
      'forecastCategory',
      { base: { ...agreedBase({}), defaulted: ['forecastCategory'], vendor: { forecastCategory: 'PIPELINE' } } },
      { is: 'filled' },
      { vendor: 'PIPELINE' },
    ],
  ])('shows %s', (_, field, link, state, values) => {
    expect(shown(field, link)).toMatchObject({ state, values });
  });

  test('names the field, the direction and the rule of the tenant’s mapping', () => {
    const mapping = {
      fields: { nextMilestone: { crm: 'Step__c' } },
      rules: { nextMilestone: 'vendor' },
      directions: { nextMilestone: 'to-crm' },
    } as const;
    expect(shown('nextMilestone', {}, mapping).state).toEqual({
      ...{ field: 'nextMilestone', name: 'next milestone', crm: 'Step__c' },
      ...{ goes: 'to-crm', rule: 'vendor', is: 'same' },
    });
  });

  test('shows the beginning of a long text', () => {
    const crm = 'x'.repeat(300);
    const { values } = shown('description', based({ held: { description: { crm, vendor: ['a', 'b'] } } }));
    expect(values).toEqual({ crm: `${'x'.repeat(254)}…`, vendor: 'a, b' });
  });
});

describe('a report', () => {
  const link = linkSample({
    state: 'conflict',
    base: { ...agreedBase({}), held: { description: { crm: 'a', vendor: 'b' } } },
  });

  test('shows the deal field by field, which alone makes none due and goes along with a write', () => {
    const due = dueReport(reportInput(link, {}));
    expect(parsed(due?.report.sync['Field_Values__c'])).toEqual({ description: { crm: 'a', vendor: 'b' } });
    const reported = due?.shows ?? null;
    const input = reportInput({ ...link, reported }, { rules: { description: 'manual' } });
    expect(dueReport(input)).toBeNull();
    expect(refreshedSync(input)?.['Field_States__c']).toContain('manual');
  });
});
