/** Codes that only the tenant knows: revenue types by the version of the API, and lists of the vendor. The real engine. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';

const openWorld = withWorlds(workflows);
const V0_TYPES = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'] as const;

it.each([['v1', V0_TYPES.map(() => null)]] as const)(
  'by %s the documented types of v0 travel as %j, and come back',
  async (version, atVendor) => {
    const { world, deals } = await openWorld();
    const crmId = await deals.opportunity(await deals.account());
    for (const [n, type] of V0_TYPES.entries()) {
      const line = await deals.line(crmId, 100 + n);
      await world.crm.edit(line, { Vendor_Revenue_Type__c: type });
    }
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    const lead = await deals.leadNamed(crmId);
    const sent = lead?.['offerLines'] as readonly { amount: number; revenueType?: string }[];
    const types = sent.toSorted((a, b) => a.amount - b.amount).map(({ revenueType }) => revenueType ?? null);
    expect(types).toEqual(atVendor);
    const paths = (await world.vendor.requests()).map(
      ({ path }) => /\/(v\d)\/leads-opportunities(?!\/search)/.exec(path)?.[1],
    );
    expect(new Set(paths.filter((one) => one !== undefined))).toEqual(new Set([version]));

    await world.vendor.edit(String(lead?.['id']), { description: 'theirs' });
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    const lines = (await world.crm.list('OpportunityLineItem')).filter((line) => line['OpportunityId'] === crmId);
    expect(lines.map((line) => line['Vendor_Revenue_Type__c'])).toEqual(V0_TYPES);
  },
);

it('a competitor that the vendor’s list lacks waits beside all else, until somebody corrects it', async () => {
  const { world, deals } = await openWorld({ mapping: { lists: { competitors: ['ACME', 'GLOBEX'] } } });
  const crmId = await deals.shared({ Vendor_Competitors__c: 'ACME;GLOBEKS', Description: 'goes on' });
  await deals.sweep();
  const lead = await deals.leadNamed(crmId);
  expect([lead?.['description'], lead?.['competitors'] ?? []]).toEqual(['goes on', []]);
  expect(await deals.syncRow(crmId)).toMatchObject({
    Sync_State__c: 'Parked',
    Message__c: expect.stringMatching(/"Vendor: competitors" is not in the vendor's list: .*vendor\.lists/),
  });
  await world.crm.edit(crmId, { Vendor_Competitors__c: 'ACME;GLOBEX' });
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ competitors: ['ACME', 'GLOBEX'] });
  await world.vendor.edit(String((await deals.leadNamed(crmId))?.['id']), { competitors: ['ACME', 'THEIRS'] });
  await deals.poll();
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Competitors__c: 'ACME;THEIRS' });
  expect(await deals.syncRow(crmId)).toMatchObject({ Sync_State__c: 'In sync', Message__c: null });
});
