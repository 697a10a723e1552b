import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** The first load of orders: years in periods of seven days, noted first and read by the stream of changes. */

let bed: OrderBed;
beforeAll(async () => {
  bed = await openOrderBed({ orders: 40 });
});
afterAll(() => bed.close());

const searches = async (): Promise<number> =>
  (await bed.vendorRequests()).filter((operation) => operation === 'searchOrders').length;
const load = () => bed.run('searchCreatedOrders');
const WEEKS = 160;

it('reads the last day alone where no day is named', async () => {
  await load();
  expect(await searches()).toBeLessThan(5);
});

it('finds every order since the day that is named, in whatever order they come, and reads each once', async () => {
  await bed.addOrder({ transaction: { id: 'O-OLD' }, creationDateTime: '2024-02-03T10:00:00Z' });
  await bed.addOrder({ transaction: { id: 'O-BARE' }, creationDateTime: '2025-02-03T10:00:00Z' });
  bed.unstamped.add('O-BARE');
  bed.settings.ordersSince = '2024-01-01';
  // Killed in the middle: what was searched is not searched again.
  for (let step = 0; step < 60; step += 1) await bed.step('searchCreatedOrders');
  await load();
  expect(await searches()).toBeGreaterThan(150);
  expect(await searches()).toBeLessThan(WEEKS + 15);
  await bed.run();
  expect(await bed.differences()).toEqual([]);
  const read = (await bed.vendorRequests()).filter((operation) => operation === 'readOrder');
  expect(read).toHaveLength(42);
});

it('then asks for the newest alone, and reads none again', async () => {
  const before = (await bed.vendorRequests()).length;
  bed.clock.ms += 3_600_000;
  await load();
  await bed.run();
  const asked = (await bed.vendorRequests()).slice(before);
  expect(new Set(asked)).toEqual(new Set(['searchOrders']));
  expect(asked.length).toBeLessThan(8);
});

it('reads an order without a time of its last update when it is new', async () => {
  bed.unstamped.add('O-NEW');
  await bed.addOrder({ transaction: { id: 'O-NEW' } });
  await bed.run();
  expect(await bed.differences()).toEqual(['O-NEW is there 0 times']);
  await load();
  await bed.run();
  expect(await bed.differences()).toEqual([]);
});

it('begins anew for a day that lies further back', async () => {
  const before = await searches();
  bed.settings.ordersSince = '2023-12-01';
  await load();
  expect((await searches()) - before).toBeGreaterThan(150);
  await bed.run();
  expect(await bed.differences()).toEqual([]);
});

describe('while years of orders are read', () => {
  let live: OrderBed;
  beforeAll(async () => {
    live = await openOrderBed({ orders: 40 });
  });
  afterAll(() => live.close());

  it('an order that changes is shown within minutes, before most of them', async () => {
    live.settings.ordersSince = '2026-06-01';
    await live.run('searchCreatedOrders');
    for (let step = 0; step < 3; step += 1) await live.step('readVendorOrders');
    await live.addOrder({ transaction: { id: 'O-MEANWHILE' } });
    const reads = async (): Promise<number> =>
      (await live.vendorRequests()).filter((operation) => operation === 'readOrder').length;
    const isShown = async (): Promise<boolean> => {
      const of = "Vendor_Order_Id__c = 'O-MEANWHILE'";
      return (await live.org.query(`SELECT Id FROM Vendor_Order__c WHERE ${of}`)).length === 1;
    };
    const changedMs = live.clock.ms;
    while (!(await isShown()) && (await reads()) < 41) {
      live.clock.ms += 60_000;
      await live.step('readVendorOrders');
    }
    expect((live.clock.ms - changedMs) / live.settings.ordersEveryMs).toBeLessThan(3.5);
    expect(await reads()).toBeLessThan(20);
    await live.run();
    expect(await live.differences()).toEqual([]);
    expect(await reads()).toBe(41);
  });
});
