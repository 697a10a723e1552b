/** Requests of CRM users for searches and links of orders: what one user's rows may not do to others, to the vendor and to the org. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';
import { type SalesPerson, salesPerson } from '../support/salesforce/sales-person.ts';

let bed: OrderBed;
let eve: SalesPerson;
let sam: SalesPerson;
beforeAll(async () => {
  bed = await openOrderBed();
  const hire = (name: string) => salesPerson(bed.org.simulator, name, ['Lockstep_User', 'Lockstep_Find_Orders']);
  [eve, sam] = [await hire('Eve'), await hire('Sam')];
});

type Row = Readonly<Record<string, unknown>>;
const SEARCHES = '/sobjects/Lockstep_Order_Search__c';
const FOUND = '/sobjects/Lockstep_Found_Order__c';

const add = (id: string, billToPoReference: string): Promise<void> =>
  bed.addOrder({ transaction: { id, status: 'APP' }, billToPoReference, opportunityId: '' });

/** An opportunity of a sales person. */
async function dealOf(person: SalesPerson, Name = 'A deal'): Promise<string> {
  const fields = { Name, StageName: 'Qualification', CloseDate: '2027-03-01', OwnerId: person.id };
  return bed.org.create('Opportunity', fields);
}

/** An opportunity that the integration user may only read. */
async function closedDealOf(person: SalesPerson): Promise<string> {
  const record = await dealOf(person);
  await bed.org.admin('PUT', 'access', { user: 'integration', record, access: 'read' });
  return record;
}

async function search(person: SalesPerson, opportunity: string, criteria: object): Promise<string> {
  const made = await person.call('POST', SEARCHES, { Opportunity__c: opportunity, ...criteria });
  expect(made).toMatchObject({ status: 201 });
  return (made.body as { id: string }).id;
}

const answerOf = async (id: string): Promise<Row | undefined> =>
  (await bed.org.query(`SELECT Found_Count__c, Searched__c FROM Lockstep_Order_Search__c WHERE Id = '${id}'`))[0];
const foundOf = (id: string) =>
  bed.org.query(
    `SELECT Id, Name, State__c, Link__c FROM Lockstep_Found_Order__c WHERE Search__c = '${id}' ORDER BY Name`,
  );
const linkOf = async (order: string): Promise<unknown> =>
  (await bed.org.query(`SELECT Opportunity__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${order}'`))[0]?.[
    'Opportunity__c'
  ];
const run = () => bed.run('answerOrderSearches');
const countOf = async (operation: string): Promise<number> =>
  (await bed.vendorRequests()).filter((one) => one === operation).length;

describe('requests that Lockstep cannot answer', () => {
  const MANY = 120;

  it('keep no request of another user waiting, and cost the vendor nothing', async () => {
    const closed = await closedDealOf(eve);
    for (let n = 0; n < MANY; n += 1) await search(eve, closed, { PO_Reference__c: 'PO-OTHER' });
    await add('S-1', 'PO-SAM');
    const asked = await search(sam, await dealOf(sam), { PO_Reference__c: 'PO-SAM' });
    const before = await countOf('searchOrders');
    await run();
    expect(await answerOf(asked)).toMatchObject({ Found_Count__c: 1 });
    expect((await countOf('searchOrders')) - before).toBe(1);
  });

  it('cost the org a few calls for each fifty of them', async () => {
    await bed.org.drain();
    await run();
    expect((await bed.org.drain()).length).toBeLessThanOrEqual(3 * Math.ceil(MANY / 50 + 1));
  });

  it('keep no tick of another user waiting', async () => {
    const closed = await closedDealOf(eve);
    const parent = await bed.org.create('Lockstep_Order_Search__c', {
      ...{ Opportunity__c: closed, PO_Reference__c: 'x', Searched__c: '2027-01-04T08:00:00.000Z' },
    });
    for (let n = 0; n < 210; n += 1) {
      const fields = {
        Name: `E-${n}`,
        Found_Key__c: `${parent}/E-${n}`,
        Search__c: parent,
        Vendor_Order_Id__c: `E-${n}`,
      };
      await bed.org.create('Lockstep_Found_Order__c', { ...fields, State__c: 'Free', Link__c: true });
    }
    await add('T-1', 'PO-TICK');
    const deal = await dealOf(sam);
    const asked = await search(sam, deal, { PO_Reference__c: 'PO-TICK' });
    await run();
    const [row] = await foundOf(asked);
    expect(await sam.call('PATCH', `${FOUND}/${String(row?.['Id'])}`, { Link__c: true })).toMatchObject({
      status: 204,
    });
    await run();
    await bed.run();
    expect(await linkOf('T-1')).toBe(deal);
  });
});

describe('a search with hostile criteria', () => {
  it.each([
    "' OR Searched__c != null OR Id = '",
    '%',
    '*',
    'PO-1,PO-2',
    'PO&top=1000&skip=0',
    '"],"onlineInstanceSeatId":"',
    '@{notice.id}',
    '{!$User.Id}',
    '../../v0/generateApiKey',
    '\u202ePO',
    'x\u0000y',
    '=HYPERLINK("https://evil.example")',
  ])('asks the vendor for that text and nothing else: %j', async (text) => {
    await add(`H-${text.length}-${text.codePointAt(0)}`, 'PO-HARMLESS');
    const asked = await search(eve, await dealOf(eve), { PO_Reference__c: text });
    await run();
    expect((await answerOf(asked))?.['Searched__c']).not.toBeNull();
    expect(await foundOf(asked)).toEqual([]);
  });
});

describe('a user who may edit a deal', () => {
  it('gives an order away by no other field of a found order', async () => {
    for (const id of ['F-1', 'F-2']) await add(id, `PO-${id}`);
    const deal = await dealOf(eve);
    const asked = await search(eve, deal, { PO_Reference__c: 'PO-F-1' });
    await run();
    const [row] = await foundOf(asked);
    const path = `${FOUND}/${String(row?.['Id'])}`;
    for (const fields of [{ Vendor_Order_Id__c: 'F-2' }, { State__c: 'Linked' }, { Found_Key__c: 'x/F-2' }])
      expect((await eve.call('PATCH', path, fields)).status).toBe(400);
    await eve.call('PATCH', path, { Name: 'F-2', Link__c: true });
    await run();
    await bed.run();
    expect([await linkOf('F-1'), await linkOf('F-2')]).toEqual([deal, null]);
  });

  it('takes an order by no second tick, once it belongs to another deal', async () => {
    await add('G-1', 'PO-G');
    const [mine, theirs] = [await dealOf(eve), await dealOf(sam)];
    const [ofEve, ofSam] = [
      await search(eve, mine, { PO_Reference__c: 'PO-G' }),
      await search(sam, theirs, { PO_Reference__c: 'PO-G' }),
    ];
    await run();
    const rowOf = async (id: string) => `${FOUND}/${String((await foundOf(id))[0]?.['Id'])}`;
    await sam.call('PATCH', await rowOf(ofSam), { Link__c: true });
    await run();
    await bed.run();
    for (const Link__c of [true, false, true]) {
      await eve.call('PATCH', await rowOf(ofEve), { Link__c });
      await run();
      await bed.run();
    }
    expect(await linkOf('G-1')).toBe(theirs);
    expect(await foundOf(ofEve)).toMatchObject([{ State__c: 'Elsewhere' }]);
  });
});
