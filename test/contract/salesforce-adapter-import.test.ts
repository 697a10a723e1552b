import { beforeEach, describe, expect, it } from 'vitest';
import type { CrmCreate } from '../../src/domain/record/crm-graph.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

let next = 0;

const org = await withOrg();

beforeEach(async () => {
  await org.admin('DELETE', 'faults');
});

const OFFER = 'Product2.Vendor_Offer_Id__c';

/** A deal of a customer that no other test knows. */
function newDeal(change: Partial<CrmCreate> = {}): CrmCreate {
  next += 1;
  return {
    vendorId: `V/${next}?x='1'\\`,
    opportunity: {
      Name: `Deal ${next}`,
      StageName: 'Prospecting',
      CloseDate: '2026-12-31',
      Vendor_Share__c: true,
    },
    account: {
      Name: `Customer ${next}`,
      BillingCity: 'Lyon',
      BillingCountry: 'France',
      Vendor_Site_Id__c: `S${next}`,
    },
    lines: [
      { [OFFER]: 'OFR-DES-001', Quantity: 1, TotalPrice: 100 },
      { [OFFER]: 'OFR-DES-001', Quantity: 1, TotalPrice: 100 },
      { [OFFER]: 'OFR-DES-002', Quantity: 1, TotalPrice: 300 },
    ],
    contacts: [
      { Email: `a${next}@c.example`, FirstName: 'A', LastName: 'One' },
      { Email: `b${next}@c.example`, FirstName: 'B', LastName: 'Two' },
    ],
    ...change,
  };
}

async function counts(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const type of ['Opportunity', 'Account', 'Contact', 'OpportunityContactRole', 'OpportunityLineItem']) {
    found[type] = (await org.query(`SELECT Id FROM ${type}`)).length;
  }
  return found;
}

describe('createFromVendor', () => {
  it('makes the deal with everything that belongs to it', async () => {
    const create = newDeal();
    const { opportunityId } = await org.crm.createFromVendor(create);
    const graph = await org.crm.readGraph(opportunityId);
    expect(graph?.opportunity).toMatchObject({
      Vendor_Id__c: create.vendorId,
      Amount: 500,
      Vendor_Share__c: true,
    });
    expect(graph?.account).toMatchObject({ ...create.account });
    expect(graph?.contacts.map((contact) => contact['Email'])).toEqual(create.contacts.map((one) => one['Email']));
    expect(graph?.lines.map((line) => line[OFFER])).toEqual(['OFR-DES-001', 'OFR-DES-001', 'OFR-DES-002']);
  });

  it('changes nothing when repeated', async () => {
    const create = newDeal();
    const first = await org.crm.createFromVendor(create);
    const before = await counts();
    expect(first.isNew).toBe(true);
    expect(await org.crm.createFromVendor(create)).toEqual({ ...first, isNew: false });
    expect(await counts()).toEqual(before);
  });

  it('finds its own work when the answer was lost', async () => {
    const create = newDeal();
    await org.crm.probe();
    await org.admin('POST', 'faults', { operation: 'composite', cut: 'after', times: 1 });
    await expect(org.crm.createFromVendor(create)).rejects.toMatchObject({ kind: 'transient' });
    const before = await counts();
    const { opportunityId } = await org.crm.createFromVendor(create);
    expect(await org.query(`SELECT Vendor_Id__c FROM Opportunity WHERE Id = '${opportunityId}'`)).toEqual([
      expect.objectContaining({ Vendor_Id__c: create.vendorId }),
    ]);
    expect(await counts()).toEqual(before);
  });

  it('makes one deal when two try at the same time', async () => {
    const create = newDeal();
    const before = await counts();
    const made = await Promise.all([1, 2, 3].map(() => org.crm.createFromVendor(create)));
    expect(new Set(made.map((one) => one.opportunityId)).size).toBe(1);
    expect(made.filter((one) => one.isNew)).toHaveLength(1);
    const after = await counts();
    expect((after['Opportunity'] ?? 0) - (before['Opportunity'] ?? 0)).toBe(1);
    expect((after['OpportunityLineItem'] ?? 0) - (before['OpportunityLineItem'] ?? 0)).toBe(3);
  });

  it.each([
    ['its DUNS number', { Name: 'Another name', Vendor_DUNS__c: '260114522' }, 'Aeris Turbines'],
    ['name and country', { Name: 'VOLTA mobility', BillingCountry: 'Italy' }, 'Volta Mobility'],
  ])('takes the account that matches by %s, unchanged', async (_, account, name) => {
    const before = await counts();
    const { opportunityId } = await org.crm.createFromVendor(newDeal({ account }));
    expect((await org.crm.readGraph(opportunityId))?.account?.['Name']).toBe(name);
    expect((await counts())['Account']).toBe(before['Account']);
  });

  it('makes an account of its own for the same name in another country', async () => {
    const account = { Name: 'Volta Mobility', BillingCountry: 'Spain' };
    const { opportunityId } = await org.crm.createFromVendor(newDeal({ account }));
    expect((await org.crm.readGraph(opportunityId))?.account).toMatchObject(account);
  });

  it('takes the contacts of the account by e-mail address', async () => {
    const contacts = [
      { Email: 'GIULIA.conti@volta-mobility.example', FirstName: 'G', LastName: 'C' },
      { Email: 'new@volta-mobility.example', FirstName: 'N', LastName: 'W' },
    ];
    const before = await counts();
    const account = { Name: 'Volta Mobility', BillingCountry: 'Italy' };
    const { opportunityId } = await org.crm.createFromVendor(newDeal({ account, contacts }));
    const graph = await org.crm.readGraph(opportunityId);
    expect(graph?.contacts.map((contact) => contact['LastName'])).toEqual(['Conti', 'W']);
    expect((await counts())['Contact']).toBe((before['Contact'] ?? 0) + 1);
  });

  it('makes a deal without account, contacts and lines', async () => {
    const { opportunityId } = await org.crm.createFromVendor(newDeal({ account: null, contacts: [], lines: [] }));
    expect(await org.crm.readGraph(opportunityId)).toMatchObject({ account: null, contacts: [], lines: [] });
  });

  it('leaves nothing behind when a part is refused', async () => {
    const before = await counts();
    const contacts = [{ Email: 'x@c.example', FirstName: 'No', LastName: null }];
    await expect(org.crm.createFromVendor(newDeal({ contacts }))).rejects.toMatchObject({
      kind: 'permanent',
    });
    expect(await counts()).toEqual(before);
  });
});

