import { beforeAll, describe, expect, it } from 'vitest';
import { CrmError } from '../../src/salesforce/errors.ts';
import { diesAt } from '../support/orders/dying-worker.ts';
import { type OrderBed, openOrderBed } from '../support/orders/order-bed.ts';

/** Sales persons search orders by the action Find order, and link what was found: answered once, whatever is lost on the way. */

let bed: OrderBed;
beforeAll(async () => {
  bed = await openOrderBed();
});

type Row = Readonly<Record<string, unknown>>;
const lines = (amount: number) => ({
  licenseChargeConditions: [
    { sequenceNumber: 1, licenseChargeBreakdown: [{ sequenceNumber: 1, distributorNetAmount: amount }] },
  ],
});
const add = (id: string, billToPoReference: string, more: object = {}): Promise<void> =>
  bed.addOrder({ transaction: { id, status: 'APP' }, billToPoReference, opportunityId: '', ...lines(100), ...more });
const deal = (Name: string): Promise<string> =>
  bed.org.create('Opportunity', { Name, StageName: 'Qualification', CloseDate: '2027-03-01' });
const search = (opportunityId: string, criteria: object): Promise<string> =>
  bed.org.create('Lockstep_Order_Search__c', { Opportunity__c: opportunityId, ...criteria });
const answer = async (id: string): Promise<Row | undefined> =>
  (
    await bed.org.query(
      `SELECT Answer__c, Found_Count__c, Searched__c FROM Lockstep_Order_Search__c WHERE Id = '${id}'`,
    )
  )[0];
const found = (id: string) =>
  bed.org.query(
    `SELECT Id, Name, Type__c, Status__c, PO_Reference__c, State__c, Link__c FROM Lockstep_Found_Order__c WHERE Search__c = '${id}' ORDER BY Name`,
  );
const tick = async (searchId: string, order: string): Promise<void> => {
  const row = (await found(searchId)).find(({ Name }) => Name === order);
  await bed.org.update('Lockstep_Found_Order__c', String(row?.['Id']), { Link__c: true });
};
const linkOf = async (order: string): Promise<unknown> =>
  (await bed.org.query(`SELECT Opportunity__c FROM Vendor_Order__c WHERE Vendor_Order_Id__c = '${order}'`))[0]?.[
    'Opportunity__c'
  ];
const searchesAtVendor = async (): Promise<number> =>
  (await bed.vendorRequests()).filter((operation) => operation === 'searchOrders').length;
const runAsked = () => bed.run('answerOrderSearches');

