/** Codes that only the tenant knows: revenue types by the version of the API, and lists of the vendor. The real engine. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';

const openWorld = withWorlds(workflows, undefined, { strict: 'v0' });
const V0_TYPES = ['UPFRONT', 'RENTAL_BOOKING', 'SUPPORT_SERVICES', 'SERVICES_SIGNING'] as const;

it.each([['v0', V0_TYPES]] as const)(
  'by %s the documented types of v0 travel as %j, and come back',
  async (version, atVendor) => {
    const { world, deals } = await openWorld({ mapping: { apiVersion: 'v0' } });
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
