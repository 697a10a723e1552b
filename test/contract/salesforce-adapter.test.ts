import { beforeEach, describe, expect, it } from 'vitest';
import type { CrmGraph, CrmWrite } from '../../src/domain/record/crm-graph.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

const org = await withOrg();

beforeEach(async () => {
  await org.admin('DELETE', 'faults');
});

/** An instant long after the version, as of a record that nobody has touched for a while. */
const LATER = { readAt: '2100-01-01T00:00:00.000Z' };

const OFFER = 'Product2.Vendor_Offer_Id__c';

async function accountId(name: string): Promise<string> {
  const [row] = await org.query(`SELECT Id FROM Account WHERE Name = '${name}'`);
  return String(row?.['Id']);
}

async function entryOf(offer: string): Promise<string> {
  const [row] = await org.query(`SELECT Id FROM PricebookEntry WHERE ${OFFER} = '${offer}'`);
  return String(row?.['Id']);
}

/** A user's opportunity with an account, two lines and two contact roles. */
async function makeDeal(fields = {}): Promise<string> {
  const AccountId = await accountId('Aeris Turbines');
  const base = { Name: 'Turbine design', StageName: 'Prospecting', CloseDate: '2026-12-31', AccountId };
  const [book] = await org.query('SELECT Id FROM Pricebook2 WHERE IsStandard = true');
  const Pricebook2Id = book?.['Id'];
  const id = await org.create('Opportunity', { ...base, Pricebook2Id, Vendor_Share__c: true, ...fields });
  for (const [offer, TotalPrice] of [
    ['OFR-DES-001', 5000],
    ['OFR-DES-002', 7000],
  ] as const) {
    const PricebookEntryId = await entryOf(offer);
    await org.create('OpportunityLineItem', { OpportunityId: id, PricebookEntryId, Quantity: 1, TotalPrice });
  }
  const contacts = await org.query(`SELECT Id FROM Contact WHERE AccountId = '${AccountId}' ORDER BY LastName`);
  for (const [index, contact] of contacts.entries()) {
    const role = { OpportunityId: id, ContactId: contact['Id'], IsPrimary: index === 1 };
    await org.create('OpportunityContactRole', role);
  }
  return id;
}

async function read(id: string): Promise<CrmGraph> {
  const graph = await org.crm.readGraph(id);
  expect(graph).not.toBeNull();
  return graph as CrmGraph;
}

function writeOn(graph: CrmGraph, change: Partial<CrmWrite>): CrmWrite {
  return {
    opportunityId: String(graph.opportunity['Id']),
    ifUnmodifiedSince: String(graph.opportunity['SystemModstamp']),
    opportunity: {},
    lines: { create: [], update: [], delete: [] },
    account: null,
    ...change,
  };
}

describe('probe', () => {
  it('tells whose org it is and its clock', async () => {
    const probe = await org.crm.probe();
    expect(probe.organizationId).toBe(org.simulator.organizationId);
    expect(Date.parse(probe.now)).not.toBeNaN();
  });

  it('signs in by client credentials as well', async () => {
    const { clientId, clientSecret } = org.simulator.integration;
    const other = org.open({ auth: { flow: 'client-credentials', clientId, clientSecret } });
    expect((await other.probe()).organizationId).toBe(org.simulator.organizationId);
    await other.close();
  });

  it('fails as a whole with a wrong secret', async () => {
    const { clientId } = org.simulator.integration;
    const auth = { flow: 'client-credentials', clientId, clientSecret: 'wrong' } as const;
    const other = org.open({ auth });
    await expect(other.probe()).rejects.toMatchObject({ kind: 'systemic' });
    await other.close();
  });
});

describe('readGraph', () => {
  it('reads the whole deal in one request', async () => {
    const id = await makeDeal();
    await org.crm.probe();
    await org.drain();
    const graph = await read(id);
    expect(await org.drain()).toEqual(['queryAll']);
    expect(graph.opportunity).toMatchObject({
      Id: id,
      Name: 'Turbine design',
      Amount: 12_000,
      Vendor_Share__c: true,
    });
    expect(graph.account).toMatchObject({ Name: 'Aeris Turbines', Vendor_DUNS__c: '260114522' });
    expect(graph.lines.map((line) => [line[OFFER], line['TotalPrice']])).toEqual([
      ['OFR-DES-001', 5000],
      ['OFR-DES-002', 7000],
    ]);
    expect(graph.contacts.map((contact) => contact['LastName'])).toEqual(['Oliveira', 'Garnier']);
    expect(graph.owner).toMatchObject({ FirstName: 'Claire', LastName: 'Martin' });
    expect(graph.sync).toBeNull();
    expect(graph.readAt >= String(graph.opportunity['SystemModstamp'])).toBe(true);
  });

  it('shows a deleted deal as deleted, and none as null', async () => {
    const id = await makeDeal();
    await org.remove('Opportunity', id);
    expect((await read(id)).opportunity['IsDeleted']).toBe(true);
    expect(await org.crm.readGraph(await accountId('Aeris Turbines'))).toBeNull();
  });

  it('leaves deleted lines out', async () => {
    const id = await makeDeal();
    const before = await read(id);
    await org.remove('OpportunityLineItem', String(before.lines[0]?.['Id']));
    expect((await read(id)).lines).toEqual([before.lines[1]]);
  });
});

