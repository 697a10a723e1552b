import { beforeAll, describe, expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/console/api/endpoints.ts';
import type { ConsolePorts } from '../../src/console/ports.ts';
import { grant, openConsole, send, type TestConsole } from '../support/console.ts';
import { withoutTemporal } from '../support/console-neighbours.ts';
import { at, BASE, DECISION, ISSUE, PRIVATE_VALUES } from '../support/ledger/ledger-samples.ts';

/** What a person without the right to see values learns of values at the console, whatever the person asks of a tenant. */

const CRM = '006Hs00001ABCDEIA5';
const CANARY = 'PO-canary-4711';
const ORDER = {
  transaction: { id: '1000001', type: 'PO', status: 'APP' },
  billToPoReference: CANARY,
  bookingDateTime: '2026-11-02T10:00:00.000Z',
};
const ROW = {
  ...{ Id: 'a00Hs00001ABCDEIA5', Vendor_Order_Id__c: '1000001', Type__c: 'PO', Status__c: 'APP' },
  ...{
    Bill_To_PO_Reference__c: CANARY,
    Net_Amount__c: 4711.25,
    Currency__c: 'EUR',
    Future_Prices_From__c: '2027-01-01',
  },
  ...{ Renewal_Price_Today__c: 4711.25, Renewal_Price_Future__c: 4712.25, Renewal_Price_Difference__c: 1 },
};

const NO_LIMIT = { limit: null, remaining: null, resetSeconds: null };

/** Remote systems that answer about an order; every other call fails. */
function orderPorts(own: ConsolePorts): ConsolePorts {
  const crm = { rowsWith: async () => [ROW], ordersWithoutDeal: async () => [ROW] };
  const remotes = { crm, vendor: { searchOrders: async () => ({ data: [ORDER], rateLimit: NO_LIMIT }) } };
  const remote = { opportunity: async () => ({ Id: CRM, Name: CANARY }), hasVendorRecord: async () => true };
  return {
    ...withoutTemporal(own),
    readable: (tenant) => ({ tenant, ...remotes }) as never,
    readableWith: (tenant) => ({ remotes: { tenant, ...remotes } as never, close: async () => {} }),
    remote: () => ({ ...remote, setInCrm: async () => {} }),
  };
}

let console: TestConsole;
beforeAll(async () => {
  console = await openConsole({ ports: orderPorts });
  const { ledger } = console;
  await ledger.resolveLink('acme', { crmId: CRM, vendorId: 'LO-00000005' }, at(0));
  const said = `${PRIVATE_VALUES[0]} is refused`;
  const issues = [
    { ...ISSUE, message: 'The field Name was refused.', said },
    { code: 'conflict', field: 'description', message: 'Both sides changed it.' },
  ];
  const base = { ...BASE, held: { description: null } };
  await ledger.settle('acme', CRM, { at: at(1), state: 'conflict', base, issues } as never);
  const line = { at: at(1), kind: 'decision', summary: { next: 'nothing' }, decisions: [DECISION] } as never;
  await ledger.addToJournal('acme', CRM, line);
}, 60_000);

const INPUT: Readonly<Record<string, unknown>> = {
  ...{ ids: [CRM], code: 'vendor-refused', field: 'description', take: 'crm', since: '2026-01-01', value: 'x' },
  ...{ crmId: CRM, vendorId: 'LO-00000005', orders: ['1000001'], channel: 'ops', name: 'p', version: 0, basedOn: 0 },
  ...{ key: 'k', text: '{}', reason: 'an attack' },
};
const SHOWN = [CANARY, '4711.25', '4712.25', ...PRIVATE_VALUES];

async function answered(token: string, { path, method, verb }: (typeof ENDPOINTS)[number], more: object = {}) {
  const queries: Readonly<Record<string, string>> = { 'find-order': 'po=1', 'relink plan': 'field=Former__c' };
  const at = `/api/v1${path.replace('{tenant}', 'acme').replace('{id}', CRM)}`;
  const query = new URLSearchParams({ ...(more as Record<string, string>) }).toString();
  const isPost = method === 'POST';
  const answer = await send(console, isPost ? at : `${at}?${queries[verb] ?? ''}&${query}`, {
    token,
    ...(isPost ? { body: { ...INPUT, ...more } } : {}),
  });
  return { status: answer.status, text: await answer.text() };
}

const ALL = ENDPOINTS.map((one) => [`${one.method} ${one.path}`, one] as const);

describe('a person without the right to see values', () => {
  it.each(ALL)('sees none in the answer of %s', async (_, endpoint) => {
    const token = await console.signIn([grant('acme', 'administrator')]);
    for (const more of [{}, { values: 'true' }]) {
      const { text } = await answered(token, endpoint, more);
      for (const value of SHOWN) expect(text).not.toContain(value);
    }
  });

  it.each([
    'orders?po=1',
    'orders?open=true',
    'orders?po=1&values=true',
    'inbox',
    'conflicts',
    'conflicts?values=true',
  ])('sees none on the page %s', async (path) => {
    const token = await console.signIn([grant('acme', 'administrator')]);
    const text = await (await send(console, `/tenants/acme/${path}`, { token })).text();
    for (const value of SHOWN) expect(text).not.toContain(value);
  });

  it.each([
    ['another field', 'fields:\n  nextMilestone: {crm: Secret__c}\n', 403],
    ['another conversion', 'fields:\n  nextMilestone: {transform: [{prefix: A}]}\n', 403],
    ['other codes', 'fields:\n  nextMilestone: {values: {A: B}}\n', 403],
    ['another field over a lookup', 'fields:\n  nextMilestone: {crm: Owner.Email}\n', 403],
    ['another default', 'fields:\n  nextMilestone: {default: A}\n', 403],
    ['another rule', 'fields:\n  nextMilestone: {rule: vendor}\n', 200],
    ['another direction', 'fields:\n  nextMilestone: {direction: to-crm}\n', 200],
  ])('finds out none by drafts with %s', async (_, text, status) => {
    const token = await console.signIn([grant('acme', 'administrator')]);
    const drafts = ENDPOINTS.filter(({ path }) => /mapping(-try|\/plan)$/.test(path));
    expect(drafts).toHaveLength(2);
    for (const draft of drafts) {
      const answer = await answered(token, draft, { text });
      expect(answer.status === 403).toBe(status === 403);
    }
  });
});

describe('a person with the right', () => {
  it('sees the numbers and prices of orders, and each look leaves its trace', async () => {
    const token = await console.signIn([grant('acme', 'viewer', true)], 'ada');
    const endpoint = ENDPOINTS.find(({ verb }) => verb === 'find-order') as (typeof ENDPOINTS)[number];
    const { text } = await answered(token, endpoint, { values: 'true' });
    for (const value of [CANARY, '4711.25']) expect(text).toContain(value);
    const [last] = await console.ledger.lastActions(null, 'acme', 1);
    expect(last).toMatchObject({ user: 'ada' });
    expect(JSON.stringify(last)).not.toContain(CANARY);
  });
});
