/** Leads that Lockstep converts itself, because the vendor has made opportunities of them. On ledger and simulators. */

import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

/** The org takes no account in Clausthal without a website, and no opportunity with ore without a next step. */
const ORG: SourceFiles = {
  'objects/Account/validationRules/Website.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      ...{ fullName: 'Website', active: true, errorConditionFormula: 'BillingCity = "Clausthal" && ISBLANK(Website)' },
      errorMessage: 'Enter the website.',
    }),
  ],
  'objects/Opportunity/validationRules/Next_Step.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      ...{ fullName: 'Next_Step', active: true, errorConditionFormula: 'Description = "Ore" && ISBLANK(NextStep)' },
      errorMessage: 'Enter the next step.',
    }),
  ],
};

const open = withWorlds(workflows, ORG);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await open({ leads: { convert: true } }));
});

async function settled(): Promise<void> {
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
}

async function onlyRecord(): Promise<Raw> {
  const records = await deals.leads();
  expect(records).toHaveLength(1);
  return records[0] as Raw;
}

async function agreedLead(fields: Raw = {}): Promise<string> {
  const leadId = await sharedLead(world, fields);
  await settled();
  return leadId;
}

async function vendorMoves(status: string): Promise<void> {
  await world.vendor.edit(String((await onlyRecord())['id']), { status });
  await deals.poll();
}

async function isConverted(leadId: string): Promise<boolean> {
  return (await deals.row('Lead', leadId))['IsConverted'] === true;
}

/** The only opportunity. */
async function onlyOpportunity(): Promise<Raw> {
  const opportunities = await deals.opportunities();
  expect(opportunities).toHaveLength(1);
  return opportunities[0] as Raw;
}

