/** Deals that another org of the same partner has at the vendor: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { MappingConfig } from '../../src/domain/record/mapping-config.ts';
import { relinkRecords } from '../../src/operator/records/relink-records.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const OWN = 'P000123';
const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

/** The id of an opportunity that the org does not have, made on its own instance. */
async function neverMade(): Promise<string> {
  const own = await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
  return `${own.slice(0, 6)}zzzzzzzzz`;
}

const linkOf = async (vendorId: string) => world.ledger.findLinkByIds(world.tenant, { vendorId });

describe('a deal at the vendor that names an opportunity of another org', () => {
  beforeEach(async () => {
    ({ world, deals } = await openWorld());
  });

  it.each<[string, () => Promise<string>, string]>([
    ['made on another instance', async () => '006Qq0000000001', 'elsewhere'],
    ['made on the same instance', neverMade, 'parked'],
  ])('%s', async (_, made, state) => {
    const vendorId = await deals.lead({ partnerLeadOpportunityId: await made() });
    await deals.poll();
    expect(await linkOf(vendorId)).toMatchObject({ state });
    expect(await world.ledger.countByState(world.tenant)).toMatchObject({ [state]: 1 });
    expect((await deals.opportunities()).filter((row) => row['Vendor_Id__c'] === vendorId)).toEqual([]);
    expect(await settle(world)).toEqual([]);
  });
});

it('a key that other orgs share: nobody waits, whatever instance made the opportunity', async () => {
  ({ world, deals } = await openWorld({ mapping: { sharedKey: true } }));
  const vendorId = await deals.lead({ partnerLeadOpportunityId: await neverMade() });
  await deals.poll();
  expect(await linkOf(vendorId)).toMatchObject({ state: 'elsewhere', issues: [] });
});

describe('several legal entities', () => {
  // The simulator's key belongs to one entity, and it reports a deal that names another.
  const other = { partnerId: 'P-OTHER' };
  const own = { partnerId: OWN };

  it.each<[string, Raw, Raw, Partial<MappingConfig>]>([
    [
      'by a field',
      { Vendor_Campaign_Code__c: 'TOP' },
      { BillingCountry: 'FR' },
      {
        ...other,
        partnerIds: [
          { ...own, field: 'Vendor_Campaign_Code__c', is: 'TOP' },
          { ...other, country: 'FR' },
        ],
      },
    ],
    ['by the country', {}, { BillingCountry: 'FR' }, { ...other, partnerIds: [{ ...own, country: 'FR' }] }],
    ['by no rule', {}, {}, { ...own, partnerIds: [{ ...other, country: 'FR' }] }],
  ])('a new deal is registered for its entity, %s, and keeps it', async (_, fields, ofAccount, mapping) => {
    ({ world, deals } = await openWorld({ mapping }));
    const crmId = await deals.shared(fields, ofAccount);
    await deals.sweep();
    world.clock.advance(5_000);
    await world.crm.edit(crmId, { Name: 'Renamed', Vendor_Campaign_Code__c: 'OTHER' });
    await deals.sweep();
    const bodies = (await world.vendor.requests()).filter(({ operation }) => /^(create|update)/.test(operation));
    expect(bodies.map(({ body }) => (body as { partnerId?: string }).partnerId)).toEqual([OWN, undefined]);
  });

  it('a deal whose compared field is hidden waits, and is registered for no entity', async () => {
    const hidden = [{ ...own, field: 'No_Such_Field__c', is: 'US' }];
    ({ world, deals } = await openWorld({ mapping: { partnerIds: hidden } }));
    const crmId = await deals.shared();
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'required-on-create' }] });
    expect(await deals.vendorWrites()).toBe(0);
  });
});

describe('relink', () => {
  const relinked = (moves: readonly { readonly from: string; readonly to: string }[], isOrdered: boolean) =>
    relinkRecords(
      { intake: async () => world.house.intake, ledger: world.ledger, crm: world.runtime.crm },
      world.tenant,
      { by: { pairs: moves }, prefer: 'crm', isOrdered },
      world.clock.now(),
    );

  it('moves a deal to the opportunity of the new org, whose reference the vendor gets', async () => {
    ({ world, deals } = await openWorld());
    const from = await deals.shared();
    await deals.sweep();
    const { vendorId } = await deals.link(from);
    await world.crm.remove(from);
    const to = await deals.shared({ Vendor_Share__c: false });
    await world.crm.edit(to, { Vendor_Id__c: null });
    await deals.sweep();
    expect(await relinked([{ from, to }], false)).toMatchObject({ applied: false, moves: [{ verdict: 'move' }] });
    expect(await world.ledger.findLinkByIds(world.tenant, { vendorId: String(vendorId) })).toMatchObject({
      crmId: from,
    });

    await world.crm.edit(to, { Vendor_Share__c: true, Name: 'Moved' });
    expect(await relinked([{ from, to }], true)).toMatchObject({ moves: [{ verdict: 'moved', vendorId }] });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    expect(await deals.leads()).toMatchObject([{ id: vendorId, name: 'Moved', partnerLeadOpportunityId: to }]);
    expect(await deals.link(to)).toMatchObject({ state: 'in-sync', vendorId, formerIds: [from] });
    expect(await relinked([{ from, to }], true)).toMatchObject({ moves: [{ verdict: 'done' }] });
  });
});
