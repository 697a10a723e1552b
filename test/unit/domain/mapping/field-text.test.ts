import { describe, expect, test } from 'vitest';
import {
  createBody,
  crmCreate,
  crmWrite,
  observeCrm,
  observeVendor,
  sameValue,
} from '../../../../src/domain/mapping/index.ts';
import type { FieldMapping } from '../../../../src/domain/record/mapping-config.ts';
import type { Transform } from '../../../../src/domain/record/transform.ts';
import { transformed, untransformed } from '../../../../src/domain/values/transforms.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';

test.each<[Transform, string, string, string | undefined]>([
  [{ kind: 'trim' }, ' a ', 'a', 'a'],
  [{ kind: 'upper' }, 'aB', 'AB', 'AB'],
  [{ kind: 'lower' }, 'aB', 'ab', 'ab'],
  [{ kind: 'digits' }, '+33 (0)1', '3301', '3301'],
  [{ kind: 'truncate', length: 3 }, 'a😀cd', 'a😀c', 'a😀c'],
  [{ kind: 'prefix', text: 'X-' }, 'a', 'X-a', 'a'],
  [{ kind: 'suffix', text: '-Y' }, 'a', 'a-Y', 'a'],
  [{ kind: 'without-prefix', text: 'X-' }, 'X-a', 'a', 'X-a'],
  [{ kind: 'without-suffix', text: '-Y' }, 'a-Y', 'a', 'a-Y'],
])('%j makes of %j %j, and back %j', (each, text, made, back) => {
  expect(transformed(text, [each])).toBe(made);
  expect(untransformed(made, [each])).toBe(back);
});

const withTactic = (mapping: FieldMapping) => mappingConfig({ fields: { gtmTacticId: mapping } });
const tactic = (value: string | null) => crmGraph({ Vendor_GTM_Tactic__c: value });

describe('a value table', () => {
  const config = withTactic({
    values: [
      ['Inside sales', 'IS'],
      ['Phone', 'IS'],
      ['Field', 'FS'],
    ],
  });

  test.each([
    ['Inside sales', 'IS'],
    ['Phone', 'IS'],
    ['Other', 'Other'],
  ])('reads %s as %s', (shown, value) => {
    expect(observeCrm(tactic(shown), config).record.gtmTacticId).toBe(value);
  });

  test('moves the CRM to the first text of a value, and keeps a finer one', () => {
    expect(crmWrite({ gtmTacticId: 'IS' }, tactic('Field'), { config }).write?.opportunity).toEqual({
      Vendor_GTM_Tactic__c: 'Inside sales',
    });
    expect(crmWrite({ gtmTacticId: 'IS' }, tactic('Phone'), { config }).write).toBeNull();
    const { create } = crmCreate(observeVendor({ gtmTacticId: 'FS' }, config, '2026-03-01T10:00:00Z'), config);
    expect(create.opportunity['Vendor_GTM_Tactic__c']).toBe('Field');
  });

  test('keeps a code that it does not know, unless that text means another one in the CRM', () => {
    expect(crmWrite({ gtmTacticId: 'ZZ' }, tactic(null), { config }).write?.opportunity).toEqual({
      Vendor_GTM_Tactic__c: 'ZZ',
    });
    expect(crmWrite({ gtmTacticId: 'Phone' }, tactic(null), { config })).toMatchObject({
      write: null,
      issues: [{ code: 'does-not-fit', field: 'gtmTacticId' }],
    });
  });
});

describe('a default', () => {
  const config = withTactic({ default: 'Phone', values: [['Phone', 'IS']] });

  test('is what an empty field counts as, and goes out with a new record', () => {
    const { record } = observeCrm(tactic(null), config);
    expect(record.gtmTacticId).toBe('IS');
    const { intent } = createBody(record, { config, reference: '006000000000001AAA' });
    expect(intent?.body['leadOpportunity']).toMatchObject({ gtmTacticId: 'IS' });
  });

  test('counts as the vendor’s empty value too, so that neither side is asked to clear it', () => {
    expect(sameValue('gtmTacticId', null, 'IS', config)).toBe(true);
    expect(crmWrite({ gtmTacticId: null }, tactic(null), { config }).write).toBeNull();
    expect(crmWrite({ gtmTacticId: null }, tactic('Field'), { config }).write?.opportunity).toEqual({
      Vendor_GTM_Tactic__c: null,
    });
  });
});

describe('a transform that loses something', () => {
  const config = withTactic({ transform: [{ kind: 'upper' }, { kind: 'truncate', length: 3 }] });

  test('makes two values equal of which the same is left', () => {
    expect(sameValue('gtmTacticId', 'abcd', 'ABCX', config)).toBe(true);
    expect(sameValue('gtmTacticId', 'abcd', 'xbcd', config)).toBe(false);
    expect(crmWrite({ gtmTacticId: 'abcd' }, tactic('abc'), { config }).write).toBeNull();
  });
});

describe('a value that no text of the CRM means', () => {
  const write = (value: string, mapping: FieldMapping) =>
    crmWrite({ gtmTacticId: value }, tactic('X-old'), { config: withTactic(mapping) });

  test.each<[string, string, FieldMapping]>([
    ['lacks what a transform adds', 'a', { transform: [{ kind: 'prefix', text: 'X-' }] }],
    ['is only what a transform adds', 'X-', { transform: [{ kind: 'prefix', text: 'X-' }] }],
    ['is blank without it', 'X-  ', { transform: [{ kind: 'prefix', text: 'X-' }] }],
    ['would be read as another', 'a', { transform: [{ kind: 'lower' }, { kind: 'without-prefix', text: 'X-' }] }],
  ])('is reported and does not travel where it %s', (_, value, mapping) => {
    expect(write(value, mapping)).toMatchObject({
      write: null,
      issues: [{ code: 'does-not-fit', field: 'gtmTacticId' }],
    });
  });

  test('is compared as it is: with a table, with exact transforms, and where it has no text', () => {
    const same = (one: string, other: string, mapping: FieldMapping) =>
      sameValue('gtmTacticId', one, other, withTactic(mapping));
    expect(same('a', 'A', { transform: [{ kind: 'lower' }] })).toBe(true);
    expect(same('a', 'A', { transform: [{ kind: 'lower' }], values: [] })).toBe(false);
    const marked: FieldMapping = { transform: [{ kind: 'upper' }, { kind: 'prefix', text: 'X-' }] };
    expect(same('X-a', 'X-A', marked)).toBe(true);
    expect(same('a', 'A', marked)).toBe(false);
  });
});
