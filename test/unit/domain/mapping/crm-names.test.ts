import { describe, expect, test } from 'vitest';
import { mappedCrmFields } from '../../../../src/domain/mapping/index.ts';
import { mappingConfig } from '../../../support/mapping/fixtures.ts';

/** A tenant that keeps a text and a set of codes in fields of its own, and reads one field across a lookup. */
const config = mappingConfig({
  fields: {
    gtmTacticId: { crm: 'Tactic__c' },
    competitors: { crm: 'Rivals__c' },
    cometCampaignCode: { crm: 'Campaign.Code__c' },
  },
});

describe('a field of the CRM that the tenant has named', () => {
  test('is asked for in the place of the usual one, a path together with its lookup', () => {
    const asked = mappedCrmFields('Opportunity', config);
    expect(asked).toEqual(expect.arrayContaining(['Tactic__c', 'Rivals__c', 'Campaign.Code__c', 'CampaignId']));
    expect(asked).not.toContain('Vendor_GTM_Tactic__c');
    expect(mappedCrmFields('Opportunity')).toContain('Vendor_GTM_Tactic__c');
  });
});
