import { expect, test } from 'vitest';
import {
  fieldsOfPartnerIds,
  type PartnerIdOf,
  type PartnerIdRule,
  partnerIdOf,
} from '../../../../src/domain/record/partner-ids.ts';

const RULES: readonly PartnerIdRule[] = [
  { partnerId: 'P-US', recordType: 'Partner_US' },
  { partnerId: 'P-FR', country: 'FR' },
  { partnerId: 'P-DE', country: 'Deutschland' },
  { partnerId: 'P-EM', field: 'Region__c', is: '7' },
];
const deal = (
  type: string | null | undefined,
  country: string | null | undefined,
  region: number | null | undefined,
) => ({
  opportunity: {
    ...(type !== undefined && { 'RecordType.DeveloperName': type }),
    ...(region !== undefined && { Region__c: region }),
  },
  country,
});

test.each<[string, ReturnType<typeof deal>, PartnerIdOf]>([
  ['by record type', deal('Partner_US', 'FR', 7), { partnerId: 'P-US' }],
  ['by country', deal('Other', 'FR', 7), { partnerId: 'P-FR' }],
  ['by the name of the country', deal('Other', 'France', 7), { partnerId: 'P-FR' }],
  ['by country, whatever the case', deal('Other', ' fr ', 7), { partnerId: 'P-FR' }],
  ['by the text that the org has', deal('Other', 'Deutschland', 8), { partnerId: 'P-DE' }],
  ['a name is no part of another', deal('Other', 'French Guiana', 8), { partnerId: 'P-1' }],
  ['by field, as text', deal('Other', 'DE', 7), { partnerId: 'P-EM' }],
  ['none fits', deal('Other', 'DE', 8), { partnerId: 'P-1' }],
  ['empty values fit no rule', deal(null, null, null), { partnerId: 'P-1' }],
  ['the first rule fits, the rest is hidden', deal('Partner_US', undefined, undefined), { partnerId: 'P-US' }],
  ['record type hidden', deal(undefined, 'FR', 7), { hidden: 'RecordType.DeveloperName' }],
  ['country hidden', deal('Other', undefined, 7), { hidden: 'country' }],
  ['field hidden', deal('Other', 'DE', undefined), { hidden: 'Region__c' }],
])('the legal entity of a deal: %s', (_, given, entity) => {
  expect(partnerIdOf(RULES, 'P-1', given)).toEqual(entity);
});

test('the fields that rules compare', () => {
  expect(fieldsOfPartnerIds(RULES)).toEqual(['RecordType.DeveloperName', 'Region__c']);
});
