import { describe, expect, test } from 'vitest';
import { baseAfterMerge } from '../../../../src/domain/base/next-base.ts';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { Observed } from '../../../../src/domain/record/canonical.ts';
import { FIELD_NAMES } from '../../../../src/domain/record/fields.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput, vendorReading } from '../../../support/value-engine/samples.ts';

describe('a value that the vendor filled in by default (sales spec 2.1, 2.3)', () => {
  const afterCreate = { ...agreedBase({}), crm: { forecastCategory: null }, awaitingEcho: FIELD_NAMES };
  const defaulted = {
    ...afterCreate,
    vendor: { forecastCategory: 'UPSIDE' },
    awaitingEcho: [],
    defaulted: ['forecastCategory' as const],
  };
  const forecast = (forecastCategory: string | null): Observed => ({ forecastCategory });
  test.each([
    ['stays at the vendor', afterCreate, forecast(null), forecast('UPSIDE'), 'defaulted'],
    ['is no news later', defaulted, forecast(null), forecast('UPSIDE'), null],
    [
      'stays there though the CRM did not show the field before',
      { ...defaulted, crm: {} },
      forecast(null),
      forecast('UPSIDE'),
      'defaulted',
    ],
    ['gives way to what the CRM has now', afterCreate, forecast('SAFE'), forecast('UPSIDE'), 'to-vendor'],
    [
      'does not stand against a CRM value that is set',
      { ...afterCreate, crm: { forecastCategory: 'SAFE' } },
      forecast('SAFE'),
      forecast('UPSIDE'),
      'to-crm',
    ],
    [
      'does not stand against a list of the CRM that is set',
      { ...afterCreate, crm: { reasonWon: ['FUNC_GAP'] } },
      { reasonWon: ['FUNC_GAP'] },
      { reasonWon: ['STRNG_VAL_PROP'] },
      'to-crm',
    ],
    [
      'is the edit of a person where we had sent another one',
      { ...afterCreate, vendor: { forecastCategory: 'SAFE' } },
      forecast(null),
      forecast('UPSIDE'),
      'to-crm',
    ],
    [
      'is the edit of a person where none was left to the vendor',
      { ...afterCreate, awaitingEcho: [] },
      forecast(null),
      forecast('UPSIDE'),
      'to-crm',
    ],
    [
      'nor against one that the CRM does not show now',
      { ...afterCreate, crm: { forecastCategory: 'SAFE' } },
      {},
      forecast('UPSIDE'),
      'to-crm',
    ],
    [
      'is none where the system set it, read before or not',
      afterCreate,
      forecast(null),
      { ...forecast('WON'), status: 'WON' },
      'to-crm',
    ],
    [
      'is another one than the documented one only by the writer of a person',
      afterCreate,
      forecast(null),
      { ...forecast('COMMIT'), status: 'OPPY_OPEN' },
      'to-crm',
    ],
    [
      'is a list where the field is one',
      { ...afterCreate, crm: { reasonWon: [] } },
      { reasonWon: [] },
      { reasonWon: ['STRNG_VAL_PROP'] },
      'defaulted',
    ],
    ['travels once the vendor changes it', defaulted, forecast(null), forecast('COMMIT'), 'to-crm'],
    ['is overwritten once the CRM sets one', defaulted, forecast('SAFE'), forecast('UPSIDE'), 'to-vendor'],
    [
      'of a field without documented default is an edit',
      { ...afterCreate, crm: {} },
      { description: null },
      { description: 'x' },
      'to-crm',
    ],
  ])('%s', (_, base, crm, vendor, verdict) => {
    const { decisions } = merge({ ...mergeInput(null, crm, vendor), base });
    const verdicts = decisions.filter((row) => row.field !== 'status').map((row) => row.verdict);
    expect(verdicts).toEqual(verdict === null ? [] : [verdict]);
    const rules = decisions.filter((row) => row.verdict === 'defaulted').map((row) => row.rule);
    expect(rules).toEqual(verdict === 'defaulted' ? ['vendor default'] : []);
  });

  test.each([
    ['is told from an edit by the first reading', 'manager@vendor.example', 'to-crm'],
    ['is the one that was read before, in any spelling', 'ANN@vendor.example', 'defaulted'],
    ['is whatever stands there where nothing was read before', undefined, 'defaulted'],
  ])('%s', (_, before, verdict) => {
    const base = { ...agreedBase({}), crm: { dsOwnerEmail: null }, awaitingEcho: FIELD_NAMES };
    const filledIn = before === undefined ? undefined : { dsOwnerEmail: before };
    const sides = mergeInput(null, { dsOwnerEmail: null }, { dsOwnerEmail: 'ann@vendor.example' });
    expect(merge({ ...sides, base, filledIn }).decisions).toMatchObject([{ verdict }]);
  });
});

test.each(['WON', 'LOST'])('a forecast %s that the vendor’s system set wins over any other', (code) => {
  const agreed = { forecastCategory: 'UPSIDE' };
  const edited = { forecastCategory: 'COMMIT' };
  const merged = merge(mergeInput(agreed, edited, { forecastCategory: code }));
  expect(merged.decisions).toMatchObject([
    { verdict: 'conflict-vendor', rule: 'set by the system of the vendor' },
  ]);
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
