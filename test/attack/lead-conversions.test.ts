/** Attacks by a sales person who converts or merges leads into records of others: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw, SalesPerson } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
const SETS = ['Lockstep_User', 'Lockstep_Leads_User'];
const SECRET = 'What nobody shared with the vendor';
let world: World;
let deals: Deals;
let eve: SalesPerson;

beforeEach(async () => {
  ({ world, deals } = await openWorld({ leads: {} }));
  eve = await world.crm.employ('Eve', SETS);
});

/** A shared lead that Eve owns and that the vendor has. */
async function ownLead(fields: Raw = {}): Promise<string> {
  const leadId = await sharedLead(world, { OwnerId: eve.id, ...fields });
  await settled();
  return leadId;
}

async function settled(): Promise<void> {
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
}

/** An opportunity of another sales person, which may be shared with the vendor. */
async function othersDeal(fields: Raw = {}): Promise<{ readonly accountId: string; readonly opportunityId: string }> {
  const accountId = await deals.account({ Name: 'Hooli' });
  const opportunityId = await deals.opportunity(accountId, {
    ...{ Name: SECRET, Description: SECRET, Vendor_Share__c: false },
    ...fields,
  });
  world.clock.advance(5 * 60_000);
  return { accountId, opportunityId };
}

const sentToVendor = async (): Promise<string> =>
  JSON.stringify([await deals.leads(), (await world.vendor.requests()).map(({ body }) => body)]);

describe('an opportunity that nobody shared', () => {
  it('is not shared by a conversion into it, by a user who may not share opportunities', async () => {
    const leadId = await ownLead();
    const deal = await othersDeal();
    expect(await world.convert(leadId, deal, eve)).toBe(deal.opportunityId);
    await settled();
    await deals.poll();
    expect(await deals.row('Opportunity', deal.opportunityId)).toMatchObject({ Vendor_Share__c: false });
    expect(await sentToVendor()).not.toContain(SECRET);
  });

  it('is shared by whoever may share it, also after such a conversion', async () => {
    const leadId = await ownLead();
    const deal = await othersDeal({ Name: 'Core switches', Description: null });
    await world.convert(leadId, deal, eve);
    await settled();
    await world.crm.edit(deal.opportunityId, { Vendor_Share__c: true });
    await settled();
    const [record] = await deals.leads();
    expect(record).toMatchObject({ name: 'Core switches' });
    expect(await deals.link(deal.opportunityId)).toMatchObject({ vendorId: record?.['id'], state: 'in-sync' });
  });

  it('whose sharing its owner ended before stays so', async () => {
    const leadId = await ownLead();
    const deal = await othersDeal();
    await world.crm.edit(deal.opportunityId, { Vendor_Share__c: true, StageName: 'Value Proposition' });
    await settled();
    await world.crm.edit(deal.opportunityId, { Vendor_Share__c: false });
    await settled();
    const before = await sentToVendor();
    world.clock.advance(5 * 60_000);
    await world.convert(leadId, deal, eve);
    await settled();
    expect(await deals.row('Opportunity', deal.opportunityId)).toMatchObject({ Vendor_Share__c: false });
    expect((await sentToVendor()).split(SECRET).length).toBe(before.split(SECRET).length);
  });

  it('that the conversion makes is shared, because its lead was', async () => {
    const leadId = await ownLead();
    const opportunityId = String(await world.convert(leadId, {}, eve));
    await settled();
    expect(await deals.row('Opportunity', opportunityId)).toMatchObject({ Vendor_Share__c: true });
  });
});

describe('a sales person without the rights', () => {
  const refused = (lead: string, wanted: Raw) =>
    expect(world.convert(lead, wanted, eve)).rejects.toThrow(/INSUFFICIENT_ACCESS|INVALID_CROSS_REFERENCE_KEY/);

  it.each<[string, readonly [object: string, model: 'Private' | 'Read'][]]>([
    ['opportunity that the user may only read', [['Opportunity', 'Read']]],
    ['opportunity that the user may not see', [['Opportunity', 'Private']]],
    ['account that the user may only read', [['Account', 'Read']]],
    ['account that the user may not see', [['Account', 'Private']]],
  ])('converts into no %s', async (_, models) => {
    const leadId = await ownLead();
    const deal = await othersDeal({ Vendor_Share__c: true });
    for (const [object, model] of models) await world.crm.share(object, model);
    await refused(leadId, deal);
    await settled();
    expect(await deals.row('Lead', leadId)).toMatchObject({ IsConverted: false });
  });

  it.each(['Read', 'Private'] as const)('converts no lead of another user, if leads are %s', async (model) => {
    const leadId = await sharedLead(world);
    await settled();
    await world.crm.share('Lead', model);
    await refused(leadId, {});
  });

  it.each(['Account', 'Opportunity'])('who may create no %s converts no lead', async (object) => {
    const leadId = await ownLead();
    await world.crm.access({ user: eve.id, object, access: 'read' });
    await refused(leadId, {});
  });
});

describe('a conversion into a deal that the vendor has', () => {
  it('changes neither record, and brings the values of neither to the other', async () => {
    const victim = await deals.shared({ Description: SECRET }, { Name: 'Hooli' });
    const leadId = await ownLead({ Description: 'Of Eve' });
    const records = await deals.leads();
    expect(records).toHaveLength(2);
    const { AccountId: accountId } = await deals.row('Opportunity', victim);
    await world.convert(leadId, { accountId: String(accountId), opportunityId: victim }, eve);
    await settled();
    await deals.poll();
    const after = await deals.leads();
    const own = after.find(({ partnerLeadOpportunityId: id }) => id === leadId);
    expect(JSON.stringify(own)).not.toContain(SECRET);
    expect(await deals.leadNamed(victim)).toMatchObject({ description: SECRET });
    expect(await deals.link(victim)).toMatchObject({ vendorId: (await deals.leadNamed(victim))?.['id'] });
  });
});

describe('two leads for one opportunity', () => {
  it('give it one record, and the other lead waits for a person', async () => {
    const [first, second] = [await ownLead(), await ownLead({ LastName: 'Two', Company: 'Two' })];
    const opportunityId = String(await world.convert(first, {}, eve));
    await settled();
    const { AccountId: accountId } = await deals.row('Opportunity', opportunityId);
    await world.convert(second, { accountId: String(accountId), opportunityId }, eve);
    await settled();
    const owner = await deals.link(opportunityId);
    expect(owner.formerIds).toEqual([first]);
    expect(await deals.link(second)).toMatchObject({ state: 'parked', issues: [{ code: 'became-another-deal' }] });
  });
});
