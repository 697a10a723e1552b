import { expect, it } from 'vitest';
import { linkOrders } from '../../src/operator/records/find-order.ts';
import { openOrderBed } from '../support/orders/order-bed.ts';

/** A sales person who types a purchase order number takes no order: neither another customer's, nor a colleague's. */

const PO = 'Vendor_Campaign_Code__c';
const bed = await openOrderBed();
bed.orders.poReference = PO;

type Fields = Readonly<Record<string, unknown>>;
let accounts = 0;

/** A customer of the partner, with its site at the vendor. */
async function customer(more: Fields = {}) {
  accounts += 1;
  const site = `SITE-${accounts}`;
  const id = await bed.org.create('Account', { Name: `Customer ${accounts}`, Vendor_Site_Id__c: site, ...more });
  return { id, site };
}
const deal = (AccountId: string | null, po: string | null): Promise<string> =>
  bed.org.create('Opportunity', {
    ...{ Name: 'Deal', StageName: 'Qualification', CloseDate: '2027-03-01' },
    ...{ AccountId, [PO]: po },
  });
const order = (id: string, po: string, site: string): Promise<void> =>
  bed.addOrder({
    ...{ transaction: { id, status: 'APP' }, billToPoReference: po, opportunityId: '' },
    soldToSite: { id: site, name: 'Theirs', localName: null, locationId: 1 },
  });
const shown = async (id: string) => {
  const fields = 'Opportunity__c, PO_Reference_Problem__c';
  const [row] = await bed.org.query(`SELECT ${fields} FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${id}'`);
  return { deal: row?.['Opportunity__c'], problem: row?.['PO_Reference_Problem__c'] };
};
const follow = async (): Promise<void> => {
  bed.clock.ms += 5_000;
  await bed.run('searchMirrorEdits');
  await bed.run();
};
/** What happens to an order in time: its customer's deals change, and the vendor changes the order. */
const later = async (id: string): Promise<void> => {
  await follow();
  await bed.editOrder(id, { transaction: { status: 'BKD' } });
  bed.clock.ms += 11 * 60_000;
  await follow();
};

it.each<[string, (po: string) => string]>([
  ['the same number', (po) => po],
  ['the number in small letters', (po) => po.toLowerCase()],
])('an order stays with its deal when another customer’s deal gets %s', async (what, written) => {
  const [theirs, other] = [await customer(), await customer()];
  const [id, po] = [`A-${what.length}`, `PO-A${what.length}`];
  const own = await deal(theirs.id, po);
  await order(id, po, theirs.site);
  await bed.run();
  expect(await shown(id)).toEqual({ deal: own, problem: null });
  await deal(other.id, written(po));
  await deal(null, written(po));
  await later(id);
  expect(await shown(id)).toEqual({ deal: own, problem: null });
});

it('an order stays with its deal when a colleague’s deal of the same customer gets the number', async () => {
  const theirs = await customer();
  const own = await deal(theirs.id, 'PO-B');
  await order('B-1', 'PO-B', theirs.site);
  await bed.run();
  const second = await deal(theirs.id, 'po-b');
  await later('B-1');
  expect(await shown('B-1')).toEqual({ deal: own, problem: null });
  await bed.org.update('Opportunity', own, { [PO]: null });
  await later('B-1');
  expect(await shown('B-1')).toEqual({ deal: second, problem: null });
});

it('an order goes to no deal of another customer, and says so', async () => {
  const [theirs, other] = [await customer(), await customer()];
  const decoy = await deal(other.id, 'PO-C');
  await order('C-1', 'PO-C', theirs.site);
  await bed.run();
  expect(await shown('C-1')).toEqual({ deal: null, problem: expect.stringContaining('another account') });
  await later('C-1');
  expect((await shown('C-1')).deal).toBeNull();
  await bed.org.update('Opportunity', decoy, { [PO]: null });
  const own = await deal(theirs.id, 'PO-C');
  await follow();
  expect(await shown('C-1')).toEqual({ deal: own, problem: null });
});

it('an order whose customer is unknown goes to no deal by its number, until the account is there', async () => {
  const decoy = await deal((await customer()).id, 'PO-D');
  await order('D-1', 'PO-D', 'SITE-LATE');
  await bed.run();
  expect(await shown('D-1')).toEqual({ deal: null, problem: expect.stringContaining('no known account') });
  const late = await customer({ Vendor_Site_Id__c: 'SITE-LATE' });
  await later('D-1');
  expect(await shown('D-1')).toEqual({ deal: null, problem: expect.stringContaining('another account') });
  await bed.org.update('Opportunity', decoy, { AccountId: late.id });
  await follow();
  expect(await shown('D-1')).toEqual({ deal: decoy, problem: null });
});

it('an order keeps its deal when a second account gets the customer’s site', async () => {
  const theirs = await customer();
  const own = await deal(theirs.id, 'PO-E');
  await order('E-1', 'PO-E', theirs.site);
  await bed.run();
  const twin = await customer({ Vendor_Site_Id__c: theirs.site });
  await deal(twin.id, 'PO-E');
  await later('E-1');
  expect((await shown('E-1')).deal).toBe(own);
});

it('of two deals of the customer neither gets the order, until one of them alone has the number', async () => {
  const theirs = await customer();
  const [first, second] = [await deal(theirs.id, 'PO-F'), await deal(theirs.id, 'PO-F')];
  await order('F-1', 'PO-F', theirs.site);
  await bed.run();
  expect(await shown('F-1')).toEqual({ deal: null, problem: expect.stringContaining('Several') });
  await bed.org.update('Opportunity', second, { [PO]: null });
  await follow();
  expect(await shown('F-1')).toEqual({ deal: first, problem: null });
});

it('an order that an operator linked stays there, whatever numbers users enter', async () => {
  const theirs = await customer();
  const chosen = await deal(theirs.id, null);
  await order('G-1', 'PO-G', theirs.site);
  await bed.run();
  const now = (): string => new Date(bed.clock.ms).toISOString();
  const remote = { opportunity: async () => ({ Id: chosen }) };
  await linkOrders({ crm: bed.org.crm, ledger: bed.ledger, remote, now }, bed.tenant, ['G-1'], chosen);
  await deal(theirs.id, 'PO-G');
  await deal((await customer()).id, 'PO-G');
  await later('G-1');
  expect(await shown('G-1')).toEqual({ deal: chosen, problem: null });
});
