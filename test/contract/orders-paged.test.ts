import { expect, it } from 'vitest';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** Orders that are found page by page, and that are like no others, on their way into the CRM. */

/** A page has a hundred. */
const ORDERS = 104;
const bed = await openOrderBed();

const idOf = (n: number): string => `PG-${String(n).padStart(3, '0')}`;
const bare = { licenseChargeConditions: [] };

it('that all changed at one instant, and change while they are paged, are there as they are last', async () => {
  const lastUpdateDateTime = new Date(bed.clock.ms).toISOString();
  for (let n = 0; n < ORDERS; n += 1) {
    const order = { transaction: { id: idOf(n), status: 'DFT' }, lastUpdateDateTime, ...bare };
    const { status } = await bed.vendor.admin('POST', 'records', { type: 'order', fields: order });
    expect(status).toBe(201);
  }
  bed.clock.ms += 5_000;
  // What a page misses is searched again within the overlap: here the pages alone have to be right.
  bed.settings.poll.overlapMs = 0;
  const searched = async (): Promise<number> => {
    const { body } = await bed.vendor.admin('GET', 'requests?operation=searchOrders');
    return (body as { readonly requests: readonly unknown[] }).requests.length;
  };
  // Of the page that was read, whichever way the search sorts: what follows moves over its edge.
  const moves = [50, 51, 52];
  let pages = 0;
  for (let more = true; more; ) {
    ({ more } = await bed.step('readVendorOrders'));
    const now = await searched();
    const [moving] = moves;
    if (now > pages && moving !== undefined) {
      moves.shift();
      await bed.editOrder(idOf(moving), { transaction: { status: 'APP' } });
    }
    pages = now;
  }
  expect(moves).toEqual([]);
  await bed.run();
  expect(await bed.differences()).toEqual([]);
  const rows = await bed.org.query("SELECT Id FROM Vendor_Order__c WHERE Vendor_Order_Id__c LIKE 'PG-%'");
  expect(rows).toHaveLength(ORDERS);
});

it('of an unknown status, in a currency that the org lacks, and with 120 letters of any script are shown as they are', async () => {
  const localName = '株'.repeat(120);
  await bed.addOrder({
    transaction: { id: 'ODD-1', status: 'ZZZ' },
    currency: 'XTS',
    soldToSite: { id: 'S-1', name: 'ж'.repeat(120), localName, locationId: 1 },
    ...bare,
  });
  await bed.run();
  expect(await bed.differences()).toEqual([]);
  const [row] = await bed.org.query(
    "SELECT Status__c, Currency__c, Sold_To_Site_Local_Name__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = 'ODD-1'",
  );
  expect(row).toMatchObject({ Status__c: 'ZZZ', Currency__c: 'XTS', Sold_To_Site_Local_Name__c: localName });
});
