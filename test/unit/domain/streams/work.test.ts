import { describe, expect, it } from 'vitest';
import { OPERATION_GROUPS, type OperationGroup } from '../../../../src/domain/loop/operation-groups.ts';
import { cursorOf, needsOf, STREAMS, streamActivitiesOf } from '../../../../src/domain/streams/streams.ts';
import { stoppedBy, stops, type Work } from '../../../../src/domain/streams/work.ts';

const ALL = Object.keys(OPERATION_GROUPS) as OperationGroup[];
const paused = (...groups: readonly OperationGroup[]) => groups.map((group) => ({ group, reason: group }));

describe('what a paused group stops', () => {
  it.each<[OperationGroup, Work, boolean]>([
    ['vendor-sales', 'records', true],
    ['salesforce', 'records', true],
    ['vendor-order', 'records', false],
    ['whole-tenant', 'records', true],
    ['by-hand', 'records', true],
    ['vendor-sales', 'pollVendor', true],
    ['salesforce', 'pollVendor', false],
    ['salesforce', 'sweepSalesforce', true],
    ['vendor-sales', 'sweepSalesforce', false],
  ])('%s stops %s: %s', (group, work, stopped) => {
    expect(stops(group, work)).toBe(stopped);
    expect(stoppedBy(paused(group), work) !== undefined).toBe(stopped);
  });

  it('is Salesforce too where rows are kept there', () => {
    const row = STREAMS.pollVendor;
    const into = { object: 'Vendor_Thing__c', externalId: 'Key__c', fields: [] };
    expect(needsOf(row)).toEqual(['vendor-sales']);
    expect(needsOf({ ...row, into })).toEqual(['vendor-sales', 'salesforce']);
  });
});

it('the activities of a side are those of the streams that read it', () => {
  const crm: readonly string[] = streamActivitiesOf('salesforce');
  const vendor: readonly string[] = streamActivitiesOf('vendor');
  expect(crm).toContain('sweepCrmOpportunities');
  expect(vendor).toContain('searchVendorOpportunities');
  expect([...crm, ...vendor].sort()).toEqual(
    Object.values(STREAMS)
      .map((row) => row.activity)
      .sort(),
  );
});

it('each stream keeps its cursors under its own name', () => {
  expect(cursorOf('pollVendor')).toBe('pollVendor');
  expect(cursorOf('sweepSalesforce', 'Account')).toBe('sweepSalesforce:Account');
});

describe('the rows', () => {
  it('leave two groups to a person', () => {
    expect(ALL.filter((group) => OPERATION_GROUPS[group].probes === null)).toEqual(['whole-tenant', 'by-hand']);
  });
});
