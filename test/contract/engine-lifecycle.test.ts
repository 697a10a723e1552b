/** Deletes, undeletes and merges of what a deal consists of: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { OFFERS } from '../support/engine/fields.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
/** One shared deal with two lines and a contact, settled. */
let deal: {
  readonly account: string;
  readonly id: string;
  readonly lines: readonly string[];
  readonly contact: string;
};

beforeEach(async () => {
  ({ world, deals } = await openWorld());
  const account = await deals.account();
  const id = await deals.opportunity(account);
  const lines = [await deals.line(id, 500, 0), await deals.line(id, 700, 1)];
  deal = { account, id, lines, contact: await deals.contact(account, id, 'erika@initech.example') };
  await deals.sweep();
  expect(await deals.link(id)).toMatchObject({ state: 'in-sync' });
});

/** Other people's work moves the sweep on, so that it meets no row of the deal again. */
async function longAfter(): Promise<void> {
  await deals.sweep();
  await deals.time(3_600_000);
  const account = await deals.account({ Name: 'Another customer' });
  await deals.contact(account, await deals.opportunity(account, { Vendor_Share__c: false }), 'a@other.example');
  await deals.sweep();
}

async function lead() {
  const found = await deals.leadNamed(deal.id);
  if (found === undefined) throw new Error('the vendor has no record of the deal');
  return found;
}

describe('an opportunity', () => {
  it('is detached when it is deleted, and nothing of that reaches the vendor', async () => {
    const [before, writes] = [await lead(), await deals.vendorWrites()];
    await world.crm.remove(deal.id);
    await deals.sweep();
    const link = await deals.link(deal.id);
    expect(link).toMatchObject({ state: 'detached', vendorId: before['id'] });
    const journal = await world.ledger.journal(world.tenant, link.key, 10);
    const decision = journal.find(({ kind }) => kind === 'decision');
    expect(decision?.summary).toMatchObject({ next: 'detached', reason: 'deleted in the CRM' });
    await world.vendor.edit(String(before['id']), { nextMilestone: 'While it was away' });
    expect(await settle(world)).toEqual([]);
    expect(await deals.vendorWrites()).toBe(writes);
    const { modifiedDate: _, ...same } = before;
    expect(await lead()).toMatchObject({ ...same, nextMilestone: 'While it was away' });
  });

  it('flows again from its base when it is restored, with the edits of both sides', async () => {
    const { id } = await lead();
    await world.crm.remove(deal.id);
    await deals.sweep();
    await world.vendor.edit(String(id), { nextMilestone: 'From the vendor' });
    world.startStream('pollVendor');
    await deals.time(30_000);
    await deals.undelete(deal.id);
    await world.crm.edit(deal.id, { Description: 'From the CRM' });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await lead()).toMatchObject({ id, description: 'From the CRM', nextMilestone: 'From the vendor' });
    expect((await lead())['offerLines']).toHaveLength(2);
    expect(await deals.row('Opportunity', deal.id)).toMatchObject({
      Description: 'From the CRM',
      Vendor_Next_Milestone__c: 'From the vendor',
    });
    expect(await deals.link(deal.id)).toMatchObject({ state: 'in-sync' });
    expect(await deals.leads()).toHaveLength(1);
  });
});

describe('a part of a deal', () => {
  it('line: goes at the vendor when it is deleted, and comes back when it is restored', async () => {
    const [line = ''] = deal.lines;
    await world.crm.remove(line);
    await deals.sweep();
    expect((await lead())['offerLines']).toMatchObject([{ amount: 700 }]);
    await deals.undelete(line);
    await deals.sweep();
    const amounts = ((await lead())['offerLines'] as readonly { amount: number }[]).map((row) => row.amount);
    expect(amounts.sort()).toEqual([500, 700]);
    expect(await settle(world)).toEqual([]);
  });

  it('line: that the vendor added goes at the vendor when it is deleted before anybody looked again', async () => {
    const { id, offerLines } = await lead();
    const added = { offerNameId: OFFERS[1], amount: 42 };
    await world.vendor.edit(String(id), { offerLines: [...(offerLines as readonly object[]), added] });
    await deals.poll();
    const rows = await world.crm.list('OpportunityLineItem');
    const made = rows.find((row) => row['OpportunityId'] === deal.id && row['TotalPrice'] === 42);
    await world.crm.remove(String(made?.['Id']));
    await deals.sweep();
    expect((await lead())['offerLines']).toHaveLength(2);
    expect(await settle(world)).toEqual([]);
  });

  it('account: is the one that it was merged into', async () => {
    const winner = await deals.account({ Name: 'Initech Holding', BillingCity: 'Lyon' });
    await longAfter();
    await deals.merge(winner, deal.account);
    await deals.sweep();
    expect((await lead())['customerLegalEntity']).toMatchObject({ name: 'Initech Holding', city: 'Lyon' });
    expect(await deals.row('Account', deal.account)).toMatchObject({
      IsDeleted: true,
      MasterRecordId: winner,
    });
    expect(await settle(world)).toEqual([]);
  });

  it('contact: is the one that it was merged into', async () => {
    const other = await deals.opportunity(deal.account, { Vendor_Share__c: false });
    const winner = await deals.contact(deal.account, other, 'maria@initech.example');
    await longAfter();
    await deals.merge(winner, deal.contact);
    await deals.sweep();
    expect((await lead())['customerContact']).toMatchObject([{ email: 'maria@initech.example' }]);
    expect(await settle(world)).toEqual([]);
  });
});
