import { beforeAll, describe, expect, it } from 'vitest';
import { LOAD_PAUSE } from '../../src/domain/streams/orders-load.ts';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** The first load of orders: years in periods of seven days, noted first and read by the stream of changes. */

const bed = await openOrderBed({ orders: 40 });

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

it('begins again for a day that lies further back', async () => {
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

describe('a first load that an operator pauses', () => {
  let paused: OrderBed;
  beforeAll(async () => {
    paused = await openOrderBed({ orders: 40 });
    paused.settings.ordersSince = '2026-06-01';
  });

  const since = '2027-01-04T08:00:00.000Z';
  const pause = () => paused.ledger.saveCursor(paused.tenant, LOAD_PAUSE, { since }, since);
  const resume = () => paused.ledger.forgetCursors(paused.tenant, [LOAD_PAUSE]);
  const counts = () => paused.ledger.countMirrored(paused.tenant);
  const requests = async (operation: string): Promise<number> =>
    (await paused.vendorRequests()).filter((one) => one === operation).length;

  it('asks the vendor for nothing while it searches, and goes on where it was', async () => {
    for (let step = 0; step < 10; step += 1) await paused.step('searchCreatedOrders');
    const cursor = await paused.ledger.cursor(paused.tenant, 'loadOrders');
    await pause();
    const asked = await requests('searchOrders');
    expect(await paused.run('searchCreatedOrders')).toEqual([{ found: 0, more: false, pausedSince: since }]);
    expect(await paused.ledger.cursor(paused.tenant, 'loadOrders')).toEqual(cursor);
    expect(await requests('searchOrders')).toBe(asked);
    await resume();
    await paused.run('searchCreatedOrders');
    expect(await counts()).toMatchObject({ toRead: 40, toLoad: 40 });
  });

  it('leaves what it found unread; what changes meanwhile is read and shown', async () => {
    for (let step = 0; step < 4; step += 1) await paused.step('readVendorOrders');
    await pause();
    const left = await counts();
    expect(left.toLoad).toBeGreaterThan(30);
    const before = await requests('readOrder');
    await paused.addOrder({ transaction: { id: 'O-MEANWHILE' } });
    const waiting = await paused.ledger.nextDetail(paused.tenant, 'pullOrders', since);
    // One that the load has found: it is read for its change, and not once more.
    await paused.editOrder(String(waiting?.rowId), { billToPoReference: 'PO-2' });
    await paused.run();
    expect((await requests('readOrder')) - before).toBe(2);
    expect(await counts()).toMatchObject({ toRead: left.toLoad - 1, toLoad: left.toLoad - 1, toWrite: 0 });
    const shown = await paused.org.query('SELECT Id FROM Vendor_Order__c');
    expect(shown).toHaveLength(40 - left.toLoad + 2);
    // As often as you like: the numbers stand still.
    const calls = await requests('readOrder');
    for (let time = 0; time < 3; time += 1) {
      paused.clock.ms += 300_000;
      await paused.run();
    }
    expect(await requests('readOrder')).toBe(calls);
  });

  it('then reads each of the rest once, and all is there', async () => {
    await resume();
    await paused.run('searchCreatedOrders');
    await paused.run();
    expect(await paused.differences()).toEqual([]);
    expect(await requests('readOrder')).toBe(41);
    expect(await counts()).toMatchObject({ toRead: 0, toLoad: 0, toWrite: 0 });
  });
});
