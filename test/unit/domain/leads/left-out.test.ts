/** Edits of a lead that its conversion left out. */
import { expect, test } from 'vitest';
import { leftOut, stillLeft, valuesOf } from '../../../../src/domain/mapping/leads/left-out.ts';
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
  expect(missing(edits, opportunity)).toEqual(['description']);
});

test('are none that the vendor has, because its value may be newer', () => {
  expect(missing({ Description: 'Replace the core' }, { Description: null })).toEqual([]);
});

test('are none that Lockstep may not see', () => {
  expect(missing({ Description: 'New boilers' }, {})).toEqual([]);
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
