/** An API version that the org lacks, or has retired, is not taken for a record that is gone. On ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

it.each([
  ['lacks', { oldest: 31, newest: 60 }],
  ['has retired', { oldest: 68, newest: 68 }],
])('an org that %s the version is paused as that, and no record is gone', async (_, versions) => {
  await world.crm.apiVersions(versions);
  await world.crm.edit(crmId, { Description: 'ours' });
  await world.vendor.edit(String((await deals.leadNamed(crmId))?.['id']), { nextMilestone: 'theirs' });
  await deals.poll();
  await deals.sweep();
  expect(await world.ledger.pauses(world.tenant)).toMatchObject([
    {
      group: 'salesforce',
      reason: expect.stringMatching(/^lacks the API version .*UNSUPPORTED_API_VERSION/),
    },
  ]);
  expect((await deals.link(crmId)).state).not.toMatch(/detached|parked|vendor-missing/);
  await expect(world.runtime.crm.probe()).rejects.toThrow(/set salesforce\.apiVersion/);
  await world.crm.apiVersions({ oldest: 31, newest: 67 });
  await deals.time(10 * 60_000);
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Next_Milestone__c: 'theirs' });
  expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' });
});
