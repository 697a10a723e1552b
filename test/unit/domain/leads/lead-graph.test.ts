/** A lead in the form of a deal's records: what the vendor gets of it, and what of the vendor's record reaches it. */
import { describe, expect, test } from 'vitest';
import { createBody, crmCreate, observeCrm } from '../../../../src/domain/mapping/index.ts';
import { leadMapping, mappingOf } from '../../../../src/domain/mapping/leads/lead-mapping.ts';
import { leadWrite, newLead } from '../../../../src/domain/mapping/leads/lead-writes.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { scopeOf } from '../../../../src/domain/record/scope.ts';
import { statusOfStage } from '../../../../src/domain/values/status.ts';
import { LEAD_ID, leadGraph, leadsConfig } from '../../../support/mapping/lead-fixtures.ts';
import { vendorReading } from '../../../support/value-engine/samples.ts';

const config = leadMapping(leadsConfig());
const bodyOf = (fields: CrmFields, offer: string | null = 'OFFER-A') =>
  createBody(observeCrm(leadGraph(fields, {}, offer), config).record, { config, reference: LEAD_ID });

test('a shared lead is a whole record for the vendor, without an issue', () => {
  const { record, issues } = observeCrm(leadGraph(), config);
  expect(issues).toEqual([]);
  expect(bodyOf({}).intent?.body).toMatchObject({
    leadOpportunity: {
      partnerLeadOpportunityId: LEAD_ID,
      name: 'Initech',
      status: 'QUALIFIED',
      currency: 'EUR',
      description: 'Replace the core',
    },
    offerLines: [{ offerNameId: 'OFFER-A' }],
    customerLegalEntity: { name: 'Initech', city: 'Lyon', addressLine1: '1 Main Street', addressLine2: 'Floor 2' },
    customerContacts: [{ email: 'ann@example.com', firstName: 'Ann', lastName: 'Example' }],
  });
  expect(record.reasonWon).toBeUndefined();
});

test.each<[string, CrmFields, string | null, string]>([
  ['a close date', { Vendor_Close_Date__c: null }, 'OFFER-A', '"Vendor: close date"'],
  ['an offer', {}, null, '"Vendor: offer"'],
  ['a status with a meaning at the vendor', { Status: 'Nurturing' }, 'OFFER-A', 'Lead Status'],
])('a lead without %s waits, and the message names what to fill in on a lead', (_, fields, offer, named) => {
  const { intent, issues } = bodyOf(fields, offer);
  expect(intent).toBeNull();
  expect(issues.map(({ message }) => message).join()).toContain(named);
});

test.each([
  ['its own name', { Vendor_Deal_Name__c: 'Big deal' }, 'Big deal'],
  ['else that of its company', { Vendor_Deal_Name__c: null }, 'Initech'],
])('a deal has %s', (_, fields, name) => {
  expect(observeCrm(leadGraph(fields), config).record.name).toBe(name);
});

test('the offer of the product that the lead names goes before the tenant’s usual one', () => {
  const product = { Vendor_Offer_Id__c: 'OFFER-B' };
  const graph = leadGraph({ Vendor_Offer__c: '01t000000000001AAA', Vendor_Offer_Amount__c: 500 }, { product });
  expect(observeCrm(graph, config).record.offerLines).toMatchObject([{ offerNameId: 'OFFER-B', amount: '500' }]);
});

test('the vendor’s values are written to the lead’s own fields, and nothing else is', () => {
  const opportunity = {
    Name: 'Theirs',
    StageName: 'Open - Not Contacted',
    Vendor_Reasons_Won__c: 'X',
    Pricebook2Id: '1',
  };
  const account = { id: 'undefined', fields: { Vendor_Site_Id__c: 'SITE-1' } };
  expect(leadWrite({ opportunity, account })).toEqual({
    Vendor_Deal_Name__c: 'Theirs',
    Status: 'Open - Not Contacted',
    Vendor_Site_Id__c: 'SITE-1',
  });
});

test('a vendor-created record makes a lead with what Salesforce requires', () => {
  const { create } = crmCreate(vendorReading({ status: 'LEAD_OPEN', name: 'From the vendor' }), config);
  expect(create).toMatchObject({ as: 'lead', lines: [] });
  expect(newLead(create)).toMatchObject({
    Company: 'From the vendor',
    LastName: 'unknown',
    Status: 'Open - Not Contacted',
    Vendor_Id__c: create.vendorId,
    Vendor_Share__c: true,
  });
});

describe('the mapping', () => {
  test('of an opportunity says that a first stage is no lead any more', () => {
    expect(statusOfStage('Prospecting', leadsConfig())).toBe('OPPY_OPEN');
    expect(statusOfStage('Closed Won', leadsConfig())).toBe('WON');
  });

  test('is the lead’s own for a lead, and the tenant’s for all else', () => {
    expect(mappingOf(leadsConfig(), LEAD_ID).of).toBe('lead');
    expect(mappingOf(leadsConfig(), '006000000000001AAA').of).toBeUndefined();
    expect(mappingOf(leadsConfig(), null).of).toBeUndefined();
  });
});

test.each<[string, CrmFields, boolean]>([
  ['shared', {}, true],
  ['not shared', { Vendor_Share__c: false }, false],
  ['converted into an opportunity', { IsConverted: true, ConvertedOpportunityId: '006000000000001AAA' }, true],
  ['converted without an opportunity', { IsConverted: true }, false],
  ['deleted', { IsDeleted: true }, false],
])('a lead that is %s is in scope: %s', (_, fields, inScope) => {
  expect(scopeOf(leadGraph(fields).opportunity).inScope).toBe(inScope);
});
