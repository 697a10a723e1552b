/** Edits of a lead that its conversion left out. */
import { expect, test } from 'vitest';
import { leftOut } from '../../../../src/domain/mapping/leads/left-out.ts';
import { EMPTY_BASE } from '../../../../src/domain/record/base.ts';
import type { CrmFields } from '../../../../src/domain/record/crm-graph.ts';
import { leadGraph, leadsConfig } from '../../../support/mapping/lead-fixtures.ts';

const AGREED = { ...EMPTY_BASE, crm: { description: 'Replace the core', cometCampaignCode: 'FIRST' } };

const missing = (lead: CrmFields, opportunity: CrmFields) => {
  const graph = leadGraph(lead);
  return leftOut(graph, AGREED, { ...graph, opportunity, lead: undefined } as never, leadsConfig());
};

test('are those fields that the opportunity lacks', () => {
  const edits = { Description: 'New boilers', Vendor_Campaign_Code__c: 'OURS' };
  const opportunity = { Description: null, Vendor_Campaign_Code__c: 'OURS' };
  expect(missing(edits, opportunity)).toEqual({ Description: 'New boilers' });
});

test('are none that the vendor has, because its value may be newer', () => {
  expect(missing({ Description: 'Replace the core' }, { Description: null })).toEqual({});
});

test('are none that Lockstep may not see', () => {
  expect(missing({ Description: 'New boilers' }, {})).toEqual({});
});
