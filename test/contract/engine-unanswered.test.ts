/** What never answers, and goes on to fail: told after an hour, and tried seldom. The real engine on ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const HOUR_MS = 3_600_000;

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

/** Time with a poll an hour, which wakes what is due. */
async function hours(count: number): Promise<void> {
  for (let hour = 0; hour < count; hour += 1) {
    world.startStream('pollVendor');
    await deals.time(HOUR_MS);
  }
}

async function requests(operation: string): Promise<number> {
  return (await world.vendor.requests()).filter((request) => request.operation === operation).length;
}

/** A change that waits for a vendor that answers this operation by 500. */
async function unanswered(operation: string): Promise<void> {
  await world.vendor.fault({ operation, status: 500 });
  await world.crm.edit(crmId, { Description: 'new' });
  await deals.sweep();
  await hours(2);
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'no-answer' }] });
  expect(await deals.syncRow(crmId)).toMatchObject({ Sync_State__c: 'Parked' });
  expect(String((await deals.syncRow(crmId))?.['Message__c'])).toContain('500');
  expect(world.scheduler.running()).toEqual([]);
}

/** Hours are played in which a record is tried again and again. */
const LIMIT = { timeout: 120_000 };

it(
  'an update that fails for an hour is shown with its cause, tried a few times in half a day, and goes through by itself',
  LIMIT,
  async () => {
    await unanswered('updateLeadOpportunity');
    const before = await requests('updateLeadOpportunity');
    await hours(12);
    const tries = (await requests('updateLeadOpportunity')) - before;
    expect(tries).toBeGreaterThan(1);
    expect(tries).toBeLessThanOrEqual(4);
    await world.requestSync({ crmId });
    await deals.time(60_000);
    expect(await requests('updateLeadOpportunity')).toBe(before + tries + 1);
    expect(world.scheduler.running()).toEqual([]);
    await world.vendor.clearFaults();
    await hours(9);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  },
);

it.each([
  [429, '<html>Too many requests</html>'],
  [503, ''],
  [200, '<html>Maintenance</html>'],
])(
  'a proxy’s answer of %i with the body "%s" is asked again later each time, until it passes',
  async (status, body) => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status, body, times: 6 });
    await world.crm.edit(crmId, { Description: 'new' });
    const from = world.clock.readMs();
    world.startStream('sweepSalesforce');
    await deals.time(240_000);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    const updates = (await world.vendor.requests()).filter(
      ({ operation, time }) => operation === 'updateLeadOpportunity' && Date.parse(time) >= from,
    );
    const gaps = updates
      .slice(1)
      .map(({ time }, place) => Date.parse(time) - Date.parse(updates[place]?.time ?? ''));
    expect(gaps.at(-1)).toBeGreaterThan(2 * (gaps[0] ?? 0));
  },
);

it(
  'a read that fails for an hour is shown with its cause, and tried at once when anything changes',
  LIMIT,
  async () => {
    await unanswered('readLeadOpportunity');
    await world.vendor.clearFaults();
    await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'call' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new', nextMilestone: 'call' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  },
);
