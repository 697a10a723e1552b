import { describe, expect, test } from 'vitest';
import type { FieldName, Observed } from '../../src/domain/canonical.ts';
import { FIELD_NAMES, FIELDS } from '../../src/domain/fields.ts';
import { merge, unsetOf } from '../../src/domain/merge.ts';
import { agreedBase, mergeInput } from '../support/engine-samples.ts';
import { mappingConfig } from '../support/mapping-fixtures.ts';

type Case = {
  readonly agreed: Observed | null;
  readonly crm: Observed;
  readonly vendor: Observed;
  readonly verdict: string | null;
  readonly toVendor?: Observed;
  readonly toCrm?: Observed;
};

const of = (name: string | null): Observed => ({ name });

test('the tenant’s rule of a field goes before the usual one', () => {
  const input = mergeInput(of('a'), of('b'), of('c'));
  const verdictBy = (rule: 'crm' | 'vendor' | 'manual') =>
    merge({ ...input, config: mappingConfig({ rules: { name: rule } }) }).decisions[0]?.verdict;
  expect([verdictBy('crm'), verdictBy('vendor'), verdictBy('manual')]).toEqual([
    'conflict-crm',
    'conflict-vendor',
    'conflict-held',
  ]);
});

describe('one field', () => {
  test.each<[string, Case]>([
    ['nothing changed', { agreed: of('a'), crm: of('a'), vendor: of('a'), verdict: null }],
    [
      'changed here',
      { agreed: of('a'), crm: of('b'), vendor: of('a'), verdict: 'to-vendor', toVendor: of('b') },
    ],
    ['changed there', { agreed: of('a'), crm: of('a'), vendor: of('b'), verdict: 'to-crm', toCrm: of('b') }],
    ['changed to the same', { agreed: of('a'), crm: of('b'), vendor: of('b'), verdict: 'same' }],
    [
      'cleared here',
      { agreed: of('a'), crm: of(null), vendor: of('a'), verdict: 'to-vendor', toVendor: of(null) },
    ],
    [
      'changed here, vendor unread',
      { agreed: of('a'), crm: of('b'), vendor: {}, verdict: 'to-vendor', toVendor: of('b') },
    ],
    [
      'hidden here, changed there',
      { agreed: of('a'), crm: {}, vendor: of('b'), verdict: 'to-crm', toCrm: of('b') },
    ],
    ['hidden here, the same there', { agreed: of('a'), crm: {}, vendor: of('a'), verdict: null }],
    ['not shown by either', { agreed: of('a'), crm: {}, vendor: {}, verdict: null }],
    [
      'conflict',
      { agreed: of('a'), crm: of('b'), vendor: of('c'), verdict: 'conflict-crm', toVendor: of('b') },
    ],
    ['first sight, equal', { agreed: null, crm: of('a'), vendor: of('a'), verdict: 'same' }],
    [
      'first sight, CRM only',
      { agreed: null, crm: of('a'), vendor: of(null), verdict: 'to-vendor', toVendor: of('a') },
    ],
    [
      'first sight, vendor only',
      { agreed: null, crm: of(null), vendor: of('a'), verdict: 'to-crm', toCrm: of('a') },
    ],
    [
      'first sight, both',
      { agreed: null, crm: of('a'), vendor: of('b'), verdict: 'conflict-crm', toVendor: of('a') },
    ],
  ])('%s', (_, { agreed, crm, vendor, verdict, toVendor = {}, toCrm = {} }) => {
    const result = merge(mergeInput(agreed, crm, vendor));
    expect(result.decisions.map((row) => row.verdict)).toEqual(verdict === null ? [] : [verdict]);
    expect([result.toVendor, result.toCrm]).toEqual([toVendor, toCrm]);
  });
});

describe('a field that the CRM did not show until now was never agreed on', () => {
  const base = { ...agreedBase({}), vendor: { description: 'theirs' } };
  test.each<[string, Observed, Observed, string | null]>([
    ['both have one', { description: 'ours' }, { description: 'theirs' }, 'conflict-crm'],
    ['the CRM has none', { description: null }, { description: 'theirs' }, 'to-crm'],
    ['the same', { description: 'theirs' }, { description: 'theirs' }, 'same'],
    ['still hidden', {}, { description: 'theirs' }, null],
  ])('%s', (_, crm, vendor, verdict) => {
    const { decisions } = merge({ ...mergeInput(null, crm, vendor), base });
    expect(decisions.map((row) => row.verdict)).toEqual(verdict === null ? [] : [verdict]);
  });
});

