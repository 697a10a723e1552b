import { expect, it } from 'vitest';
import { findOrder, linkOrders, openOrders } from '../../src/operator/records/find-order.ts';
import { createPartnerApi, type SearchOrdersInput } from '../../src/partner-api/index.ts';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** Orders that name no opportunity of the vendor find their deal: by the partner's purchase order, or by an operator. */

const bed = await openOrderBed();
bed.orders.poReference = 'Vendor_Campaign_Code__c';

const lines = (amount: number) => ({
  licenseChargeConditions: [
    { sequenceNumber: 1, licenseChargeBreakdown: [{ sequenceNumber: 1, distributorNetAmount: amount }] },
  ],
});
const customer = await bed.org.create('Account', { Name: 'Customer', Vendor_Site_Id__c: 'SITE' });
const soldToCustomer = { id: 'SITE', name: 'Customer', localName: null, locationId: 1 };
const add = (id: string, billToPoReference: string | null, more: object = {}): Promise<void> =>
  bed.addOrder({
    ...{ transaction: { id, status: 'APP' }, billToPoReference, opportunityId: '', soldToSite: soldToCustomer },
    ...lines(100),
    ...more,
  });
const deal = (Name: string, po: string | null, more: object = {}): Promise<string> =>
  bed.org.create('Opportunity', {
    Name,
    StageName: 'Qualification',
    CloseDate: '2027-03-01',
    AccountId: customer,
    Vendor_Campaign_Code__c: po,
    ...more,
  });
const linkOf = async (id: string): Promise<unknown> => {
  const [row] = await bed.org.query(`SELECT Opportunity__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`);
  return row?.['Opportunity__c'];
};
const countOf = async (id: string): Promise<unknown> =>
  (await bed.org.query(`SELECT Vendor_Order_Count__c FROM Opportunity WHERE Id = '${id}'`))[0]?.[
    'Vendor_Order_Count__c'
  ];
const follow = async (): Promise<void> => {
  bed.clock.ms += 5_000;
  await bed.run('searchMirrorEdits');
  await bed.run();
};
const portsNow = () => {
  const now = () => new Date(bed.clock.ms);
  const { url, apiKey } = bed.vendor;
  const vendor = createPartnerApi({ salesBaseUrl: url, orderBaseUrl: url, apiKey: () => apiKey, now });
  const opportunity = async (id: string) => {
    const [row] = await bed.org.query(`SELECT Id FROM Opportunity WHERE Id = '${id}'`);
    return (row as { Id: string } | undefined) ?? null;
  };
  const ports = { vendor, crm: bed.org.crm, remote: { opportunity }, ledger: bed.ledger };
  return { ...ports, now: () => now().toISOString() };
};
const find = (criteria: SearchOrdersInput, linkTo: string | null = null) =>
  findOrder(portsNow(), bed.tenant, criteria, linkTo);

it('one opportunity that has the reference gets the order and its totals, now or when it comes', async () => {
  const early = await deal('Early', 'PO-1');
  await add('R-1', 'PO-1');
  await add('R-2', 'PO-2');
  await bed.run();
  expect([await linkOf('R-1'), await countOf(early)]).toEqual([early, 1]);
  expect(await linkOf('R-2')).toBeNull();
  const late = await deal('Late', 'PO-2');
  await follow();
  expect([await linkOf('R-2'), await countOf(late)]).toEqual([late, 1]);
  await bed.org.update('Opportunity', early, { Vendor_Campaign_Code__c: null });
  await bed.org.update('Opportunity', late, { Vendor_Campaign_Code__c: 'PO-1' });
  await follow();
  expect([await linkOf('R-1'), await linkOf('R-2')]).toEqual([late, null]);
  expect([await countOf(early), await countOf(late)]).toEqual([0, 1]);
  const asked = (await bed.vendorRequests()).length;
  await follow();
  await follow();
  const again = (await bed.vendorRequests()).slice(asked).filter((operation) => operation === 'readOrder');
  expect(again).toEqual([]);
  expect(await bed.differences()).toEqual([]);
});

