/** Sets of codes if the CRM cannot hold some of them in the tenant's form. */
import { expect, test } from 'vitest';
import { crmCreate, crmWrite, observeCrm, observeVendor } from '../../../../src/domain/mapping/index.ts';
import type { FieldMapping } from '../../../../src/domain/record/mapping-config.ts';
import { crmGraph, mappingConfig } from '../../../support/mapping/fixtures.ts';

const withCompetitors = (mapping: FieldMapping) => mappingConfig({ fields: { competitors: mapping } });
const MARKED = withCompetitors({ transform: [{ kind: 'prefix', text: 'X-' }] });
const DIGITS = withCompetitors({ transform: [{ kind: 'digits' }] });
const inCrm = (value: string | null) => crmGraph({ Vendor_Competitors__c: value });

test('empty members of a set are none', () => {
  expect(observeCrm(inCrm('ACME;;GLOBEX;'), mappingConfig()).record.competitors).toEqual(['ACME', 'GLOBEX']);
});

test('a new opportunity has the codes that it can hold', () => {
  const seen = observeVendor({ competitors: ['X-A', 'B'] }, MARKED, '2026-03-01T10:00:00Z');
  expect(crmCreate(seen, MARKED).create.opportunity['Vendor_Competitors__c']).toBe('A');
});

test('a set with a code that has no text in the CRM is reported, and does not travel', () => {
  expect(crmWrite({ competitors: ['X-A', 'B'] }, inCrm('C'), { config: MARKED })).toMatchObject({
    write: null,
    issues: [{ code: 'does-not-fit', field: 'competitors' }],
  });
});

test('codes of which a transform leaves nothing are not held against the CRM', () => {
  const write = (present: string | null) =>
    crmWrite({ competitors: ['12', 'none'] }, inCrm(present), { config: DIGITS }).write?.opportunity;
  expect(write('12')).toBeUndefined();
  expect(write('12;none')).toBeUndefined();
  expect(write('13')).toEqual({ Vendor_Competitors__c: '12' });
});