describe('a deal too large for one request', () => {
  const large = (): CrmCreate => {
    const lines = Array.from({ length: 30 }, (_, n) => ({
      [OFFER]: n % 2 === 0 ? 'OFR-DES-001' : 'OFR-DES-002',
      Quantity: 1,
      TotalPrice: 10,
    }));
    const contacts = Array.from({ length: 5 }, (_, n) => ({
      Email: `p${n}.${next}@big.example`,
      FirstName: `P${n}`,
      LastName: 'Big',
    }));
    return newDeal({ lines, contacts });
  };

  it('is completed, and not doubled when repeated', async () => {
    const create = large();
    const { opportunityId } = await org.crm.createFromVendor(create);
    const before = await counts();
    const graph = await org.crm.readGraph(opportunityId);
    expect([graph?.lines.length, graph?.contacts.length]).toEqual([30, 5]);
    expect(await org.crm.createFromVendor(create)).toEqual({ opportunityId, isNew: false, isSavedAgain: true });
    expect(await counts()).toEqual(before);
  });

  it.each([1, 2, 3, 4])('goes on where a cut after request %i left it', async (composites) => {
    const create = large();
    const before = await counts();
    await org.crm.probe();
    // The first requests pass, then one is applied whose answer is lost.
    if (composites > 1)
      await org.admin('POST', 'faults', { operation: 'composite', delayMs: 1, times: composites - 1 });
    await org.admin('POST', 'faults', { operation: 'composite', cut: 'after', times: 1 });
    await expect(org.crm.createFromVendor(create)).rejects.toMatchObject({ kind: 'transient' });
    await org.crm.createFromVendor(create);
    const after = await counts();
    const grown = Object.fromEntries(Object.entries(after).map(([type, n]) => [type, n - (before[type] ?? 0)]));
    expect(grown).toEqual({
      Opportunity: 1,
      Account: 1,
      Contact: 5,
      OpportunityContactRole: 5,
      OpportunityLineItem: 30,
    });
  });
});
