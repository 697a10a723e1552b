/** An order or a stream that the vendor's gateway refuses alone is set aside, and all else goes on. On ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import { relapsesOf } from '../../src/domain/loop/relapse.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const MINUTE_MS = 60_000;
const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

const add = (id: string) => world.vendor.create('order', { transaction: { id, status: 'DFT' } });
const orders = async () => (await world.crm.list('Vendor_Order__c')).map((row) => row['Vendor_Order_Id__c']).sort();

/** Reads a stream each five minutes; the pauses that there were. */
async function read(stream: 'pullOrders' | 'loadOrders', minutes: number): Promise<readonly string[]> {
  const pauses = new Set<string>();
  for (let passed = 0; passed < minutes; passed += 5) {
    world.startStream(stream);
    await deals.time(5 * MINUTE_MS);
    for (const { group } of await world.ledger.pauses(world.tenant)) pauses.add(group);
  }
  return [...pauses];
}

it('an order', async () => {
  await read('pullOrders', 5);
  await world.vendor.fault({ operation: 'readOrder', status: 403, words: 'O-BAD' });
  for (const id of ['O-1', 'O-BAD', 'O-2']) await add(id);
  await read('pullOrders', 20);
  expect(await orders()).toEqual(['O-1', 'O-2']);
  await add('O-3');
  const before = (await world.vendor.requests()).filter(({ operation }) => operation === 'readOrder').length;
  expect(await read('pullOrders', 60)).toEqual([]);
  expect(await orders()).toEqual(['O-1', 'O-2', 'O-3']);
  const tries = (await world.vendor.requests()).filter(({ operation }) => operation === 'readOrder').length - before;
  expect(tries).toBeLessThan(6);
  await world.vendor.clearFaults();
  await read('pullOrders', 180);
  expect(await orders()).toEqual(['O-1', 'O-2', 'O-3', 'O-BAD']);
});

it('a stream', async () => {
  await read('pullOrders', 5);
  await read('loadOrders', 5);
  await world.vendor.fault({ operation: 'searchOrders', status: 403, words: 'creationDateTime' });
  await deals.time(60 * MINUTE_MS);
  await read('loadOrders', 20);
  await add('O-1');
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await read('pullOrders', 15)).toEqual([]);
  expect(await orders()).toEqual(['O-1']);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect(await read('loadOrders', 30)).toEqual([]);
  expect(await world.ledger.cursor(world.tenant, relapsesOf('vendor-order'))).toMatchObject({
    asides: ['stream loadOrders'],
  });
});
