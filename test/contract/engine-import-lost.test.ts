/** A deal made in the CRM whose answer is lost: what users do before the next try is theirs. On ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

const HOOLI = { name: 'Hooli', city: 'Bonn', country: 'DE' };

async function imported(): Promise<Raw | undefined> {
  return (await deals.opportunities()).find((row) => row['Name'] === 'Theirs');
}

/** Makes the deal in the CRM, and stops where its answer is lost. */
async function importUnanswered(): Promise<Raw> {
  await world.crm.fault({ operation: 'composite', cut: 'after', times: 1 });
  await deals.lead({ name: 'Theirs', customerLegalEntity: HOOLI });
  world.clock.advance(1_000);
  world.startStream('pollVendor');
  for (let steps = 0; steps < 500; steps += 1) {
    const made = await imported();
    if (made !== undefined) return made;
    await world.scheduler.step(world.clock.readMs() + 600_000);
  }
  throw new Error('the deal was never made');
}

async function lead(): Promise<Raw | undefined> {
  return (await deals.leads()).find((row) => row['name'] === 'Theirs');
}

it('an account that is edited before the next try keeps the edit, and the vendor is told of it', async () => {
  const made = await importUnanswered();
  world.clock.advance(2_000);
  await world.crm.edit(String(made['AccountId']), { BillingCity: 'Berlin', Vendor_DUNS__c: '987654321' });
  await deals.time(120_000);
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Berlin' });
  expect(await lead()).toMatchObject({
    customerLegalEntity: { city: 'Berlin', dunsNumber: '987654321' },
  });
});

it('an account that nobody has edited is not sent back', async () => {
  const made = await importUnanswered();
  world.clock.advance(2_000);
  await deals.time(120_000);
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Bonn' });
  const bodies = (await world.vendor.requests()).filter(
    ({ operation }) => operation === 'updateLeadOpportunity',
  );
  expect(bodies.map(({ body }) => Object.keys(body as Raw))).toEqual([['leadOpportunity']]);
});

it('an account that was there before, and differs, is not sent as an edit', async () => {
  await deals.account({ Name: 'Hooli', BillingCity: 'Cologne' });
  world.clock.advance(5_000);
  const made = await importUnanswered();
  expect(await settle(world)).toEqual([]);
  expect(await deals.row('Account', String(made['AccountId']))).toMatchObject({ BillingCity: 'Cologne' });
  expect(await lead()).toMatchObject({ customerLegalEntity: { city: 'Bonn' } });
});
