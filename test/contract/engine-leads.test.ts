/** Leads as the first half of a deal: shared, edited on both sides, converted. On ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { OFFERS } from '../support/engine/fields.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead as leadOf } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const open = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await open({ leads: {} }));
});

const sharedLead = (fields: Raw = {}): Promise<string> => leadOf(world, fields);

async function settled(): Promise<void> {
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
}

async function onlyRecord(): Promise<Raw> {
  const records = await world.vendor.list('leadOpportunity');
  expect(records).toHaveLength(1);
  return records[0] as Raw;
}

const leadRow = (id: string): Promise<Raw> => deals.row('Lead', id);

it('a check of the mapping counts shared leads that lack what the vendor requires', async () => {
  await sharedLead();
  await sharedLead({ LastName: 'Tal', Email: 'tal@berg.example', Vendor_Close_Date__c: null });
  await sharedLead({ LastName: 'Au', Email: 'au@berg.example', Vendor_Close_Date__c: null, Vendor_Share__c: false });
  const fields = ['Vendor_Close_Date__c', 'Vendor_Offer__c'];
  expect(await world.runtime.crm.sharedLeadsWithout(fields.slice(0, 1))).toEqual([{ Vendor_Close_Date__c: null }]);
  expect(await world.runtime.crm.sharedLeadsWithout(fields)).toHaveLength(2);
});

describe('a shared lead', () => {
  it('is one record at the vendor, and shows its id, status and state', async () => {
    const leadId = await sharedLead();
    await settled();
    const record = await onlyRecord();
    expect(record).toMatchObject({ partnerLeadOpportunityId: leadId, name: 'Bergwerk', status: 'LEAD_OPEN' });
    expect(await leadRow(leadId)).toMatchObject({ Vendor_Id__c: record['id'], Vendor_Status__c: 'LEAD_OPEN' });
    const [sync] = await world.crm.list('Lockstep_Lead_Sync__c');
    expect(sync).toMatchObject({ Lead_Key__c: leadId, Lead__c: leadId, Sync_State__c: 'In sync' });
  });

  it('takes edits of both sides, and the vendor’s status moves it', async () => {
    const leadId = await sharedLead();
    await settled();
    await world.vendor.edit(String((await onlyRecord())['id']), { status: 'QUALIFIED', nextMilestone: 'Call them' });
    await world.crm.edit(leadId, { Description: 'New boilers', Phone: '+49 1' });
    await deals.poll();
    await settled();
    expect(await onlyRecord()).toMatchObject({
      description: 'New boilers',
      customerContact: [{ email: 'ida@berg.example', phoneNumber: '+49 1' }],
    });
    expect(await leadRow(leadId)).toMatchObject({
      Status: 'Working - Contacted',
      Vendor_Next_Milestone__c: 'Call them',
    });
  });

  it('without what the vendor needs waits with a message, and goes on when it is filled in', async () => {
    const leadId = await sharedLead({ Vendor_Close_Date__c: null });
    await settled();
    expect(await world.vendor.list('leadOpportunity')).toEqual([]);
    const [sync] = await world.crm.list('Lockstep_Lead_Sync__c');
    expect(sync?.['Message__c']).toContain('"Vendor: close date"');
    await world.crm.edit(leadId, { Vendor_Close_Date__c: '2027-06-30' });
    await settled();
    await onlyRecord();
  });

  it('that is deleted is detached, and goes on when it is restored', async () => {
    const leadId = await sharedLead();
    await settled();
    await world.crm.remove(leadId);
    await settled();
    expect(await deals.link(leadId)).toMatchObject({ state: 'detached' });
    expect(await world.crm.list('Lockstep_Lead_Sync__c')).toMatchObject([{ Sync_State__c: 'Detached' }]);
    await world.crm.undelete(leadId);
    await settled();
    expect(await deals.link(leadId)).toMatchObject({ state: 'in-sync' });
    expect(await world.crm.list('Lockstep_Lead_Sync__c')).toMatchObject([
      { Sync_State__c: 'In sync', Lead__c: leadId },
    ]);
    await onlyRecord();
  });

  it('that is merged into another before either was noticed is one record at the vendor', async () => {
    const leadId = await sharedLead();
    await settled();
    const other = await sharedLead({ Company: 'Bergwerk AG' });
    await world.crm.merge(other, leadId);
    await deals.message(other);
    await settled();
    expect(await onlyRecord()).toMatchObject({ partnerLeadOpportunityId: leadId, name: 'Bergwerk AG' });
    expect(await deals.link(other)).toMatchObject({ state: 'in-sync', formerIds: [leadId] });
  });

  it('that is merged twice before anybody looks is one record at the vendor', async () => {
    const leadId = await sharedLead();
    await settled();
    const [first, last] = [await sharedLead({ Company: 'First' }), await sharedLead({ Company: 'Last' })];
    await world.crm.merge(first, leadId);
    await world.crm.merge(last, first);
    await deals.message(last);
    await settled();
    expect(await onlyRecord()).toMatchObject({ partnerLeadOpportunityId: leadId, name: 'Last' });
    expect(await deals.link(last)).toMatchObject({ state: 'in-sync' });
  });

  it('that is merged into another goes on as that one', async () => {
    const [leadId, other] = [await sharedLead(), await sharedLead({ Company: 'Bergwerk AG', Vendor_Share__c: false })];
    await settled();
    await world.crm.edit(other, { Vendor_Share__c: true });
    await world.crm.merge(other, leadId);
    await settled();
    const record = await onlyRecord();
    expect(await deals.link(other)).toMatchObject({ state: 'in-sync', vendorId: record['id'], formerIds: [leadId] });
  });
});

describe('a conversion', () => {
  it('moves the deal to the opportunity, and both sides go on with one record', async () => {
    const leadId = await sharedLead({ Description: 'New boilers' });
    await settled();
    const before = await onlyRecord();
    const opportunityId = String(await world.convert(leadId));
    await settled();
    const record = await onlyRecord();
    expect(record).toMatchObject({ id: before['id'], partnerLeadOpportunityId: leadId, status: 'OPPY_OPEN' });
    expect(record['description']).toBe('New boilers');
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({
      Vendor_Id__c: record['id'],
      Vendor_Share__c: true,
      Description: 'New boilers',
    });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', formerIds: [leadId] });
    await world.crm.edit(opportunityId, { NextStep: 'x', Vendor_Campaign_Code__c: 'OURS' });
    await world.vendor.edit(String(record['id']), { nextMilestone: 'THEIRS' });
    await deals.poll();
    await settled();
    expect(await onlyRecord()).toMatchObject({ cometCampaignCode: 'OURS' });
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Vendor_Next_Milestone__c: 'THEIRS' });
  });

  it('into an opportunity that is not shared is allowed, and shares that one', async () => {
    const leadId = await sharedLead();
    await settled();
    const accountId = await world.crm.create('Account', { Name: 'Known', BillingCountry: 'DE' });
    const made = { Name: 'Known', AccountId: accountId, StageName: 'Qualification', CloseDate: '2027-08-31' };
    const opportunityId = await world.crm.create('Opportunity', made);

    expect(await world.convert(leadId, { accountId, opportunityId })).toBe(opportunityId);
    await settled();

    const record = await onlyRecord();
    expect(record).toMatchObject({ partnerLeadOpportunityId: leadId, name: 'Known' });
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({
      ...{ Vendor_Id__c: record['id'], Vendor_Status__c: record['status'], Vendor_Share__c: true },
    });
  });

  it('follows the vendor, who has moved the deal further than the first stage of the new opportunity', async () => {
    const leadId = await sharedLead();
    await settled();
    await world.vendor.edit(String((await onlyRecord())['id']), { status: 'VALIDATED' });
    await deals.poll();
    const opportunityId = String(await world.convert(leadId));
    await settled();
    expect(await onlyRecord()).toMatchObject({ status: 'VALIDATED' });
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ StageName: 'Proposal/Price Quote' });
  });

  it('of a lead that was merged before keeps the reference under which the vendor knows the deal', async () => {
    const [leadId, other] = [await sharedLead(), await sharedLead({ Company: 'Bergwerk AG', Vendor_Share__c: false })];
    await settled();
    await world.crm.edit(other, { Vendor_Share__c: true });
    await world.crm.merge(other, leadId);
    await settled();
    const opportunityId = String(await world.convert(other));
    await settled();
    const record = await onlyRecord();
    expect(record).toMatchObject({ partnerLeadOpportunityId: leadId });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', vendorId: record['id'] });
  });

  it('keeps an edit that a vendor user made before Lockstep noticed the conversion', async () => {
    const leadId = await sharedLead({ Vendor_Next_Milestone__c: 'Ours' });
    await settled();
    const { id } = await onlyRecord();
    await world.vendor.edit(String(id), { nextMilestone: 'Theirs' });
    const opportunityId = String(await world.convert(leadId));
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Vendor_Next_Milestone__c: 'Theirs' });
  });

  it('before the lead was ever sent makes one record, of the opportunity', async () => {
    const leadId = await sharedLead({ Vendor_Close_Date__c: null });
    await settled();
    const opportunityId = String(await world.convert(leadId));
    await deals.line(opportunityId, 500);
    await settled();
    expect(await onlyRecord()).toMatchObject({ partnerLeadOpportunityId: opportunityId });
  });

  it('while the answer to the create is lost makes no second record', async () => {
    await world.vendor.fault({ operation: 'createLeadOpportunity', cut: 'after', times: 1 });
    const leadId = await sharedLead();
    await deals.sweep();
    const opportunityId = String(await world.convert(leadId));
    await settled();
    const record = await onlyRecord();
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', vendorId: record['id'] });
  });

  it('without an opportunity ends the deal, and the vendor’s record stays', async () => {
    const leadId = await sharedLead();
    await settled();
    expect(await world.convert(leadId, { doNotCreateOpportunity: true })).toBeNull();
    await settled();
    expect(await deals.link(leadId)).toMatchObject({ state: 'detached' });
    await onlyRecord();
  });

  it('into an opportunity with a record of its own waits for a person, and changes neither record', async () => {
    const opportunityId = await deals.shared();
    const leadId = await sharedLead();
    await settled();
    expect(await world.vendor.list('leadOpportunity')).toHaveLength(2);
    const { AccountId: accountId } = await deals.row('Opportunity', opportunityId);
    await world.convert(leadId, { accountId: String(accountId), opportunityId });
    await settled();
    expect(await deals.link(leadId)).toMatchObject({ state: 'parked', issues: [{ code: 'became-another-deal' }] });
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync' });
    expect(await world.vendor.list('leadOpportunity')).toHaveLength(2);
  });
});

describe('a lead of the vendor', () => {
  beforeEach(async () => {
    ({ world, deals } = await open({ leads: { imports: true } }));
  });

  it('becomes a lead, and its opportunity goes on with the same record', async () => {
    const vendorId = await world.vendor.create('leadOpportunity', {
      ...{ name: 'From the vendor', status: 'LEAD_OPEN', closeDate: '2027-03-31T00:00:00.000Z', currency: 'EUR' },
      offerLines: [
        { offerNameId: OFFERS[0], amount: 500 },
        { offerNameId: OFFERS[1], amount: 70 },
      ],
      customerLegalEntity: { name: 'Bergwerk', city: 'Goslar', country: 'DE' },
      customerContact: [{ email: 'ida@berg.example', firstName: 'Ida', lastName: 'Berg' }],
    });
    await deals.poll();
    await settled();
    const [lead] = (await world.crm.list('Lead')).filter((row) => row['Vendor_Id__c'] === vendorId);
    expect(lead).toMatchObject({ Company: 'Bergwerk', LastName: 'Berg', Status: 'Open - Not Contacted' });
    const lines = [{ amount: 500 }, { amount: 70 }];
    expect(await onlyRecord()).toMatchObject({ partnerLeadOpportunityId: lead?.['Id'], offerLines: lines });
    const opportunityId = String(await world.convert(String(lead?.['Id'])));
    await settled();
    expect(await deals.link(opportunityId)).toMatchObject({ state: 'in-sync', vendorId });
    expect(await onlyRecord()).toMatchObject({ offerLines: lines });
  });
});
