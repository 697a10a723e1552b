/** Edits of a lead that its conversion left out. */
import { describe, expect, test } from 'vitest';
import { leftOut, stillLeft, valuesOf } from '../../../../src/domain/mapping/leads/left-out.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { leadGraph, leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const AGREED = { ...EMPTY_BASE, crm: { description: 'Replace the core', cometCampaignCode: 'FIRST' } };

const missing = (lead: CrmFields, opportunity: CrmFields, { isNew = true, base = AGREED as Base | null } = {}) => {
  const graph = leadGraph(lead);
  const to = { graph: { ...graph, opportunity, lead: undefined } as never, isNew };
  return leftOut(graph, base, to, leadsConfig());
};

test('are those fields that the opportunity lacks', () => {
  const edits = { Description: 'New boilers', Vendor_Campaign_Code__c: 'OURS' };
  const opportunity = { Description: null, Vendor_Campaign_Code__c: 'OURS' };
  expect(missing(edits, opportunity)).toEqual(['description']);
});

test('are none that the vendor has, because its value may be newer', () => {
  expect(missing({ Description: 'Replace the core' }, { Description: null })).toEqual([]);
});

test('are none that Lockstep may not see', () => {
  expect(missing({ Description: 'New boilers' }, {})).toEqual([]);
});

test('are all fields that the opportunity lacks if the vendor never had the lead', () => {
  expect(missing({ Description: 'Replace the core' }, { Description: null }, { base: null })).toEqual(['description']);
});

describe('the close date of the lead', () => {
  const lead = { Vendor_Close_Date__c: '2027-03-15' };
  const bySalesforce = { CloseDate: '2026-09-30', CreatedDate: '2026-07-20T09:00:00.000Z' };

  test('is left out if Salesforce set another one, even if nobody edited the lead’s', () => {
    const base = { ...AGREED, crm: { ...AGREED.crm, closeDate: '2027-03-15' } };
    expect(missing(lead, bySalesforce, { base })).toEqual(['closeDate']);
  });

  test('is not left out if a user chose the opportunity’s', () => {
    expect(missing(lead, { ...bySalesforce, CloseDate: '2026-09-29' })).toEqual([]);
  });

  test('is not left out if the opportunity was there before', () => {
    expect(missing(lead, bySalesforce, { isNew: false })).toEqual([]);
  });

  test('is not left out if the lead has none', () => {
    expect(missing({ Vendor_Close_Date__c: null }, bySalesforce)).toEqual([]);
  });

  test('is still left while the opportunity has Salesforce’s', () => {
    const still = (opportunity: CrmFields) => stillLeft(['closeDate'], { opportunity } as never);
    expect(still(bySalesforce)).toEqual(['closeDate']);
    expect(still({ ...bySalesforce, CloseDate: '2026-09-29' })).toEqual([]);
  });
});

test('are still left as long as the opportunity has no value, or hides its field', () => {
  const shown = (fields: object) => ({ opportunity: fields }) as never;
  expect(stillLeft(['description'], shown({ Description: 'Salt' }))).toEqual([]);
  expect(stillLeft(['description'], shown({ Description: null }))).toEqual(['description']);
  expect(stillLeft(['description'], shown({}))).toEqual(['description']);
  const lead = shown({ Description: 'Ore' });
  expect(valuesOf(['description'], lead, shown({ Description: null }))).toEqual({ Description: 'Ore' });
  expect(valuesOf(['description'], lead, shown({}))).toEqual({});
});
