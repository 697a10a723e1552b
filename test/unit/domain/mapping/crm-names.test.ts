import { describe, expect, test } from 'vitest';
import {
  crmCreate,
  crmWrite,
  fieldsInCrm,
  mappedCrmFields,
  observeCrm,
  observeVendor,
} from '../../../../src/domain/mapping/index.ts';
import { FIELDS, MAPPABLE } from '../../../../src/domain/record/fields.ts';
import { crmFieldOf, lookupOf } from '../../../../src/domain/record/mapping-config.ts';
import { crmGraph, mappingConfig, without } from '../../../support/mapping/fixtures.ts';

/** A tenant that keeps a text and a set of codes in fields of its own, and reads one field across a lookup. */
const config = mappingConfig({
  fields: {
    gtmTacticId: { crm: 'Tactic__c' },
    competitors: { crm: 'Rivals__c' },
    cometCampaignCode: { crm: 'Campaign.Code__c' },
  },
});
const own = { Tactic__c: 'T-1', Rivals__c: 'ACME;HOOLI', 'Campaign.Code__c': 'C-7', CampaignId: '701A' };

describe('a field of the CRM that the tenant has named', () => {
  test('is what is read, written and made, and the usual one is left alone', () => {
    const graph = crmGraph({ ...own, Vendor_GTM_Tactic__c: 'usual', Vendor_Competitors__c: 'GLOBEX' });
    expect(observeCrm(graph, config).record).toMatchObject({
      gtmTacticId: 'T-1',
      competitors: ['ACME', 'HOOLI'],
      cometCampaignCode: 'C-7',
    });
    const { write } = crmWrite({ gtmTacticId: 'T-2', competitors: ['ACME'] }, graph, { config });
    expect(write?.opportunity).toEqual({ Tactic__c: 'T-2', Rivals__c: 'ACME' });
    const raw = { gtmTacticId: 'T-3', competitors: ['HOOLI'] };
    const { opportunity } = crmCreate(observeVendor(raw, config, '2026-03-01T10:00:00Z'), config).create;
    expect(opportunity).toMatchObject({ Tactic__c: 'T-3', Rivals__c: 'HOOLI' });
    expect(opportunity).not.toHaveProperty('Vendor_GTM_Tactic__c');
  });

  test('that is hidden is unknown, whatever the usual one shows, and is told', () => {
    const graph = crmGraph(without(own, 'Tactic__c'));
    expect(observeCrm(graph, config).record).not.toHaveProperty('gtmTacticId');
    expect(crmWrite({ gtmTacticId: 'T' }, graph, { config })).toMatchObject({
      write: null,
      issues: [{ field: 'gtmTacticId', message: expect.stringContaining('Tactic__c') }],
    });
  });

  test('is found again by its name in a refusal', () => {
    expect(fieldsInCrm(['Tactic__c', 'Vendor_GTM_Tactic__c'], config)).toEqual(['gtmTacticId']);
  });

  test('is asked for in the place of the usual one, a path together with its lookup', () => {
    const asked = mappedCrmFields('Opportunity', config);
    expect(asked).toEqual(
      expect.arrayContaining(['Tactic__c', 'Rivals__c', 'Campaign.Code__c', 'CampaignId']),
    );
    expect(asked).not.toContain('Vendor_GTM_Tactic__c');
    expect(mappedCrmFields('Opportunity')).toContain('Vendor_GTM_Tactic__c');
  });
});

test.each([
  ['Campaign.Code__c', 'CampaignId'],
  ['Program__r.Code__c', 'Program__c'],
  ['Owner.Region__c', 'OwnerId'],
  ['Tactic__c', null],
])('the lookup of %s is %s', (path, lookup) => expect(lookupOf(path)).toBe(lookup));

test.each(MAPPABLE)('%s is as usual where nothing is said of it', (field) => {
  expect(crmFieldOf(field, {})).toBe(FIELDS[field].crm);
  expect(crmFieldOf(field, { fields: { [field]: {} } })).toBe(FIELDS[field].crm);
});
