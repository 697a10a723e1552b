import { describe, expect, it } from 'vitest';
import type { CrmPosition } from '../../src/domain/streams/crm-cursor.ts';
import type { CrmChange, CrmStream } from '../../src/salesforce/crm.ts';
import { withOrg } from '../support/salesforce/with-org.ts';

/** The org's clock: it stands still, so that what happens together carries one stamp. */
let nowMs = Date.parse('2026-03-01T08:00:00.000Z');

const org = await withOrg({ readMs: () => nowMs });

/** Every change after a position, read by pages of `limit`. */
async function drainStream(stream: CrmStream, from: CrmPosition, limit: number): Promise<readonly CrmChange[]> {
  const found: CrmChange[] = [];
  let position = from;
  for (let more = true; more; ) {
    const page = await org.crm.changesAfter(stream, position, limit);
    found.push(...page.changes);
    position = page.position;
    more = page.more;
  }
  return found;
}

/** A position before everything that happens from now on. */
function startHere(): CrmPosition {
  nowMs += 5_000;
  return { systemModstamp: new Date(nowMs).toISOString(), id: '' };
}

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };

describe('changesAfter', () => {
  it('misses nothing and doubles nothing where many rows carry one stamp over page edges', async () => {
    const start = startHere();
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) ids.push(await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true }));
    const stamps = (await drainStream('Opportunity', start, 100)).map((change) => change.stamp);
    expect(stamps).toEqual(Array.from({ length: 7 }, () => start.systemModstamp));
    for (const limit of [1, 2, 3, 7, 8]) {
      const changes = await drainStream('Opportunity', start, limit);
      expect(changes.map((change) => change.opportunityId).sort()).toEqual([...ids].sort());
    }
  });

  it('shows shared deals, those with a vendor id, and deleted ones, and tells them from the others', async () => {
    const start = startHere();
    const shared = await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    const known = await org.create('Opportunity', { ...DEAL, Vendor_Id__c: 'V-known' });
    const gone = await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    const other = await org.create('Opportunity', DEAL);
    await org.remove('Opportunity', gone);
    const changes = await drainStream('Opportunity', start, 100);
    const ids = (may: boolean) =>
      new Set(changes.filter((one) => one.mayBeShared === may).map((one) => one.opportunityId));
    expect([ids(true), ids(false)]).toEqual([new Set([shared, known, gone]), new Set([other])]);
    expect(changes.every((change) => change.rowId === change.opportunityId)).toBe(true);
  });

  it('leads from a pick on a child record to its deal, and from no other child record', async () => {
    const start = startHere();
    const [picked, other] = [await org.create('Opportunity', DEAL), await org.create('Opportunity', DEAL)];
    for (const [deal, pick] of [
      [picked, "Take the vendor's"],
      [other, null],
    ])
      await org.create('Lockstep_Sync__c', {
        Opportunity__c: deal,
        Opportunity_Key__c: deal,
        Resolve__c: pick,
      });
    const changes = await drainStream('Lockstep_Sync__c', start, 100);
    expect(changes.map(({ opportunityId }) => opportunityId)).toEqual([picked]);

    await org.admin('PUT', 'access', {
      user: 'integration',
      field: 'Lockstep_Sync__c.Resolve__c',
      access: 'none',
    });
    expect(await drainStream('Lockstep_Sync__c', start, 100)).toEqual([]);
    await expect(org.crm.readGraph(picked)).resolves.toMatchObject({ opportunity: { Id: picked } });
    await org.admin('DELETE', 'access');
  });

  it('keeps its position when there is nothing new', async () => {
    const later = { systemModstamp: '2999-01-01T00:00:00.000Z', id: '006000000000001AAA' };
    const page = await org.crm.changesAfter('Opportunity', later, 10);
    expect(page).toMatchObject({ changes: [], position: later, more: false });
    expect(page.now).toBe(new Date(nowMs).toISOString());
  });

  it('leads from lines and contact roles to their deal, deleted ones included', async () => {
    const deal = await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    const unshared = await org.create('Opportunity', DEAL);
    const [entry] = await org.query('SELECT Id FROM PricebookEntry LIMIT 1');
    const [contact] = await org.query('SELECT Id FROM Contact LIMIT 1');
    const start = startHere();
    for (const OpportunityId of [deal, unshared]) {
      const line = { OpportunityId, PricebookEntryId: entry?.['Id'], Quantity: 1, TotalPrice: 5 };
      const lineId = await org.create('OpportunityLineItem', line);
      const roleId = await org.create('OpportunityContactRole', {
        OpportunityId,
        ContactId: contact?.['Id'],
      });
      await org.remove('OpportunityLineItem', lineId);
      await org.remove('OpportunityContactRole', roleId);
    }
    for (const stream of ['OpportunityLineItem', 'OpportunityContactRole'] as const) {
      const changes = await drainStream(stream, start, 10);
      expect(changes.map((change) => change.opportunityId)).toEqual([deal]);
    }
  });

  it('leads from an account and a contact to every shared deal that uses it', async () => {
    const accountId = await org.create('Account', { Name: 'Shared by deals' });
    const contactId = await org.create('Contact', { LastName: 'Shared', AccountId: accountId });
    const deals: string[] = [];
    for (const Vendor_Share__c of [true, true, false]) {
      const id = await org.create('Opportunity', { ...DEAL, AccountId: accountId, Vendor_Share__c });
      await org.create('OpportunityContactRole', { OpportunityId: id, ContactId: contactId });
      if (Vendor_Share__c) deals.push(id);
    }
    const start = startHere();
    await org.update('Account', accountId, { BillingCity: 'Nantes' });
    await org.update('Contact', contactId, { Phone: '+33 1' });
    for (const [stream, rowId] of [
      ['Account', accountId],
      ['Contact', contactId],
    ] as const) {
      const changes = await drainStream(stream, start, 10);
      expect(changes.map((change) => change.opportunityId).sort()).toEqual([...deals].sort());
      expect(changes.every((change) => change.rowId === rowId)).toBe(true);
    }
  });
});

