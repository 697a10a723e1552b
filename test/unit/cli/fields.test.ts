import { expect, it } from 'vitest';
import { chosenField, chosenFields } from '../../../src/cli/flags.ts';

const OWN = {
  fields: { nextMilestone: { crm: 'Our_Milestone__c' }, gtmTacticId: { crm: 'Account.Tactic__c' } },
};

const SWAPPED = {
  fields: { ...OWN.fields, nextMilestone: { crm: 'Vendor_GTM_Tactic__c' } },
};

it.each([
  ['nextMilestone', {}, 'nextMilestone'],
  ['Vendor_Next_Milestone__c', {}, 'nextMilestone'],
  ['Description', {}, 'description'],
  ['Our_Milestone__c', OWN, 'nextMilestone'],
  ['Account.Tactic__c', OWN, 'gtmTacticId'],
  ['Vendor_Next_Milestone__c', OWN, 'nextMilestone'],
  // What the tenant has there counts before what is usually there.
  ['Vendor_GTM_Tactic__c', SWAPPED, 'nextMilestone'],
])('%s is a name of a field, under %j of %s', (text, mapping, field) => expect(chosenField(text, mapping)).toBe(field));

it('a name that is none is reported with those that are, the tenant’s own among them', () => {
  expect(() => chosenField('Milestone', OWN)).toThrow(/^No field is called Milestone\. .*Our_Milestone__c/);
  expect(() => chosenField('Our_Milestone__c', {})).toThrow(/No field is called/);
});

it('of no field is wrong usage', () => {
  expect(() => chosenField('weather', {})).toThrow(expect.objectContaining({ exitCode: 64 }));
});

it('several are given once each, and none that cannot be chosen alone', () => {
  expect(chosenFields(undefined, {})).toBeUndefined();
  expect(chosenFields(['Description', 'name', 'description'], {})).toEqual(['description', 'name']);
  expect(() => chosenFields(['offerLines'], {})).toThrow(/offerLines cannot be chosen alone/);
});