describe('a lead that the vendor has made an opportunity of', () => {
  it('is converted, and its opportunity goes on with the same record', async () => {
    const leadId = await agreedLead({ Vendor_Deal_Name__c: 'New boilers' });
    await vendorMoves('OPPY_OPEN');
    await settled();
    const [record, opportunity] = [await onlyRecord(), await onlyOpportunity()];
    expect(await isConverted(leadId)).toBe(true);
    expect(opportunity).toMatchObject({ Name: 'New boilers', Vendor_Id__c: record['id'], Vendor_Share__c: true });
    expect(record).toMatchObject({ name: 'New boilers', status: 'OPPY_OPEN', partnerLeadOpportunityId: leadId });
    expect(opportunity['CloseDate']).toBe('2027-05-31');
    expect(record['closeDate']).toBe('2027-05-31T00:00:00.000Z');
    expect(await deals.link(String(opportunity['Id']))).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('brings its opportunity to the stage of the vendor', async () => {
    await agreedLead();
    await vendorMoves('VALIDATED');
    await settled();
    expect(await onlyOpportunity()).toMatchObject({ StageName: 'Proposal/Price Quote' });
    expect(await onlyRecord()).toMatchObject({ status: 'VALIDATED' });
  });

  it('loses no edit that was on its way to the vendor', async () => {
    const leadId = await agreedLead({ Description: 'Old' });
    await world.crm.edit(leadId, { Description: 'New boilers' });
    await world.vendor.edit(String((await onlyRecord())['id']), { status: 'OPPY_OPEN', nextMilestone: 'Call them' });
    await deals.poll();
    await settled();
    expect(await onlyRecord()).toMatchObject({ description: 'New boilers', nextMilestone: 'Call them' });
    expect(await onlyOpportunity()).toMatchObject({
      Description: 'New boilers',
      Vendor_Next_Milestone__c: 'Call them',
    });
  });

  it.each(['QUALIFIED', 'LOST'])('is not converted with the status %s', async (status) => {
    const leadId = await agreedLead();
    await vendorMoves(status);
    await settled();
    expect(await isConverted(leadId)).toBe(false);
  });

  it('that is not shared any more is not converted', async () => {
    const leadId = await agreedLead();
    await world.crm.edit(leadId, { Vendor_Share__c: false });
    await settled();
    await vendorMoves('OPPY_OPEN');
    await settled();
    expect(await isConverted(leadId)).toBe(false);
  });

  it('stays a lead if the tenant does not want it', async () => {
    ({ world, deals } = await open({ leads: {} }));
    const leadId = await agreedLead();
    await vendorMoves('OPPY_OPEN');
    await settled();
    expect(await deals.row('Lead', leadId)).toMatchObject({ IsConverted: false, Vendor_Status__c: 'OPPY_OPEN' });
  });
});

describe('a conversion', () => {
  it('that Salesforce refuses is an issue with its repair, and happens once it is repaired', async () => {
    const leadId = await agreedLead({ City: 'Clausthal' });
    await vendorMoves('OPPY_OPEN');
    await settled();
    expect(await deals.link(leadId)).toMatchObject({ issues: [{ code: 'lead-not-converted' }] });
    expect(await deals.opportunities()).toEqual([]);
    const [row] = await world.crm.list('Lockstep_Lead_Sync__c');
    expect(row?.['Message__c']).toContain('FIELD_CUSTOM_VALIDATION_EXCEPTION');
    await world.crm.edit(leadId, { Website: 'bergwerk.example' });
    await settled();
    expect(await isConverted(leadId)).toBe(true);
    expect(await onlyOpportunity()).toMatchObject({ Vendor_Id__c: (await onlyRecord())['id'] });
  });

  it('leaves edits on the lead as long as Salesforce refuses to write them to the opportunity', async () => {
    const leadId = await agreedLead();
    await world.crm.edit(leadId, { Description: 'Ore' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'parked', issues: [{ code: 'left-on-lead' }] });
    expect((await deals.syncRow(opportunityId))?.['Message__c']).toContain('FIELD_CUSTOM_VALIDATION_EXCEPTION');
    // The refused description does not keep back the lead's close date.
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Description: null, CloseDate: '2027-05-31' });
    expect(await onlyRecord()).toMatchObject({ status: 'OPPY_OPEN', closeDate: '2027-05-31T00:00:00.000Z' });
    await world.crm.edit(opportunityId, { NextStep: 'Call' });
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Description: 'Ore' });
    expect(await onlyRecord()).toMatchObject({ description: 'Ore', closeDate: '2027-05-31T00:00:00.000Z' });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('into an opportunity that is locked at once waits with the close date until the lock ends', async () => {
    const leadId = await agreedLead();
    const opportunityId = String(await world.convert(leadId));
    await world.crm.lock(opportunityId, true);
    await deals.sweep();
    await deals.time(60_000);
    expect(await onlyRecord()).toMatchObject({ status: 'OPPY_OPEN', closeDate: '2027-05-31T00:00:00.000Z' });
    expect((await deals.link(opportunityId))?.issues.map(({ code }) => code)).toContain('left-on-lead');
    await world.crm.lock(opportunityId, false);
    await world.crm.edit(opportunityId, { NextStep: 'Call' });
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ CloseDate: '2027-05-31' });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('of a lead that the vendor does not have yet waits until the opportunity’s lock ends', async () => {
    const leadId = await sharedLead(world);
    const opportunityId = String(await world.convert(leadId));
    await deals.line(opportunityId, 500);
    await world.crm.lock(opportunityId, true);
    await deals.message(leadId);
    await deals.message(opportunityId);
    await deals.time(60_000);
    expect(await deals.leads()).toEqual([]);
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ CloseDate: '2027-05-31' });
    expect(await onlyRecord()).toMatchObject({ closeDate: '2027-05-31T00:00:00.000Z' });
  });

  it('leaves a close date that a user edits at once', async () => {
    const leadId = await agreedLead();
    const opportunityId = String(await world.convert(leadId));
    await world.crm.edit(opportunityId, { CloseDate: '2027-02-15' });
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ CloseDate: '2027-02-15' });
    expect(await onlyRecord()).toMatchObject({ closeDate: '2027-02-15T00:00:00.000Z' });
  });

  it.each([
    ['is written to the opportunity', {}],
    ['stays on the lead as long as Salesforce refuses to write it', { Description: 'Ore' }],
  ])('does not lose a close date that was edited on the lead: it %s', async (_, edits) => {
    const leadId = await agreedLead();
    await world.crm.edit(leadId, { Vendor_Close_Date__c: '2027-08-15', ...edits });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    if ('Description' in edits) {
      await world.crm.edit(opportunityId, { NextStep: 'Call' });
      await settled();
    }
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ CloseDate: '2027-08-15' });
    expect(await onlyRecord()).toMatchObject({ closeDate: '2027-08-15T00:00:00.000Z' });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('keeps an edit on the lead although the vendor has the field’s earlier value', async () => {
    const leadId = await agreedLead({ Description: 'Coal' });
    await world.crm.edit(leadId, { Description: 'Ore' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Description: null });
    expect(await deals.link(opportunityId)).toMatchObject({ issues: [{ code: 'left-on-lead' }] });
    await world.crm.edit(opportunityId, { NextStep: 'Call' });
    await settled();
    expect(await onlyRecord()).toMatchObject({ description: 'Ore' });
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Description: 'Ore' });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it.each([
    ['is not shared any more', { Vendor_Share__c: false }],
    ['is deleted', null],
  ])('writes no edits of the lead to an opportunity that %s', async (_, change) => {
    const leadId = await agreedLead();
    await world.crm.edit(leadId, { Description: 'Ore' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    if (change === null) await world.crm.remove(opportunityId);
    else await world.crm.edit(opportunityId, { ...change, NextStep: 'Call' });
    await settled();
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'detached' });
    if (change !== null) expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Description: null });
  });

  it('restores no value that a user cleared on the opportunity', async () => {
    const leadId = await agreedLead({ Vendor_Next_Milestone__c: 'Survey' });
    await world.crm.edit(leadId, { Description: 'Ore' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Vendor_Next_Milestone__c: 'Survey' });
    await world.crm.edit(opportunityId, { Vendor_Next_Milestone__c: null, NextStep: 'Call' });
    await settled();
    expect(await onlyRecord()).toMatchObject({ description: 'Ore', nextMilestone: '' });
  });

  it('leaves no edits on the lead once a user has entered a value in the opportunity', async () => {
    const leadId = await agreedLead();
    await world.crm.edit(leadId, { Description: 'Ore' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    await world.crm.edit(opportunityId, { Description: 'Salt' });
    await settled();
    expect(await onlyRecord()).toMatchObject({ description: 'Salt' });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('whose answer is lost makes one opportunity', async () => {
    await agreedLead();
    await world.crm.fault({ operation: 'soap', cut: 'after', times: 1 });
    await vendorMoves('OPPY_OPEN');
    await settled();
    expect(await onlyOpportunity()).toMatchObject({ Vendor_Id__c: (await onlyRecord())['id'] });
  });
});
