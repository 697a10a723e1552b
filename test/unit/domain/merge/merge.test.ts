import { describe, expect, test } from 'vitest';
import { merge } from '../../../../src/domain/merge/merge.ts';
import type { FieldName, Observed } from '../../../../src/domain/record/canonical.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';
import { agreedBase, mergeInput } from '../../../support/value-engine/samples.ts';

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

test('two sides that never agreed on a manual field wait for a person', () => {
  const config = mappingConfig({ rules: { name: 'manual' } });
  expect(merge(mergeInput(null, of('b'), of('c'), { config })).held).toEqual(['name']);
});

test('what two sides never agreed on ends as a person prefers, whatever the rule, and nothing else does', () => {
  const sides = { crm: { name: 'b', description: 'ours' }, vendor: { name: 'c', nextMilestone: 'theirs' } };
  for (const rule of ['manual', 'crm', 'vendor'] as const) {
    const config = mappingConfig({ rules: { name: rule } });
    const preferring = (firstPick: 'crm' | 'vendor', agreed: Observed | null = null) =>
      merge({ ...mergeInput(agreed, sides.crm, sides.vendor, { config }), firstPick });
    expect(preferring('crm')).toMatchObject({
      toVendor: { name: 'b', description: 'ours' },
      toCrm: { nextMilestone: 'theirs' },
      held: [],
    });
    expect(preferring('vendor')).toMatchObject({
      toVendor: { description: 'ours' },
      toCrm: { name: 'c', nextMilestone: 'theirs' },
      held: [],
    });
    const before = merge(mergeInput(of('a'), of('b'), of('c'), { config })).decisions[0]?.verdict;
    expect(preferring('crm', of('a')).decisions.find(({ field }) => field === 'name')?.verdict).toBe(before);
  }
});

test('a text that is spelled like a status closes no deal', () => {
  const [ours, theirs] = [{ description: 'ours' }, { description: 'WON' }];
  expect(merge(mergeInput({ description: 'old' }, ours, theirs)).toVendor).toEqual(ours);
});

