/** Edits of a lead that its conversion left out. */
import { describe, expect, test } from 'vitest';
import { leftOut, stillLeft, valuesOf } from '../../../../src/domain/mapping/leads/left-out.ts';
import { type Base, EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { leadGraph, leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const AGREED = { ...EMPTY_BASE, crm: { description: 'Replace the core', cometCampaignCode: 'FIRST' } };

type Given = { readonly base?: Base; readonly closeDate?: string };

const missing = (lead: CrmFields, opportunity: CrmFields, { base = AGREED, closeDate }: Given = {}) => {
  const graph = leadGraph(lead);
  const to = { graph: { ...graph, opportunity, lead: undefined } as never, closeDate: closeDate ?? null };
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
  expect(missing({ Description: 'Replace the core' }, { Description: null }, { base: EMPTY_BASE })).toEqual([
    'description',
  ]);
});

describe('the lead’s close date', () => {
  const lead = { Vendor_Close_Date__c: '2027-03-15' };
  const opportunity = { CloseDate: '2026-09-30' };
  const chosen = { closeDate: '2026-09-30' };

  test('is left out if Salesforce chose another, even if nobody edited the lead’s', () => {
    const base = { ...AGREED, crm: { ...AGREED.crm, closeDate: '2027-03-15' } };
    expect(missing(lead, opportunity, { ...chosen, base })).toEqual(['closeDate']);
  });

  test.each([
    ['a user chose the opportunity’s', lead, {}],
    ['Salesforce chose the same', { Vendor_Close_Date__c: '2026-09-30' }, chosen],
    ['the lead has none', { Vendor_Close_Date__c: null }, chosen],
  ])('is not left out if %s', (_, fields, given) => {
    expect(missing(fields, opportunity, given)).toEqual([]);
  });

  test('is still left while the opportunity has Salesforce’s', () => {
    const still = (fields: CrmFields) =>
      stillLeft(['closeDate'], { graph: { opportunity: fields } as never, ...chosen });
    expect(still(opportunity)).toEqual(['closeDate']);
    expect(still({ CloseDate: '2026-09-29' })).toEqual([]);
  });
});

test('are still left as long as the opportunity has no value, or hides its field', () => {
  const shown = (fields: object) => ({ opportunity: fields }) as never;
  const still = (fields: object) => stillLeft(['description'], { graph: shown(fields), closeDate: null });
  expect(still({ Description: 'Salt' })).toEqual([]);
  expect(still({ Description: null })).toEqual(['description']);
  expect(still({})).toEqual(['description']);
  const lead = shown({ Description: 'Ore' });
  expect(valuesOf(['description'], lead, shown({ Description: null }))).toEqual({ Description: 'Ore' });
  expect(valuesOf(['description'], lead, shown({}))).toEqual({});
});