describe('changesTogether', () => {
  const OBJECTS: readonly CrmStream[] = [
    ...(['Opportunity', 'OpportunityLineItem', 'OpportunityContactRole'] as const),
    ...(['Account', 'Contact', 'Lockstep_Sync__c'] as const),
  ];
  it('shows of each object what it shows alone, and requests, in as many requests as five queries each take', async () => {
    const start = startHere();
    await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    const asks = OBJECTS.map((stream) => ({ stream, position: start }));
    await org.drain();
    const { pages, hasRequests } = await org.crm.changesTogether(asks, 1);
    expect(await hasRequests()).toBe(false);
    expect(await org.drain()).toEqual(['composite', 'composite']);
    const alone = await Promise.all(OBJECTS.map((stream) => org.crm.changesAfter(stream, start, 1)));
    expect(await Promise.all(pages.map((page) => page()))).toEqual(alone);
    expect(alone[0]).toMatchObject({ more: true, changes: [{ mayBeShared: true }] });
  });

  it('asks behind the first page of a query, and leaves out what is refused of another', async () => {
    const start = startHere();
    await org.create('Opportunity', { ...DEAL, Vendor_Share__c: true });
    await org.admin('PUT', 'access', { user: 'integration', object: 'Contact', access: 'none' });
    const asks = (['Contact', 'Opportunity'] as const).map((stream) => ({ stream, position: start }));
    const [refused, shown] = (await org.crm.changesTogether(asks, 500)).pages;
    await expect(refused?.()).rejects.toMatchObject({ kind: 'schema-mismatch' });
    expect((await shown?.())?.changes).toHaveLength(1);
    await org.admin('DELETE', 'access');
  });

  it('shows whether a search or a tick waits: one without an answer, and one of a free order, until it is deleted', async () => {
    const hasRequests = async () => (await org.crm.changesTogether([], 500)).hasRequests();
    const deal = await org.create('Opportunity', DEAL);
    const search = await org.create('Lockstep_Order_Search__c', { Opportunity__c: deal, PO_Reference__c: 'PO-1' });
    expect(await hasRequests()).toBe(true);
    await org.crm.updateRows('Lockstep_Order_Search__c', [{ Id: search, Searched__c: '2026-03-01T00:00:00.000Z' }]);
    expect(await hasRequests()).toBe(false);
    const row = { Found_Key__c: 'k', Name: 'A-1', Search__c: search, Vendor_Order_Id__c: 'A-1', State__c: 'Free' };
    const order = await org.create('Lockstep_Found_Order__c', { ...row, Link__c: true });
    expect(await hasRequests()).toBe(true);
    await org.remove('Lockstep_Found_Order__c', order);
    expect(await hasRequests()).toBe(false);
  });

  it('shows no requests of an org that has no objects for them', async () => {
    await org.admin('PUT', 'access', { user: 'integration', object: 'Lockstep_Order_Search__c', access: 'none' });
    await org.admin('PUT', 'access', { user: 'integration', object: 'Lockstep_Found_Order__c', access: 'none' });
    expect(await (await org.crm.changesTogether([], 500)).hasRequests()).toBe(false);
    await org.admin('DELETE', 'access');
  });
});