describe('one field', () => {
  /** `undefined`: not shown; nothing at all was agreed where `agreed` is `never`. */
  type Value = string | null | undefined;
  const shown = (name: Value): Observed => (name === undefined ? {} : of(name));

  test.each<[what: string, agreed: Value | 'never', crm: Value, vendor: Value, verdict: string, goes: string]>([
    ['nothing changed', 'a', 'a', 'a', '', ''],
    ['changed here', 'a', 'b', 'a', 'to-vendor', 'b to the vendor'],
    ['changed there', 'a', 'a', 'b', 'to-crm', 'b to the CRM'],
    ['changed to the same', 'a', 'b', 'b', 'same', ''],
    ['cleared here', 'a', null, 'a', 'to-vendor', 'null to the vendor'],
    ['changed here, vendor unread', 'a', 'b', undefined, 'to-vendor', 'b to the vendor'],
    ['hidden here, changed there', 'a', undefined, 'b', 'to-crm', 'b to the CRM'],
    ['hidden here, the same there', 'a', undefined, 'a', '', ''],
    ['not shown by either', 'a', undefined, undefined, '', ''],
    ['conflict', 'a', 'b', 'c', 'conflict-crm', 'b to the vendor'],
    ['first sight, equal', 'never', 'a', 'a', 'same', ''],
    ['first sight, CRM only', 'never', 'a', null, 'to-vendor', 'a to the vendor'],
    ['first sight, vendor only', 'never', null, 'a', 'to-crm', 'a to the CRM'],
    ['first sight, both', 'never', 'a', 'b', 'conflict-crm', 'a to the vendor'],
  ])('%s: agreed on %s, %s in the CRM, %s at the vendor', (_, agreed, crm, vendor, verdict, goes) => {
    const { decisions, toVendor, toCrm } = merge(
      mergeInput(agreed === 'never' ? null : shown(agreed), shown(crm), shown(vendor)),
    );
    expect(decisions.map((row) => row.verdict).join()).toBe(verdict);
    const to = (record: Observed, side: string) =>
      Object.entries(record).map(([field, value]) => `${field} ${value} to the ${side}`);
    expect([...to(toVendor, 'vendor'), ...to(toCrm, 'CRM')].join()).toBe(goes && `name ${goes}`);
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
    expect(decisions).toMatchObject([{ verdict, rule, base: { crm: 'a', vendor: 'a' }, crm: 'b', vendor: 'c' }]);
  });

  test.each([
    ['of a change in the CRM', of('b'), of('a'), 'changed in the CRM'],
    ['of a change at the vendor', of('a'), of('b'), 'changed at the vendor'],
    ['of the same change on both sides', of('b'), of('b'), 'both sides agree'],
  ])('the journal names the rule %s', (_, crm, vendor, rule) => {
    expect(merge(mergeInput(of('a'), crm, vendor)).decisions.map((row) => row.rule)).toEqual([rule]);
  });

  describe('and the journal names what distinguished them', () => {
    const config = mappingConfig({ prefer: 'later' });
    const [crmChange, overlapping, later] = [
      { after: at(1), until: at(4) },
      { after: at(2), until: at(5) },
      { after: at(5), until: at(6) },
    ];
    const history = (hour: number) => ({ crmHistory: [{ field: 'Name', at: at(hour) }] });
    test.each([
      ['the intervals', { vendorChange: later }, 'conflict-vendor', 'newest'],
      ['the later record', { vendorChange: overlapping }, 'conflict-vendor', 'newest: by the later record'],
      [
        'the field’s history, where it decides',
        { vendorChange: later, ...history(3) },
        'conflict-vendor',
        'newest: by field history',
      ],
      [
        'the field’s history, where it makes the CRM’s record the earlier',
        { vendorChange: overlapping, ...history(3) },
        'conflict-vendor',
        'newest: by field history',
      ],
    ] as const)('%s', (_, changes, verdict, rule) => {
      const { decisions } = merge(mergeInput(of('a'), of('b'), of('c'), { config, crmChange, ...changes }));
      expect(decisions).toMatchObject([{ verdict, rule }]);
      expect(decisions[0]).not.toHaveProperty('lines');
    });
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

  type Direction = 'to-vendor' | 'to-crm' | 'first-sync';
  test.each<[Direction, string, Observed | null, string, string, string, Observed, Observed]>([
    ['to-vendor', 'changed here', of('a'), 'b', 'a', 'to-vendor', of('b'), {}],
    ['to-vendor', 'changed there', of('a'), 'a', 'b', 'ignored', {}, {}],
    ['to-vendor', 'changed on both', of('a'), 'b', 'c', 'to-vendor', of('b'), {}],
    ['to-crm', 'changed here', of('a'), 'b', 'a', 'ignored', {}, {}],
    ['to-crm', 'changed there', of('a'), 'a', 'b', 'to-crm', {}, of('b')],
    ['to-crm', 'changed on both', of('a'), 'b', 'c', 'to-crm', {}, of('c')],
    ['first-sync', 'first sight', null, 'b', 'c', 'conflict-crm', of('b'), {}],
    ['first-sync', 'changed here', of('a'), 'b', 'a', 'ignored', {}, {}],
    ['first-sync', 'changed there', of('a'), 'a', 'b', 'ignored', {}, {}],
    ['first-sync', 'changed on both', of('a'), 'b', 'c', 'ignored', {}, {}],
  ])('%s, as the tenant says, %s', (direction, _, agreed, ours, theirs, verdict, toVendor, toCrm) => {
    const config = mappingConfig({ directions: { name: direction } });
    const result = merge(mergeInput(agreed, of(ours), of(theirs), { config }));
    expect(result.decisions.map((row) => row.verdict)).toEqual([verdict]);
    expect(result).toMatchObject({ toVendor, toCrm });
  });

  test('the journal names the direction as the rule', () => {
    const ruleBy = (direction: Direction, ours: string, theirs: string): string | undefined => {
      const config = mappingConfig({ directions: { name: direction } });
      return merge(mergeInput(of('a'), of(ours), of(theirs), { config })).decisions[0]?.rule;
    };
    expect([ruleBy('to-vendor', 'a', 'b'), ruleBy('to-vendor', 'b', 'c')]).toEqual([
      'to the vendor only',
      'to the vendor only',
    ]);
    expect([ruleBy('to-crm', 'b', 'a'), ruleBy('to-crm', 'b', 'c')]).toEqual(['to the CRM only', 'to the CRM only']);
    expect(ruleBy('first-sync', 'b', 'a')).toBe('first sync only');
  });

  test.each<[string, string | null | undefined, string | null | undefined, string | null, string]>([
    ['leaves one that the CRM does not show now', 'S1', undefined, 'S2', 'ignored'],
    ['fills an empty one', null, null, 'S2', 'to-crm'],
    ['leaves a set one', 'S1', 'S1', 'S2', 'ignored'],
    ['gives way to the CRM', null, 'S1', 'S2', 'conflict-crm'],
  ])('the vendor’s site id %s', (_, agreed, crm, vendor, verdict) => {
    const site = (customerSiteId: string | null | undefined): Observed =>
      customerSiteId === undefined ? {} : { customerSiteId };
    const { decisions } = merge(mergeInput(site(agreed), site(crm), site(vendor)));
    expect(decisions.map((row) => row.verdict)).toEqual([verdict]);
    if (verdict !== 'to-crm') expect(decisions[0]?.rule).toBe('fills empty CRM fields only');
  });
});

test('a CRM value without translation is neither sent nor overwritten', () => {
  const untranslatable = new Set<FieldName>(['status']);
  const result = merge(mergeInput({ status: 'QUALIFIED' }, {}, { status: 'ACCEPTED' }, { untranslatable }));
  expect(result).toMatchObject({
    toCrm: {},
    toVendor: {},
    decisions: [{ field: 'status', verdict: 'withheld', rule: 'no translation' }],
  });
});
