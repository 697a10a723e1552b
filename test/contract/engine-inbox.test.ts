/** Waiting records, listed by cause and retried on an operator's command: the real engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import { retryRecords } from '../../src/operator/records/retry-records.ts';
import { readInbox } from '../../src/operator/status/inbox.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { intakeOf } from '../support/engine/operator.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let ids: readonly string[];

/** Two deals that the vendor refuses, and one without the line that a create needs. */
beforeEach(async () => {
  ({ world, deals } = await openWorld());
  const account = await deals.account();
  const shared = [await deals.opportunity(account, { Name: 'One' }), await deals.opportunity(account, { Name: 'Two' })];
  for (const id of shared) await deals.line(id, 500);
  await deals.opportunity(account, { Name: 'Three' });
  await world.vendor.fault({ operation: 'createLeadOpportunity', status: 400, times: 2 });
  await deals.sweep();
  ids = shared;
});

const inbox = () => readInbox(world.ledger, world.tenant, { codes: null, limit: 10 });
const counts = async () => Object.fromEntries((await inbox()).causes.map(({ code, records }) => [code, records]));

async function retry(isOrdered: boolean, limit = 10): Promise<readonly string[]> {
  const ports = { ledger: world.ledger, intake: async () => intakeOf(world) };
  const order = { code: 'vendor-refused', limit, isOrdered } as const;
  const { records } = await retryRecords(ports, world.tenant, order, world.clock.now());
  await deals.time(20_000);
  return records.map(({ crmId }) => String(crmId)).sort();
}

it('tells what waits by cause, and sends a cause again once that is ordered', async () => {
  expect(await counts()).toEqual({ 'vendor-refused': 2, 'required-on-create': 1 });
  const sent = await deals.vendorWrites();
  expect(await retry(false)).toEqual([...ids].sort());
  expect(await deals.vendorWrites()).toBe(sent);
  expect(await retry(true)).toEqual([...ids].sort());
  expect(await counts()).toEqual({ 'required-on-create': 1 });
  expect(await deals.leads()).toHaveLength(2);
});

it('asks the vendor again each time, though it refuses still and nothing has changed', async () => {
  for (const times of [1, 2]) {
    await world.vendor.fault({ operation: 'createLeadOpportunity', status: 400, times: 2 });
    const sent = await deals.vendorWrites();
    await retry(true);
    expect([times, await deals.vendorWrites()]).toEqual([times, sent + 2]);
    expect(await counts()).toMatchObject({ 'vendor-refused': 2 });
  }
});
