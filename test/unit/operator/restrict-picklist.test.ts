import { expect, it, test } from 'vitest';
import { fieldsInCrm } from '../../../src/domain/mapping/index.ts';
import type { MappingConfig } from '../../../src/domain/record/mapping-config.ts';
import type { Listed } from '../../../src/domain/record/value-lists.ts';
import { choicesOf, listedFields, restrictPicklist } from '../../../src/operator/mapping/restrict-picklist.ts';
import { packageFiles } from '../../support/crm-package.ts';
import { mappingConfig } from '../../support/mapping/fixtures.ts';

const LISTS = { competitors: ['ACME', 'A&B'], gtmTacticId: ['T-1'], reasonWon: ['LWR_IMPL_COST', 'NEW'] };
const mapping = (more: Partial<MappingConfig> = {}) => mappingConfig({ lists: LISTS, ...more });
const sourceOf = (crmField: string) => packageFiles()[`objects/Opportunity/fields/${crmField}.field-meta.xml`] ?? null;
const restricted = (field: Listed, crmField: string, source = sourceOf(crmField)) =>
  restrictPicklist({ field, crmField, source }, mapping());

it('the fields of the lists, without those of other records', () => {
  expect(listedFields(mapping({ fields: { gtmTacticId: { crm: 'Campaign.Code__c' } } }))).toEqual([
    { field: 'competitors', crmField: 'Vendor_Competitors__c' },
    { field: 'reasonWon', crmField: 'Vendor_Reasons_Won__c' },
  ]);
  expect(fieldsInCrm(['Vendor_Reasons_Won__c'], mapping())).toEqual(['reasonWon']);
});

test.each<[string, ReturnType<typeof restricted>, object]>([
  [
    'an open picklist',
    restricted('competitors', 'Vendor_Competitors__c'),
    { added: ['ACME', 'A&B'], deactivated: [], wasOpen: true, wasText: false, problem: null },
  ],
  [
    'values that the list lacks',
    restricted('reasonWon', 'Vendor_Reasons_Won__c'),
    { added: ['NEW'], deactivated: ['SOLUTION_FUNCT', 'STRNG_VAL_PROP', 'LWR_CST_OF_OWNRSHIP'], problem: null },
  ],
  ['a text', restricted('gtmTacticId', 'Vendor_GTM_Tactic__c'), { added: ['T-1'], wasText: true, problem: null }],
  [
    'no source',
    restricted('competitors', 'Own__c', null),
    { source: null, problem: expect.stringContaining('--source') },
  ],
  ['a date', restricted('competitors', 'Own__c', '<type>Date</type>'), { source: null, problem: 'it is of type Date' }],
  [
    'a global value set',
    restricted('competitors', 'Own__c', '<type>Picklist</type><valueSet><valueSetName>X</valueSetName></valueSet>'),
    { source: null, problem: 'its values are in a global value set' },
  ],
])('%s', (_, field, result) => {
  expect(field).toMatchObject(result);
});

it('keeps the rest of the source, and says the same when it is restricted again', () => {
  const first = restricted('competitors', 'Vendor_Competitors__c').source ?? '';
  expect(first).toContain('<trackHistory>true</trackHistory>');
  expect(first).toContain('<fullName>A&amp;B</fullName>');
  const again = restricted('competitors', 'Vendor_Competitors__c', first);
  expect(again).toMatchObject({ added: [], deactivated: [], wasOpen: false, source: first });
});

it('takes the text of the CRM for a code that the mapping converts', () => {
  const values = [['Acme Inc.', 'ACME']] as const;
  const config = mapping({ fields: { competitors: { values } } });
  expect(choicesOf('competitors', [], config).map(({ value }) => value)).toEqual(['Acme Inc.', 'A&B']);
});
