import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseXml, XmlElement } from '@rgrove/parse-xml';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Receiver, type Rest, restClient, startReceiver } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let receiver: Receiver;
let asUser: Rest;
let asLockstep: Rest;

const deal = { Name: 'Deal & <Co>', StageName: 'Prospecting', CloseDate: '2026-12-31' };

type Outbound = {
  pending: { id: string; recordId: string; attempts: number; dueAt: string }[];
  delivered: number;
  expired: number;
};

async function outbound(): Promise<Outbound> {
  return (await admin(simulator, 'GET', 'outbound')).body;
}

async function use(answer?: Parameters<typeof startReceiver>[0]): Promise<void> {
  await receiver.close();
  receiver = await startReceiver(answer);
  simulator.setOutboundUrl(receiver.url);
}

async function createShared(rest = asUser): Promise<string> {
  const { status, body } = await rest('POST', '/sobjects/Opportunity', { ...deal, Vendor_Share__c: true });
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

/** Asks again and again until it holds; a loaded machine may need long. */
const eventually = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** Waits until nothing is under way and this many were acknowledged. */
async function settled(delivered: number): Promise<void> {
  await eventually(async () => {
    const state = await outbound();
    expect([state.pending.length, state.delivered]).toEqual([0, delivered]);
  });
}

/** A line that gives its opportunity an amount of 5. */
async function lineOf(OpportunityId: string): Promise<object> {
  const soql = encodeURIComponent('SELECT Id FROM PricebookEntry LIMIT 1');
  const { body } = await asUser('GET', `/query?q=${soql}`);
  const [entry] = (body as { records: { Id: string }[] }).records;
  return { OpportunityId, PricebookEntryId: entry?.Id, Quantity: 1, UnitPrice: 5 };
}

function texts(xml: string, localName: string): string[] {
  const found: string[] = [];
  const walk = (element: XmlElement): void => {
    if (element.name.split(':').at(-1) === localName) found.push(element.text);
    for (const child of element.children) if (child instanceof XmlElement) walk(child);
  };
  const { root } = parseXml(xml);
  if (root !== null) walk(root);
  return found;
}

beforeEach(async () => {
  receiver = await startReceiver();
  simulator = await startSalesforceSimulator({ webhookUrl: receiver.url });
  asUser = restClient(simulator);
  asLockstep = restClient(simulator, simulator.integration.accessToken);
});

afterEach(async () => {
  await simulator.close();
  await receiver.close();
});

describe('an outbound message', () => {
  it('tells of a shared opportunity in Salesforce’s envelope', async () => {
    const id = await createShared();
    await receiver.received(1);
    const { body, headers } = receiver.deliveries[0] ?? { body: '', headers: {} };
    expect(headers).toMatchObject({ soapaction: '""', 'content-type': 'text/xml; charset=utf-8' });
    expect(texts(body, 'OrganizationId')).toEqual([simulator.organizationId]);
    expect(texts(body, 'ActionId')).toEqual([simulator.outboundActionId]);
    expect(body).toContain('<SessionId xsi:nil="true"/>');
    expect(body).toContain('xsi:type="sf:Opportunity" xmlns:sf="urn:sobject.enterprise.soap.sforce.com"');
    const [notificationId, recordId] = texts(body, 'Id');
    expect(notificationId).toMatch(/^04l\w{15}$/);
    expect(recordId).toBe(id);
    expect(texts(body, 'SystemModstamp')[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    await settled(1);
  });

  it('follows updates, those that its lines make, the end of sharing, and edits by the admin surface', async () => {
    const id = await createShared();
    await settled(1);
    await asUser('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'call' });
    await settled(2);
    await admin(simulator, 'PATCH', `records/${id}`, { set: { NextStep: 'meet' } });
    await settled(3);
    const line = await asUser('POST', '/sobjects/OpportunityLineItem', await lineOf(id));
    await settled(4);
    await asUser('DELETE', `/sobjects/OpportunityLineItem/${(line.body as { id: string }).id}`);
    await settled(5);
    await asUser('PATCH', `/sobjects/Opportunity/${id}`, { Vendor_Share__c: false });
    await settled(6);
    expect(receiver.deliveries.every(({ body }) => texts(body, 'Id')[1] === id)).toBe(true);
  });

  it('does not follow what is no create and no update of an opportunity', async () => {
    simulator.setOutboundUrl(null);
    const account = (await asUser('POST', '/sobjects/Account', { Name: 'Initech' })).body as { id: string };
    const { body: contact } = await asUser('POST', '/sobjects/Contact', { LastName: 'X' });
    const { body } = await asUser('POST', '/sobjects/Opportunity', {
      ...deal,
      Vendor_Share__c: true,
      AccountId: account.id,
    });
    const { id } = body as { id: string };
    const { body: line } = await asUser('POST', '/sobjects/OpportunityLineItem', await lineOf(id));
    const { body: role } = await asUser('POST', '/sobjects/OpportunityContactRole', {
      OpportunityId: id,
      ContactId: (contact as { id: string }).id,
    });
    const before = await outbound();
    expect(before.pending.map(({ recordId }) => recordId)).toEqual([id, id]);
    const quiet = [
      ['PATCH', `Account/${account.id}`, { BillingCity: 'Bonn' }],
      ['PATCH', `Contact/${(contact as { id: string }).id}`, { LastName: 'Y' }],
      ['PATCH', `OpportunityContactRole/${(role as { id: string }).id}`, { IsPrimary: true }],
      ['PATCH', `OpportunityLineItem/${(line as { id: string }).id}`, { Description: 'in spring' }],
      ['DELETE', `OpportunityContactRole/${(role as { id: string }).id}`, undefined],
      ['DELETE', `Opportunity/${id}`, undefined],
    ] as const;
    for (const [method, path, fields] of quiet) {
      expect((await asUser(method, `/sobjects/${path}`, fields)).status).toBe(204);
    }
    await admin(simulator, 'POST', `records/${id}/undelete`);
    const read = await asUser('GET', `/sobjects/Opportunity/${id}?fields=Amount`);
    expect(read.body).toMatchObject({ Amount: 5 });
    expect(await outbound()).toEqual(before);
  });

  it('is not sent for what the integration user writes, for the child record, or for what is not shared', async () => {
    const id = await createShared(asLockstep);
    await asLockstep('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'echo' });
    const sync = { Opportunity__c: id, Sync_State__c: 'In sync' };
    expect((await asUser('POST', '/sobjects/Lockstep_Sync__c', sync)).status).toBe(201);
    const other = (await asUser('POST', '/sobjects/Opportunity', deal)).body as { id: string };
    await asUser('PATCH', `/sobjects/Opportunity/${other.id}`, { NextStep: 'x' });
    await asUser('POST', '/sobjects/Opportunity', { ...deal, Vendor_Share__c: 'not a flag' });
    const last = await createShared();
    await settled(1);
    expect(receiver.deliveries.flatMap(({ body }) => texts(body, 'Id').slice(1))).toEqual([last]);
  });

  it('is repeated with its id and the latest data until it is acknowledged', async () => {
    await use((count) => (count === 1 ? 'error' : count === 2 ? 'nack' : 'ack'));
    const id = await createShared();
    await eventually(async () => expect((await outbound()).pending[0]?.attempts).toBe(1));
    expect(receiver.deliveries).toHaveLength(1);
    await admin(simulator, 'PUT', 'clock', { advanceMs: 5_100 });
    await eventually(async () => expect((await outbound()).pending[0]?.attempts).toBe(2));
    await admin(simulator, 'PUT', 'clock', { advanceMs: 10_100 });
    await settled(1);
    const ids = receiver.deliveries.map(({ body }) => texts(body, 'Id'));
    expect(ids).toHaveLength(3);
    expect(new Set(ids.map(([notificationId]) => notificationId)).size).toBe(1);
    expect(ids[2]?.[1]).toBe(id);
  });

  it('is given up after 24 hours', async () => {
    await use(() => 'nack');
    await createShared();
    await eventually(async () => expect((await outbound()).pending[0]?.attempts).toBe(1));
    await admin(simulator, 'PUT', 'clock', { advanceMs: 24 * 3_600_000 });
    await eventually(async () => expect(await outbound()).toMatchObject({ pending: [], expired: 1, delivered: 0 }));
  });

  it('gathers what waits, up to 100 in one', async () => {
    simulator.setOutboundUrl(null);
    const records = Array.from({ length: 130 }, () => ({
      attributes: { type: 'Opportunity' },
      ...deal,
      Vendor_Share__c: true,
    }));
    await asUser('POST', '/composite/sobjects', { records });
    expect((await outbound()).pending).toHaveLength(130);
    await admin(simulator, 'PUT', 'outbound', { url: receiver.url });
    await settled(130);
    expect(receiver.deliveries.map(({ body }) => texts(body, 'Notification').length)).toEqual([100, 30]);
  });
});

describe('faults', () => {
  const plan = (fault: object) => admin(simulator, 'POST', 'faults', { operation: 'outboundMessage', ...fault });

  it('lose a message for good', async () => {
    await plan({ cut: 'before', times: 1 });
    await createShared();
    await settled(1);
    expect(receiver.deliveries).toHaveLength(0);
  });

  it('deliver one twice, with the same id', async () => {
    await plan({ cut: 'after', times: 1 });
    await createShared();
    await eventually(async () => expect((await outbound()).pending[0]?.attempts).toBe(1));
    await admin(simulator, 'PUT', 'clock', { advanceMs: 5_100 });
    await settled(1);
    const ids = receiver.deliveries.map(({ body }) => texts(body, 'Id')[0]);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('hold one back for a while', async () => {
    await plan({ delayMs: 300, times: 1 });
    const from = Date.now();
    await createShared();
    await settled(1);
    expect((receiver.deliveries[0]?.at ?? 0) - from).toBeGreaterThanOrEqual(290);
  });
});

describe('a restart', () => {
  it('keeps the org, its credentials where they are given, and what was not delivered', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'salesforce-simulator-'));
    const state = join(dir, 'state.json');
    try {
      const first = await startSalesforceSimulator({ state, seed: 'empty' });
      const created = await restClient(first)('POST', '/sobjects/Opportunity', {
        ...deal,
        Vendor_Share__c: true,
      });
      const { id } = created.body as { id: string };
      await first.close();
      const second = await startSalesforceSimulator({
        state,
        user: first.user,
        integration: first.integration,
        webhookUrl: receiver.url,
      });
      await receiver.received(1);
      expect(texts(receiver.deliveries[0]?.body ?? '', 'Id')[1]).toBe(id);
      expect([second.organizationId, second.outboundActionId]).toEqual([first.organizationId, first.outboundActionId]);
      const read = await restClient(second, first.user.accessToken)('GET', `/sobjects/Opportunity/${id}`);
      expect(read.body).toMatchObject({ Name: deal.Name });
      const next = await restClient(second)('POST', '/sobjects/Opportunity', deal);
      expect((next.body as { id: string }).id).not.toBe(id);
      await second.close();
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
