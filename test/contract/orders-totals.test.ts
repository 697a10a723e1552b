import { expect, it } from 'vitest';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** What an opportunity shows of its orders. */

const HOUR_MS = 3_600_000;
const bed = await openOrderBed();

const FIELDS =
  'Vendor_Order_Count__c, Vendor_Booked_Amount__c, Vendor_Booked_Currency__c, Vendor_Last_Order_Status__c, Vendor_Last_Order_Change__c';
const lines = (amount: number) => ({
  licenseChargeConditions: [
    { sequenceNumber: 1, licenseChargeBreakdown: [{ sequenceNumber: 1, distributorNetAmount: amount }] },
  ],
});
const BOOKED = { bookingDateTime: '2027-01-03T10:00:00Z', currency: 'EUR' };
const add = (id: string, opportunityId: string, more: object = {}): Promise<void> =>
  bed.addOrder({ transaction: { id, status: 'APP' }, opportunityId, ...BOOKED, ...more });
const opportunity = async (vendorId: string): Promise<string> => {
  const id = await bed.org.create('Opportunity', {
    Name: vendorId,
    StageName: 'Qualification',
    CloseDate: '2027-03-01',
  });
  await bed.ledger.resolveLink(bed.tenant, { crmId: id, vendorId }, new Date(bed.clock.ms).toISOString());
  return id;
};
const shown = async (id: string): Promise<Readonly<Record<string, unknown>>> => {
  const [row] = await bed.org.query(`SELECT ${FIELDS} FROM Opportunity WHERE Id = '${id}'`);
  return row ?? {};
};
const updates = async (): Promise<number> =>
  (await bed.crmRequests()).filter((operation) => operation === 'collections.update').length;

it('is what they come to, and follows them', async () => {
  const id = await opportunity('LO-1');
  await add('T-1', 'LO-1', lines(100.1));
  await add('T-2', 'LO-1', lines(0.2));
  await add('T-3', 'LO-1', { currency: 'CHF', ...lines(7) });
  await bed.run();
  expect(await shown(id)).toMatchObject({
    Vendor_Order_Count__c: 3,
    Vendor_Booked_Amount__c: null,
    Vendor_Booked_Currency__c: 'CHF, EUR',
    Vendor_Last_Order_Status__c: 'APP',
  });
  await bed.editOrder('T-3', { transaction: { status: 'RJTV' }, ...BOOKED });
  await bed.run();
  expect(await shown(id)).toMatchObject({
    Vendor_Booked_Amount__c: 107.3,
    Vendor_Last_Order_Status__c: 'RJTV',
  });
});

it('is written once for all opportunities, and not at all where it is the same', async () => {
  const ids = [await opportunity('LO-2'), await opportunity('LO-3')];
  const before = await updates();
  await add('T-4', 'LO-2', lines(1));
  await add('T-5', 'LO-3', lines(2));
  await bed.run();
  expect(await updates()).toBe(before + 1);
  expect((await shown(ids[1] ?? '')).Vendor_Booked_Amount__c).toBe(2);
  await bed.ledger.markInDoubt(
    bed.tenant,
    'Vendor_Order__c',
    { ids: ['T-4'], details: false },
    new Date(bed.clock.ms).toISOString(),
  );
  await bed.run();
  expect(await updates()).toBe(before + 1);
});

it('is written to two opportunities when an order goes from one to the other', async () => {
  const [from, to] = [await opportunity('LO-4'), await opportunity('LO-5')];
  await add('T-6', 'LO-4', lines(5));
  await bed.run();
  await bed.editOrder('T-6', { opportunityId: 'LO-5' });
  await bed.run();
  expect(await shown(from)).toMatchObject({ Vendor_Order_Count__c: 0, Vendor_Booked_Amount__c: null });
  expect(await shown(to)).toMatchObject({ Vendor_Order_Count__c: 1, Vendor_Booked_Amount__c: 5 });
  await bed.editOrder('T-6', { opportunityId: '' });
  await bed.run();
  expect(await shown(to)).toMatchObject({ Vendor_Order_Count__c: 0, Vendor_Last_Order_Status__c: null });
});

it('comes with an opportunity that comes after its order', async () => {
  await add('T-7', 'LO-6', lines(9));
  await bed.run();
  const id = await opportunity('LO-6');
  await bed.run();
  expect(await shown(id)).toMatchObject({ Vendor_Order_Count__c: 1, Vendor_Booked_Amount__c: 9 });
});

it('that an opportunity refuses holds nobody up, and is notified later', async () => {
  const ids = [await opportunity('LO-7'), await opportunity('LO-8')];
  await bed.org.admin('POST', 'faults', {
    operation: 'collections.update',
    errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
    row: 0,
    times: 1,
  });
  await add('T-8', 'LO-7', lines(1));
  await add('T-9', 'LO-8', lines(1));
  await bed.run();
  const counts = async () => (await Promise.all(ids.map(shown))).map((row) => row['Vendor_Order_Count__c']);
  expect((await counts()).filter((count) => count === 1)).toHaveLength(1);
  bed.clock.ms += HOUR_MS;
  await bed.run();
  expect(await counts()).toEqual([1, 1]);
});
