import { describe, expect, it, test } from 'vitest';
import { fieldNamed, lookupOf } from '../../../../src/domain/record/mapping-config.ts';

describe('a field by its name', () => {
  const names = { fields: { description: { crm: 'Pitch__c' }, nextMilestone: { crm: 'name' } } };

  it.each([
    ['ours', 'description', 'description'],
    ['the tenant’s in the CRM', 'Pitch__c', 'description'],
    ['the usual one in the CRM, which is not the tenant’s', 'Description', 'description'],
    ['ours before one of the CRM', 'name', 'name'],
    ['none', 'Nothing__c', null],
  ])('is %s', (_, text, field) => {
    expect(fieldNamed(text, names)).toBe(field);
  });

  it('is the tenant’s before the usual one', () => {
    const swapped = { fields: { ...names.fields, nextMilestone: { crm: 'Description' } } };
    expect(fieldNamed('Description', swapped)).toBe('nextMilestone');
  });
});

test.each([
  ['Campaign.Code__c', 'CampaignId'],
  ['Region__r.Code__c', 'Region__c'],
  ['__record.Code__c', '__recordId'],
  ['Pitch__c', null],
])('the lookup of the path %s is %s', (path, lookup) => {
  expect(lookupOf(path)).toBe(lookup);
});
