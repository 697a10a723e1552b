import { expect, test } from 'vitest';
import { fieldsInCrm, fieldsNamedByVendor } from '../../../../src/domain/mapping/index.ts';

test.each([
  [['leadOpportunity.nextMilestone'], null, ['nextMilestone']],
  [['#/leadOpportunity/name', '#/offerLines/0/amount'], null, ['name', 'offerLines']],
  [['customerContact'], null, ['customerContacts']],
  [[], 'The value of nextMilestone is too long, see closeDate.', ['closeDate', 'nextMilestone']],
  [[], 'The name, the status and the description are wrong.', []],
  [['partnerId'], 'nextMilestone', []],
  [[], null, []],
])('the vendor names by %j and "%s"', (paths, words, fields) => {
  expect([...fieldsNamedByVendor(paths, words)].sort()).toEqual([...fields].sort());
});

test('the CRM names fields of the opportunity, and others', () => {
  expect(fieldsInCrm(['Vendor_Next_Milestone__c', 'Name', 'BillingCity'])).toEqual(['name', 'nextMilestone']);
});