describe('applyWrite', () => {
  it('writes opportunity, lines and account as one', async () => {
    const graph = await read(await makeDeal());
    const [first, second] = graph.lines.map((line) => String(line['Id']));
    await org.crm.applyWrite(
      writeOn(graph, {
        opportunity: { Vendor_Status__c: 'A_LATER_CODE', Description: 'O\'Brien \\ said\n"où ça? 東京 🗼"' },
        lines: {
          create: [{ [OFFER]: 'OFR-DES-001', Quantity: 1, TotalPrice: 900, Vendor_Revenue_Type__c: 'UPFRONT' }],
          update: [{ Id: first ?? '', TotalPrice: 5500 }],
          delete: [second ?? ''],
        },
        account: { id: String(graph.account?.['Id']), fields: { Vendor_Site_Id__c: 'SITE-1' } },
      }),
      LATER,
    );
    const after = await read(String(graph.opportunity['Id']));
    expect(after.opportunity).toMatchObject({
      Vendor_Status__c: 'A_LATER_CODE',
      Description: 'O\'Brien \\ said\n"où ça? 東京 🗼"',
    });
    expect(after.account).toMatchObject({ Vendor_Site_Id__c: 'SITE-1' });
    expect(after.lines.map((line) => [line[OFFER], line['TotalPrice'], line['Vendor_Revenue_Type__c']])).toEqual([
      ['OFR-DES-001', 5500, null],
      ['OFR-DES-001', 900, 'UPFRONT'],
    ]);
  });

  it('refuses when the record moved on', async () => {
    const graph = await read(await makeDeal());
    const id = String(graph.opportunity['Id']);
    await org.admin('PUT', 'clock', { advanceMs: 3_000 });
    await org.update('Opportunity', id, { Description: 'by a user' });
    const write = writeOn(graph, { opportunity: { Description: 'by us' } });
    await expect(org.crm.applyWrite(write, LATER)).rejects.toMatchObject({ kind: 'stale' });
    expect((await read(id)).opportunity['Description']).toBe('by a user');
  });

  it('sends the condition along, so that an edit after the comparison is refused too', async () => {
    const graph = await read(await makeDeal());
    const id = String(graph.opportunity['Id']);
    await org.drain();
    await org.crm.applyWrite(writeOn(graph, { opportunity: { Description: 'by us' } }), LATER);
    expect(await org.drain()).toEqual(['composite']);
    const { requests } = (await org.admin('GET', 'requests')) as { requests: { body: unknown }[] };
    const bodies = JSON.stringify(requests.slice(-3));
    expect(bodies).toContain('If-Unmodified-Since');
    expect(bodies).toContain(new Date(String(graph.opportunity['SystemModstamp'])).toUTCString());
    expect((await read(id)).opportunity['Description']).toBe('by us');
  });

  it('applies nothing when one line is refused, and says which kind', async () => {
    const graph = await read(await makeDeal());
    const update = [{ Id: String(graph.lines[0]?.['Id']), Vendor_Revenue_Type__c: 'x'.repeat(300) }];
    const write = writeOn(graph, {
      opportunity: { Description: 'by us' },
      lines: { create: [], update, delete: [] },
    });
    await expect(org.crm.applyWrite(write, LATER)).rejects.toMatchObject({
      kind: 'permanent',
      fields: ['Vendor_Revenue_Type__c'],
    });
    expect((await read(write.opportunityId)).opportunity['Description']).toBeNull();
  });

  it('writes the deal without its sync row if the CRM refuses the sync row', async () => {
    const graph = await read(await makeDeal());
    const id = String(graph.opportunity['Id']);
    await org.crm.report({ opportunityId: id, opportunity: {}, sync: { Sync_State__c: 'Pending' } });
    const current = await read(id);
    await org.admin('POST', 'faults', { operation: 'collections.upsert', status: 400, errorCode: 'INVALID_FIELD' });
    const update = [{ Id: String(current.lines[0]?.['Id']), TotalPrice: 77 }];
    const write = writeOn(current, {
      opportunity: { Description: 'by us' },
      lines: { create: [], update, delete: [] },
    });
    await org.crm.applyWrite(write, { ...LATER, sync: { Sync_State__c: 'In sync' } });
    const after = await read(id);
    expect(after.opportunity['Description']).toBe('by us');
    expect(after.lines[0]?.['TotalPrice']).toBe(77);
    expect(after.sync).toMatchObject({ Sync_State__c: 'Pending' });
  });

  it('takes a line that went away as a sign that the deal moved on', async () => {
    const graph = await read(await makeDeal());
    const id = String(graph.opportunity['Id']);
    const line = String(graph.lines[0]?.['Id']);
    await org.remove('OpportunityLineItem', line);
    const current = await read(id);
    const write = writeOn(current, {
      lines: { create: [], update: [{ Id: line, TotalPrice: 1 }], delete: [] },
    });
    await expect(org.crm.applyWrite(write, LATER)).rejects.toMatchObject({ kind: 'stale' });
  });

  it('names the offers that no product carries, and writes nothing', async () => {
    const graph = await read(await makeDeal());
    const create = ['OFR-DES-001', 'NO-SUCH', "O'X"].map((offer) => ({
      [OFFER]: offer,
      Quantity: 1,
      TotalPrice: 1,
    }));
    const write = writeOn(graph, {
      opportunity: { Description: 'by us' },
      lines: { create, update: [], delete: [] },
    });
    await expect(org.crm.applyWrite(write, LATER)).rejects.toMatchObject({
      kind: 'permanent',
      code: 'UNKNOWN_OFFER',
      fields: ['NO-SUCH', "O'X"],
    });
    expect((await read(write.opportunityId)).opportunity['Description']).toBeNull();
    expect([...(await org.crm.knownOffers(['OFR-DES-001', 'NO-SUCH']))]).toEqual(['OFR-DES-001']);
  });

  it('gives a deal without a price book the standard one with its first line', async () => {
    const fields = { Name: 'Bare', StageName: 'Prospecting', CloseDate: '2026-12-31', Vendor_Share__c: true };
    const graph = await read(await org.create('Opportunity', fields));
    const create = [{ [OFFER]: 'OFR-DES-002', Quantity: 1, TotalPrice: 10 }];
    await org.crm.applyWrite(writeOn(graph, { lines: { create, update: [], delete: [] } }), LATER);
    const after = await read(String(graph.opportunity['Id']));
    expect(after.opportunity['Pricebook2Id']).not.toBeNull();
    expect(after.lines).toHaveLength(1);
  });

  it('writes more lines than a composite request has parts', async () => {
    const graph = await read(await makeDeal());
    const create = Array.from({ length: 40 }, (_, n) => ({
      [OFFER]: 'OFR-DES-001',
      Quantity: 1,
      TotalPrice: n + 1,
    }));
    const lines = { create, update: [], delete: graph.lines.map((line) => String(line['Id'])) };
    await org.crm.applyWrite(writeOn(graph, { lines }), LATER);
    const after = await read(String(graph.opportunity['Id']));
    expect(after.lines).toHaveLength(40);
    expect(after.opportunity['Amount']).toBe(820);
  });

  it('says gone for a deal that was deleted', async () => {
    const graph = await read(await makeDeal());
    await org.remove('Opportunity', String(graph.opportunity['Id']));
    const write = writeOn(graph, { opportunity: { Description: 'by us' } });
    await expect(org.crm.applyWrite(write, LATER)).rejects.toMatchObject({ kind: 'gone' });
  });
});

