import { expect, it } from 'vitest';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** What orders lead to in the CRM besides their opportunity, by the tenant's rules: at once, or when it comes. */

const bed = await openOrderBed();

const site = (id: string, name = id) => ({ id, name, localName: null, locationId: 1 });
const add = (id: string, soldTo: string, more: object = {}): Promise<void> =>
  bed.addOrder({ transaction: { id }, soldToSite: site(soldTo), billToSite: site('BILL'), ...more });
const account = (Name: string, siteId: string | null): Promise<string> =>
  bed.org.create('Account', { Name, Vendor_Site_Id__c: siteId });
const accountsOf = async (id: string): Promise<readonly unknown[]> => {
  const [row] = await bed.org.query(
    `SELECT Sold_To_Account__c, Bill_To_Account__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`,
  );
  return [row?.['Sold_To_Account__c'], row?.['Bill_To_Account__c']];
};
const check = async (): Promise<void> => {
  bed.clock.ms += 5_000;
  await bed.run('searchMirrorEdits');
};
const writes = async (): Promise<number> =>
  (await bed.crmRequests()).filter((operation) => operation === 'collections.upsert').length;

it('accounts that are there are linked with the order, by one query for all of them and no write of their own', async () => {
  const [sold, bill] = [await account('Sold', 'SITE-1'), await account('Bill', 'BILL')];
  const before = (await bed.crmRequests()).length;
  await add('L-1', 'site-1');
  await add('L-2', 'SITE-1');
  await bed.run();
  expect(await accountsOf('L-1')).toEqual([sold, bill]);
  expect(await accountsOf('L-2')).toEqual([sold, bill]);
  const asked = (await bed.crmRequests()).slice(before);
  expect(asked.filter((operation) => operation === 'collections.upsert')).toHaveLength(2);
  expect(await bed.differences()).toEqual([]);
});

it('one that comes later is linked later, once', async () => {
  await add('L-3', 'SITE-3');
  await bed.run();
  expect((await accountsOf('L-3'))[0]).toBeNull();
  const late = await account('Late', 'SITE-3');
  await check();
  expect((await accountsOf('L-3'))[0]).toBe(late);
  const [written, asked] = [await writes(), (await bed.vendorRequests()).length];
  await check();
  expect(await writes()).toBe(written);
  expect((await bed.vendorRequests()).length).toBe(asked);
});

it('of two that have the site none is linked, until one goes', async () => {
  await add('L-4', 'SITE-4');
  const first = await account('First', 'SITE-4');
  await bed.run();
  expect((await accountsOf('L-4'))[0]).toBe(first);
  const second = await account('Second', 'SITE-4');
  await check();
  expect((await accountsOf('L-4'))[0]).toBeNull();
  await bed.org.remove('Account', second);
  await check();
  expect((await accountsOf('L-4'))[0]).toBe(first);
});

it('one whose site is corrected takes its orders along', async () => {
  await add('L-5', 'SITE-5');
  await add('L-6', 'SITE-6');
  const moved = await account('Moved', 'SITE-5');
  await check();
  await bed.run();
  await check();
  expect((await accountsOf('L-5'))[0]).toBe(moved);
  await bed.org.update('Account', moved, { Vendor_Site_Id__c: 'SITE-6' });
  await check();
  expect((await accountsOf('L-5'))[0]).toBeNull();
  expect((await accountsOf('L-6'))[0]).toBe(moved);
});

it('an account that cannot be linked keeps no order away, nor its opportunity', async () => {
  const opportunity = await bed.org.create('Opportunity', {
    Name: 'Deal',
    StageName: 'Qualification',
    CloseDate: '2027-03-01',
  });
  const at = new Date(bed.clock.ms).toISOString();
  await bed.ledger.resolveLink(bed.tenant, { crmId: opportunity, vendorId: 'LO-7' }, at);
  const gone = await account('Gone', 'SITE-7');
  await add('L-7', 'SITE-7');
  await bed.run();
  expect((await accountsOf('L-7'))[0]).toBe(gone);
  await bed.org.remove('Account', gone);
  // What was found is trusted for a while.
  await add('L-8', 'SITE-7', { opportunityId: 'LO-7' });
  await bed.run();
  expect((await accountsOf('L-8'))[0]).toBeNull();
  bed.clock.ms += 2 * 3_600_000;
  await bed.run();
  const [row] = await bed.org.query("SELECT Opportunity__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = 'L-8'");
  expect(row?.['Opportunity__c']).toBe(opportunity);
  expect(await bed.differences()).toEqual([]);
});

it('a line leads to the product that has its number, also to one that comes later', async () => {
  const line = (number: string, place: number) => ({
    sequenceNumber: place,
    product: { trigram: 'ABC', type: 'P', number, name: number, dsOffering: null },
  });
  const product = (number: string): Promise<string> =>
    bed.org.create('Product2', { Name: number, Vendor_Product_Number__c: number });
  const early = await product('N-EARLY');
  await add('L-9', 'SITE-9', {
    licenseChargeConditions: [{ sequenceNumber: 1, licenseChargeBreakdown: [line('N-EARLY', 1), line('N-LATE', 2)] }],
  });
  await bed.run();
  const productsOf = async (): Promise<readonly unknown[]> => {
    const rows = await bed.org.query(
      "SELECT Product__c FROM Vendor_Order_Line__c WHERE Line_Key__c LIKE 'L-9/%' ORDER BY Line_Key__c",
    );
    return rows.map((row) => row['Product__c']);
  };
  expect(await productsOf()).toEqual([early, null]);
  const late = await product('N-LATE');
  const read = (await bed.vendorRequests()).length;
  await check();
  expect(await productsOf()).toEqual([early, late]);
  expect((await bed.vendorRequests()).length).toBe(read);
  expect(await bed.differences()).toEqual([]);
});
