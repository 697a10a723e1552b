import { describe, expect, test } from 'vitest';
import { baseAfterMerge } from '../../../../src/domain/base/next-base.ts';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput, vendorReading } from '../../../support/value-engine/samples.ts';

describe('a value that the vendor filled in by default (sales spec 2.1, 2.3)', () => {
  const CREATED = { ...agreedBase({}), crm: { forecastCategory: null }, awaitingEcho: FIELD_NAMES };
  const NOTED = {
    ...CREATED,
    vendor: { forecastCategory: 'UPSIDE' },
    awaitingEcho: [],
    defaulted: ['forecastCategory' as const],
  };
  const CRM_HAD = { ...CREATED, crm: { forecastCategory: 'SAFE' } };
  const SENT = { ...CREATED, vendor: { forecastCategory: 'SAFE' } };
  type Agreed = typeof CREATED | typeof NOTED | ReturnType<typeof agreedBase>;

  function expectVerdict(base: Agreed, crm: Observed, vendor: Observed, verdict: string | null): void {
    const { decisions } = merge({ ...mergeInput(null, crm, vendor), base });
    const verdicts = decisions.filter((row) => row.field !== 'status').map((row) => row.verdict);
    expect(verdicts).toEqual(verdict === null ? [] : [verdict]);
    const rules = decisions.filter((row) => row.verdict === 'defaulted').map((row) => row.rule);
    expect(rules).toEqual(verdict === 'defaulted' ? ['vendor default'] : []);
  }

  type Code = string | null | 'hidden';
  const forecast = (code: Code): Observed => (code === 'hidden' ? {} : { forecastCategory: code });
  test.each<[what: string, agreed: Agreed, crm: Code, vendor: Code, verdict: string | null]>([
    ['stays at the vendor', CREATED, null, 'UPSIDE', 'defaulted'],
    ['is no news later', NOTED, null, 'UPSIDE', null],
    ['stays there though the CRM did not show the field', { ...NOTED, crm: {} }, null, 'UPSIDE', 'defaulted'],
    ['gives way to what the CRM has now', CREATED, 'SAFE', 'UPSIDE', 'to-vendor'],
    ['does not stand against a CRM value that is set', CRM_HAD, 'SAFE', 'UPSIDE', 'to-crm'],
    ['nor against one that the CRM does not show now', CRM_HAD, 'hidden', 'UPSIDE', 'to-crm'],
    ['is the edit of a person where we had sent another one', SENT, null, 'UPSIDE', 'to-crm'],
    ['is one where none was left to the vendor', { ...CREATED, awaitingEcho: [] }, null, 'UPSIDE', 'to-crm'],
    ['travels once the vendor changes it', NOTED, null, 'COMMIT', 'to-crm'],
    ['is overwritten once the CRM sets one', NOTED, 'SAFE', 'UPSIDE', 'to-vendor'],
  ])('%s', (_, agreed, crm, vendor, verdict) => {
    expectVerdict(agreed, forecast(crm), forecast(vendor), verdict);
  });

  test.each<[what: string, crm: Observed, vendor: Observed, verdict: string]>([
    ['a list that the CRM has', { reasonWon: ['FUNC_GAP'] }, { reasonWon: ['STRNG_VAL_PROP'] }, 'to-crm'],
    ['a list that the CRM has not', { reasonWon: [] }, { reasonWon: ['STRNG_VAL_PROP'] }, 'defaulted'],
  ])('of %s is %4$s', (_, crm, vendor, verdict) => {
    expectVerdict({ ...CREATED, crm }, crm, vendor, verdict);
  });

  test('is none where the system set it, read before or not', () => {
    expectVerdict(CREATED, forecast(null), { ...forecast('WON'), status: 'WON' }, 'to-crm');
  });

  test('is another than the documented one only where a person wrote it', () => {
    expectVerdict(CREATED, forecast(null), { ...forecast('COMMIT'), status: 'OPPY_OPEN' }, 'to-crm');
  });

  test('is an edit of a field without a documented default', () => {
    expectVerdict({ ...CREATED, crm: {} }, { description: null }, { description: 'x' }, 'to-crm');
  });
});

test.each(['WON', 'LOST'])('a forecast %s that the vendor’s system set wins over any other', (code) => {
  const agreed = { forecastCategory: 'UPSIDE' };
  const edited = { forecastCategory: 'COMMIT' };
  const merged = merge(mergeInput(agreed, edited, { forecastCategory: code }));
  expect(merged.decisions).toMatchObject([{ verdict: 'conflict-vendor', rule: 'set by the system of the vendor' }]);
  expect(merged.toCrm).toEqual({ forecastCategory: code });
});

test('a default that the CRM’s value goes over is known as one from then on, though that value cannot be sent yet', () => {
  const shown: Observed = { forecastCategory: 'UPSIDE' };
  const entered: Observed = { forecastCategory: 'SAFE' };
  const before = { ...agreedBase({}), crm: { forecastCategory: null }, awaitingEcho: FIELD_NAMES };
  const merged = merge({ ...mergeInput({}, entered, shown), base: before });
  expect(merged.overDefaults).toEqual(['forecastCategory']);
  const look = { graph: crmGraph(), record: entered, issues: [] };
  const after = { ...baseAfterMerge(before, merged, look, vendorReading(shown)), awaitingEcho: [] };
  expect([after.crm.forecastCategory, after.vendor.forecastCategory]).toEqual([null, 'UPSIDE']);
  const decided = (vendor: Observed) =>
    merge({
      ...mergeInput({}, entered, vendor, { config: mappingConfig({ prefer: 'vendor' }) }),
      base: after,
    });
  expect(decided(shown).decisions).toMatchObject([{ field: 'forecastCategory', verdict: 'to-vendor' }]);
  expect(decided({ forecastCategory: 'COMMIT' }).decisions).toMatchObject([{ verdict: 'conflict-vendor' }]);
});