describe('newest decides only between intervals that do not overlap', () => {
  const at = (hour: number): string => `2026-03-01T0${hour}:00:00.000Z`;
  test.each([
    ['the vendor was last', [1, 2], [2, 3], 'conflict-vendor', 'newest'],
    ['the CRM was last', [3, 4], [1, 2], 'conflict-crm', 'newest'],
    ['they overlap', [1, 4], [2, 3], 'conflict-crm', 'newest: cannot tell, prefer crm'],
    ['one is not known', [null, null], [2, 3], 'conflict-crm', 'newest: cannot tell, prefer crm'],
  ] as const)('%s', (_, crm, vendor, verdict, rule) => {
    const span = ([after, until]: readonly (number | null)[]): {
      after: string | null;
      until: string | null;
    } => ({
      after: after == null ? null : at(after),
      until: until == null ? null : at(until),
    });
    const changes = { crmChange: span(crm), vendorChange: span(vendor) };
    const { decisions } = merge(mergeInput(of('a'), of('b'), of('c'), changes));
    expect(decisions).toMatchObject([
      { verdict, rule, base: { crm: 'a', vendor: 'a' }, crm: 'b', vendor: 'c' },
    ]);
  });

  test('where it cannot tell, the side that the tenant declared wins', () => {
    const config = mappingConfig({ prefer: 'vendor' });
    const { decisions, toCrm } = merge(mergeInput(of('a'), of('b'), of('c'), { config }));
    expect(decisions).toMatchObject([{ verdict: 'conflict-vendor' }]);
    expect(toCrm).toEqual(of('c'));
  });
});

describe('direction', () => {
  const contact = [{ salesRepEmail: 'a@b.test', salesRepFirstName: 'A', salesRepLastName: 'B' }];
  test.each<[FieldName, unknown, unknown]>([
    ['currency', 'EUR', 'USD'],
    ['partnerContacts', contact, []],
    ['customerContacts', [], [{ email: 'a@b.test', firstName: 'A', lastName: 'B' }]],
    ['customerLegalEntity', { name: 'A' }, { name: 'B' }],
  ])('%s never travels to the CRM', (field, ours, theirs) => {
    const there = merge(mergeInput({ [field]: ours }, { [field]: ours }, { [field]: theirs }));
    expect(there).toMatchObject({ toCrm: {}, toVendor: {}, decisions: [{ verdict: 'ignored' }] });
    const here = merge(mergeInput({ [field]: theirs }, { [field]: ours }, { [field]: theirs }));
    expect(here).toMatchObject({ toCrm: {}, toVendor: { [field]: ours } });
  });

  test.each<[string, string | null, string | null, string | null, string]>([
    ['fills an empty one', null, null, 'S2', 'to-crm'],
    ['leaves a set one', 'S1', 'S1', 'S2', 'ignored'],
    ['gives way to the CRM', null, 'S1', 'S2', 'conflict-crm'],
  ])('the vendor’s site id %s', (_, agreed, crm, vendor, verdict) => {
    const site = (customerSiteId: string | null): Observed => ({ customerSiteId });
    const { decisions } = merge(mergeInput(site(agreed), site(crm), site(vendor)));
    expect(decisions.map((row) => row.verdict)).toEqual([verdict]);
  });
});

describe('a value that the vendor filled in by default (sales spec 2.1, 2.3)', () => {
  const afterCreate = { ...agreedBase({}), crm: { forecastCategory: null }, unconfirmed: FIELD_NAMES };
  const defaulted = {
    ...afterCreate,
    vendor: { forecastCategory: 'UPSIDE' },
    unconfirmed: [],
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
    expect(decisions.map((row) => row.verdict)).toEqual(verdict === null ? [] : [verdict]);
  });
});

test('a CRM value without translation is neither sent nor overwritten', () => {
  const untranslatable = new Set<FieldName>(['status']);
  const result = merge(mergeInput({ status: 'QUALIFIED' }, {}, { status: 'ACCEPTED' }, { untranslatable }));
  expect(result).toMatchObject({
    toCrm: {},
    toVendor: {},
    decisions: [{ field: 'status', verdict: 'withheld' }],
  });
});

test('every kind of field has its own way of being unset', () => {
  const lists = FIELD_NAMES.filter((field) => Array.isArray(unsetOf(field)));
  expect(lists).toEqual([
    'reasonWon',
    'reasonLost',
    'competitors',
    'offerLines',
    'customerContacts',
    'partnerContacts',
  ]);
  expect(FIELDS.offerLines.kind).toBe('lines');
});
