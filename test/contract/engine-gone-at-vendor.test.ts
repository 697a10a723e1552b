/** Records that the vendor no longer shows, and that nobody edits: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let ids: readonly { readonly crmId: string; readonly vendorId: string }[];

beforeEach(async () => {
  ({ world, deals } = await openWorld());
  const account = await deals.account();
  const crmIds = [await deals.opportunity(account), await deals.opportunity(account), await deals.opportunity(account)];
  for (const id of crmIds) await deals.line(id, 500);
  await deals.sweep();
  ids = await Promise.all(crmIds.map(async (crmId) => ({ crmId, vendorId: (await deals.link(crmId)).vendorId ?? '' })));
});

const requests = async () => (await world.vendor.requests()).map(({ operation }) => operation);

describe('the slow look at linked records', () => {
  it('finds the one that is gone, without an edit, and asks once about those that are there', async () => {
    const [gone, ...others] = ids;
    await world.vendor.remove(gone?.vendorId ?? '');
    const before = (await requests()).length;
    await deals.check();
    expect(await deals.link(gone?.crmId ?? '')).toMatchObject({
      state: 'vendor-missing',
      issues: [{ code: 'vendor-missing' }],
    });
    for (const { crmId } of others) expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' });
    expect((await requests()).slice(before)).toEqual([
      'searchLeadOpportunities',
      'readLeadOpportunity',
      'searchLeadOpportunities',
    ]);
    expect(await settle(world)).toEqual([]);
  });

  it('asks one question a time where all is well, and nothing of who is known to be gone', async () => {
    const before = (await requests()).length;
    await deals.check();
    expect((await requests()).slice(before)).toEqual(['searchLeadOpportunities']);
    await world.vendor.remove(ids[0]?.vendorId ?? '');
    await deals.check();
    const known = (await requests()).length;
    await deals.check();
    expect((await requests()).slice(known)).toEqual(['searchLeadOpportunities']);
  });

  it('knows a record by the reference of another tool, and passes over one without any', async () => {
    const [foreign, bare] = ids;
    await world.vendor.edit(foreign?.vendorId ?? '', { partnerLeadOpportunityId: 'OTHER-7' });
    await world.vendor.edit(bare?.vendorId ?? '', { partnerLeadOpportunityId: null });
    await deals.poll();
    const before = (await requests()).length;
    await deals.check();
    expect((await requests()).slice(before)).toEqual(['searchLeadOpportunities']);
    await world.vendor.remove(foreign?.vendorId ?? '');
    await deals.check();
    expect(await deals.link(foreign?.crmId ?? '')).toMatchObject({ state: 'vendor-missing' });
  });

  it('asks nothing for a tenant that has nothing in common with the vendor', async () => {
    for (const { crmId } of ids) await world.crm.edit(crmId, { Vendor_Share__c: false });
    await deals.sweep();
    const before = (await requests()).length;
    await deals.check();
    expect(await requests()).toHaveLength(before);
  });
});