it('of two opportunities with the reference none gets it, and the opportunity that the vendor names comes first', async () => {
  await deal('One', 'PO-3');
  await deal('Two', 'PO-3');
  const own = await deal('Own', null);
  await deal('Other', 'PO-4');
  await bed.ledger.resolveLink(bed.tenant, { crmId: own, vendorId: 'LO-4' }, new Date(bed.clock.ms).toISOString());
  await add('R-3', 'PO-3');
  await add('R-4', 'PO-4', { opportunityId: 'LO-4' });
  await add('R-5', 'PO-4', { opportunityId: 'LO-UNKNOWN' });
  await bed.run();
  expect([await linkOf('R-3'), await linkOf('R-4'), await linkOf('R-5')]).toEqual([null, own, null]);
  await follow();
  expect([await linkOf('R-4'), await linkOf('R-5')]).toEqual([own, null]);
});

it('a search proposes the deal of account and amount, and links what an operator decides, also an order never read', async () => {
  const soldToSite = { id: 'SITE-6', name: 'Six', localName: null, locationId: 1 };
  const AccountId = await bed.org.create('Account', { Name: 'Six', Vendor_Site_Id__c: 'SITE-6' });
  const like = await deal('Like', null, { AccountId, Amount: 250 });
  await deal('Unlike', null, { AccountId, Amount: 251 });
  await add('R-6', 'PO-6', { soldToSite, ...lines(250) });
  await bed.run();
  const criteria = { billToPoReferences: ['PO-6', 'PO-7'] };
  const proposed = await find(criteria);
  expect(proposed.orders).toMatchObject([{ id: 'R-6', poReference: 'PO-6', opportunityId: null, proposals: [like] }]);
  expect(await linkOf('R-6')).toBeNull();

  await add('R-7', 'PO-7');
  expect(await find(criteria, like)).toMatchObject({ linkedTo: like, orders: [{ id: 'R-6' }, { id: 'R-7' }] });
  await bed.run();
  expect([await linkOf('R-6'), await linkOf('R-7'), await countOf(like)]).toEqual([like, like, 2]);
  expect((await find(criteria)).orders).toMatchObject([
    { opportunityId: like, proposals: [] },
    { opportunityId: like },
  ]);

  await deal('By reference', 'PO-7');
  await follow();
  await bed.editOrder('R-7', { transaction: { status: 'CAN' } });
  await follow();
  expect([await linkOf('R-7'), await countOf(like)]).toEqual([like, 2]);
  await expect(find({}, like)).rejects.toThrow();
  await expect(find(criteria, '006000000000001AAA')).rejects.toThrow(/no opportunity/);
  expect(await bed.differences()).toEqual([]);
});

it('an order without a reference is listed with the deals of its account and amount, and linked by its id', async () => {
  const account = await bed.org.create('Account', { Name: 'Open', Vendor_Site_Id__c: 'OPEN-1' });
  const like = await deal('Like it', null, { AccountId: account, Amount: 100 });
  await deal('Of another amount', null, { AccountId: account, Amount: 90 });
  await add('R-20', '', { soldToSite: { id: 'OPEN-1', name: 'Open', localName: null, locationId: 1 } });
  await bed.run();
  const asked = (await bed.vendorRequests()).length;
  const { orders } = await openOrders(portsNow(), bed.tenant);
  expect(orders.find(({ id }) => id === 'R-20')).toMatchObject({ status: 'APP', poReference: null, proposals: [like] });
  expect(await bed.vendorRequests()).toHaveLength(asked);
  await expect(linkOrders(portsNow(), bed.tenant, ['R-NONE'], like)).rejects.toThrow(/shows no order R-NONE/);
  expect(await linkOrders(portsNow(), bed.tenant, ['R-20'], like)).toMatchObject({ linkedTo: like });
  await bed.run();
  expect([await linkOf('R-20'), await countOf(like)]).toEqual([like, 1]);
  expect((await openOrders(portsNow(), bed.tenant)).orders.map(({ id }) => id)).not.toContain('R-20');
});