describe('report', () => {
  it('keeps one sync record an opportunity and leaves the opportunity alone', async () => {
    const id = await makeDeal();
    const before = await read(id);
    for (const state of ['Pending', 'In sync']) {
      const sync = { Sync_State__c: state, Message__c: 'x', Last_Synced__c: '2026-01-31T10:00:00.000Z' };
      await org.crm.report({ opportunityId: id, opportunity: {}, sync });
    }
    const after = await read(id);
    expect(after.sync).toMatchObject({
      Opportunity_Key__c: id,
      Sync_State__c: 'In sync',
      Last_Synced__c: '2026-01-31T10:00:00.000Z',
    });
    expect(after.opportunity).toEqual(before.opportunity);
    expect(await org.query(`SELECT Id FROM Lockstep_Sync__c WHERE Opportunity__c = '${id}'`)).toHaveLength(1);
  });

  it('writes the vendor id when there is one', async () => {
    const id = await makeDeal();
    const report = {
      opportunityId: id,
      opportunity: { Vendor_Id__c: "V'1\\" },
      sync: { Sync_State__c: 'In sync' },
    };
    await org.crm.report(report);
    expect((await read(id)).opportunity['Vendor_Id__c']).toBe("V'1\\");
  });

  it('answers each record by its own outcome', async () => {
    const [one, two] = [await makeDeal({ Vendor_Id__c: 'V-taken' }), await makeDeal()];
    const sync = { Sync_State__c: 'In sync' };
    const outcomes = await Promise.allSettled([
      org.crm.report({ opportunityId: one, opportunity: {}, sync }),
      org.crm.report({ opportunityId: two, opportunity: { Vendor_Id__c: 'V-taken' }, sync }),
    ]);
    expect(outcomes[0]?.status).toBe('fulfilled');
    expect(outcomes[1]).toMatchObject({ reason: { kind: 'permanent', code: 'DUPLICATE_VALUE' } });
  });
});

describe('a session that stays lost', () => {
  it('ends after one renewal', async () => {
    const other = org.open();
    await other.probe();
    await org.admin('POST', 'faults', { operation: 'query', status: 401 });
    await org.drain();
    await expect(other.probe()).rejects.toMatchObject({ kind: 'systemic' });
    await expect(other.probe()).rejects.toMatchObject({ kind: 'systemic' });
    expect(await org.drain()).toEqual(['query', 'oauth.token', 'query', 'query']);
    await other.close();
  });
});
