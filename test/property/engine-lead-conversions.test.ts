import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

/**
 * A sales person converts a lead at each point of a change on its way, one point after another, and the worker dies at each point of the
 * deal's move to the opportunity. Nothing is lost or made twice, and both sides end equal.
 */

const open = withWorlds(workflows);

/** A call of a port has a point before it and one after it. */
function everyOther(first: number, last: number): readonly number[] {
  return Array.from({ length: (last - first) / 2 + 1 }, (_, index) => first + 2 * index);
}

type Stage = {
  readonly world: World;
  readonly deals: Deals;
  readonly leadId: string;
  readonly convert: () => Promise<void>;
  /** Converts the lead if it is not converted yet, lets all work end, and checks the deal. */
  readonly end: () => Promise<{ readonly record: Raw; readonly opportunity: Raw }>;
};

async function stageWith({ isAgreed }: { readonly isAgreed: boolean }): Promise<Stage> {
  const { world, deals } = await open({ leads: {} });
  const leadId = await sharedLead(world, { Vendor_Campaign_Code__c: 'FIRST' });
  if (isAgreed) expect(await settle(world)).toEqual([]);
  let opportunityId: string | null = null;
  const convert = async (): Promise<void> => {
    if (opportunityId !== null) return;
    opportunityId = await world.convert(leadId);
    // With a product the opportunity could be registered on its own, which would make a second record.
    await deals.line(String(opportunityId), 500);
    await deals.message(String(opportunityId));
  };
  return {
    world,
    deals,
    leadId,
    convert,
    end: async () => {
      await convert();
      await deals.sweep();
      expect(await settle(world)).toEqual([]);
      const records = await deals.leads();
      expect(records).toHaveLength(1);
      const [record = {}] = records;
      const opportunity = await deals.row('Opportunity', String(opportunityId));
      expect(await deals.link(String(opportunityId))).toMatchObject({
        state: 'in-sync',
        vendorId: record['id'],
        issues: [],
      });
      expect(opportunity).toMatchObject({ Vendor_Share__c: true, Vendor_Id__c: record['id'] });
      expect([leadId, opportunityId]).toContain(record['partnerLeadOpportunityId']);
      expect(record).toMatchObject({ status: 'OPPY_OPEN', name: opportunity['Name'] });
      expect(String(record['closeDate']).slice(0, 10)).toBe(opportunity['CloseDate']);
      expect(opportunity['CloseDate']).toBe('2027-05-31');
      return { record, opportunity };
    },
  };
}

it.each(everyOther(1, 29))('a lead that is converted at point %i of its registration', async (point) => {
  const { world, deals, leadId, convert, end } = await stageWith({ isAgreed: false });
  world.interruptions.plan(point, convert);
  await deals.message(leadId);
  await deals.time(10_000);
  const { record } = await end();
  expect(record['cometCampaignCode']).toBe('FIRST');
});

it.each(everyOther(1, 31))(
  'a lead that is converted at point %i of an edit on its way to the vendor',
  async (point) => {
    const { world, deals, leadId, convert, end } = await stageWith({ isAgreed: true });
    await world.crm.edit(leadId, { Vendor_Campaign_Code__c: 'OURS' });
    world.interruptions.plan(point, convert);
    await deals.message(leadId);
    await deals.time(10_000);
    const { record, opportunity } = await end();
    expect(record['cometCampaignCode']).toBe('OURS');
    expect(opportunity['Vendor_Campaign_Code__c']).toBe('OURS');
  },
);

it.each(everyOther(1, 31))(
  'a lead that is converted at point %i of an edit on its way to Salesforce',
  async (point) => {
    const { world, deals, leadId, convert, end } = await stageWith({ isAgreed: true });
    await deals.editAtVendor(leadId, { nextMilestone: 'Theirs' });
    world.interruptions.plan(point, convert);
    await deals.poll();
    const { record, opportunity } = await end();
    expect(record['nextMilestone']).toBe('Theirs');
    expect(opportunity['Vendor_Next_Milestone__c']).toBe('Theirs');
  },
);

it.each(everyOther(1, 29))('the worker dies at point %i of the move to the opportunity', async (point) => {
  const { world, deals, leadId, convert, end } = await stageWith({ isAgreed: true });
  await deals.editAtVendor(leadId, { nextMilestone: 'Theirs' });
  await convert();
  world.interruptions.plan(point, 'worker');
  await deals.sweep();
  const { opportunity } = await end();
  expect(opportunity['Vendor_Next_Milestone__c']).toBe('Theirs');
});

it.each(everyOther(1, 35))('the worker dies at point %i while Lockstep converts the lead', async (point) => {
  const { world, deals } = await open({ leads: { convert: true } });
  const leadId = await sharedLead(world, { Vendor_Campaign_Code__c: 'FIRST' });
  expect(await settle(world)).toEqual([]);
  await deals.editAtVendor(leadId, { status: 'OPPY_OPEN', nextMilestone: 'Theirs' });
  world.interruptions.plan(point, 'worker');
  await deals.poll();
  expect(await settle(world)).toEqual([]);
  const [records, opportunities] = [await deals.leads(), await deals.opportunities()];
  expect([records, opportunities].map(({ length }) => length)).toEqual([1, 1]);
  expect(records[0]).toMatchObject({ status: 'OPPY_OPEN', nextMilestone: 'Theirs', cometCampaignCode: 'FIRST' });
  expect(opportunities[0]).toMatchObject({
    Vendor_Id__c: records[0]?.['id'],
    Vendor_Next_Milestone__c: 'Theirs',
    Vendor_Campaign_Code__c: 'FIRST',
  });
});