describe('a search', () => {
  it('lists the orders that fit, and a tick links the order to the opportunity, also an order never read', async () => {
    const id = await deal('Finds one');
    await add('A-1', 'PO-A');
    await add('A-2', 'PO-B');
    const asked = await search(id, { PO_Reference__c: 'PO-A' });
    expect(await answer(asked)).toMatchObject({ Answer__c: expect.stringMatching(/^Lockstep searches at the vendor/) });
    await runAsked();
    expect(await answer(asked)).toMatchObject({ Answer__c: expect.stringMatching(/^1 order found\. Open/) });
    expect(await found(asked)).toMatchObject([
      { Name: 'A-1', Status__c: 'Finance Approved', PO_Reference__c: 'PO-A', State__c: 'Free', Link__c: false },
    ]);
    await tick(asked, 'A-1');
    await runAsked();
    expect(await found(asked)).toMatchObject([{ State__c: 'Linked' }]);
    await bed.run();
    expect(await linkOf('A-1')).toBe(id);
    const before = await searchesAtVendor();
    await runAsked();
    await runAsked();
    expect(await searchesAtVendor()).toBe(before);
  });

  it.each<[string, object, RegExp]>([
    ['without a criterion', { Transaction_Type__c: 'RN' }, /^Fill in a PO reference/],
    ['over too many days', { Booked_From__c: '2026-11-01', Booked_To__c: '2026-11-09' }, /at most 7 days/],
    ['with the days exchanged', { Booked_From__c: '2026-11-09', Booked_To__c: '2026-11-01' }, /lies before/],
    ['of the future', { Booked_From__c: '2099-01-01' }, /lies in the future/],
    ['that fits no order', { PO_Reference__c: 'PO-NONE' }, /^The vendor shows no order/],
  ])('%s is answered in words', async (_, criteria, words) => {
    const asked = await search(await deal('Asks'), criteria);
    await runAsked();
    expect((await answer(asked))?.['Answer__c']).toMatch(words);
    expect(await found(asked)).toEqual([]);
  });

  it('that fits more orders than a person reads asks for another criterion', async () => {
    for (let n = 0; n < 21; n += 1) await add(`M-${n}`, 'PO-MANY');
    const asked = await search(await deal('Too many'), { PO_Reference__c: 'PO-MANY' });
    await runAsked();
    expect(await answer(asked)).toMatchObject({
      Found_Count__c: null,
      Answer__c: expect.stringMatching(/^More than 20/),
    });
    expect(await found(asked)).toEqual([]);
  });

  it('that the vendor answers with 500 each time delays no other, is reported, and is tried again later', async () => {
    const bad = await search(await deal('Fails'), { PO_Reference__c: 'PO-FAILS' });
    const [other, last] = [
      await search(await deal('Waits'), { PO_Reference__c: 'PO-A' }),
      await search(await deal('Waits too'), { PO_Reference__c: 'PO-A' }),
    ];
    await bed.vendor.admin('POST', 'faults', { operation: 'searchOrders', words: 'PO-FAILS', status: 500 });
    await expect(runAsked()).rejects.toMatchObject({ kind: 'server' });
    await runAsked();
    for (const id of [other, last]) expect(await answer(id)).toMatchObject({ Found_Count__c: 1 });
    expect(await answer(bad)).toMatchObject({ Searched__c: null });
    await bed.vendor.admin('DELETE', 'faults');
    await runAsked();
    expect((await answer(bad))?.['Answer__c']).toMatch(/^The vendor shows no order/);
  });

  it('keeps its place in an outage of the vendor', async () => {
    const [first, second] = [
      await search(await deal('First'), { PO_Reference__c: 'PO-A' }),
      await search(await deal('Second'), { PO_Reference__c: 'PO-A' }),
    ];
    await bed.vendor.admin('POST', 'faults', { operation: 'searchOrders', status: 503 });
    for (let time = 0; time < 3; time += 1) await expect(runAsked()).rejects.toMatchObject({ kind: 'unavailable' });
    await bed.vendor.admin('DELETE', 'faults');
    await bed.step('answerOrderSearches');
    expect(await answer(first)).toMatchObject({ Found_Count__c: 1 });
    expect(await answer(second)).toMatchObject({ Searched__c: null });
    await runAsked();
  });

  it('shows where an order belongs, and takes none from another opportunity', async () => {
    const [one, other] = [await deal('Owner'), await deal('Other')];
    await add('T-1', 'PO-T');
    const first = await search(one, { PO_Reference__c: 'PO-T' });
    const second = await search(other, { PO_Reference__c: 'PO-T' });
    await runAsked();
    await tick(first, 'T-1');
    await tick(second, 'T-1');
    await runAsked();
    await bed.run();
    expect([await found(first), await found(second)]).toMatchObject([
      [{ State__c: 'Linked' }],
      [{ State__c: 'Elsewhere' }],
    ]);
    expect(await linkOf('T-1')).toBe(one);
    const again = await search(one, { PO_Reference__c: 'PO-T' });
    await runAsked();
    expect(await found(again)).toMatchObject([{ State__c: 'Here' }]);
    expect((await answer(again))?.['Answer__c']).toMatch(/None is free/);
  });
});

describe('the calls to the CRM, the vendor and the ledger', () => {
  const CRM = ['orderSearches', 'rowsWith', 'upsertRows', 'updateRows'] as const;
  const LEDGER = ['chooseOpportunity', 'saveCursor'] as const;

  /** Runs the stream, whose worker dies at its n-th call, before or after the call has had its effect. False if it never came so far. */
  function dies(at: number, when: 'before' | 'after'): Promise<boolean> {
    return diesAt({ at, when }, async (deadly) => {
      while ((await bed.step('answerOrderSearches', deadly(bed.ledger, LEDGER), deadly(bed.org.crm, CRM))).more);
    });
  }

  it.each(['before', 'after'] as const)('may each be the last %s which a worker dies', async (when) => {
    const [order, po] = [`K-${when}`, `PO-K-${when}`];
    await add(order, po);
    const id = await deal(`Killed ${when}`);
    const asked = await search(id, { PO_Reference__c: po });
    for (let at = 1; await dies(at, when); at += 1) expect(at).toBeLessThan(40);
    expect(await found(asked)).toMatchObject([{ Name: order, State__c: 'Free' }]);
    expect(await answer(asked)).toMatchObject({ Found_Count__c: 1 });
    await tick(asked, order);
    for (let at = 1; await dies(at, when); at += 1) expect(at).toBeLessThan(40);
    await bed.run();
    expect(await found(asked)).toMatchObject([{ Name: order, State__c: 'Linked' }]);
    expect(await linkOf(order)).toBe(id);
  });

  it('cost the vendor nothing while a search cannot be answered in the CRM', async () => {
    const asked = await search(await deal('Locked'), { PO_Reference__c: 'PO-A' });
    const updateRows = async (_: string, rows: readonly object[]) =>
      rows.map(() => new CrmError('permanent', 'INSUFFICIENT_ACCESS_OR_READONLY', 'refused'));
    const before = await searchesAtVendor();
    const taken = await bed.step('answerOrderSearches', {}, { updateRows });
    expect([taken, await searchesAtVendor()]).toEqual([{ found: 0, more: false }, before]);
    await runAsked();
    expect(await answer(asked)).toMatchObject({ Found_Count__c: 1 });
  });
});
