import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;

const V = '/services/data/v67.0';
const deal = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };

type Sub = {
  method: string;
  url: string;
  referenceId: string;
  body?: unknown;
  httpHeaders?: Record<string, string>;
};
type SubAnswer = {
  body: never;
  httpHeaders: Record<string, string>;
  httpStatusCode: number;
  referenceId: string;
};

async function composite(compositeRequest: readonly Sub[], allOrNone = false): Promise<readonly SubAnswer[]> {
  const { status, body } = await rest('POST', '/composite', { allOrNone, compositeRequest });
  expect(status).toBe(200);
  return (body as { compositeResponse: SubAnswer[] }).compositeResponse;
}

async function count(soql: string): Promise<number> {
  const { body } = await rest('GET', `/query?q=${encodeURIComponent(soql)}`);
  return (body as { totalSize: number }).totalSize;
}

beforeAll(async () => {
  simulator = await startSalesforceSimulator();
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

describe('composite', () => {
  it('may have one part refused by a planned fault, beside parts that are carried out', async () => {
    const part = (referenceId: string): Sub => ({
      method: 'POST',
      url: `${V}/sobjects/Opportunity`,
      referenceId,
      body: { ...deal, Name: 'Part' },
    });
    const plan = () => admin(simulator, 'POST', 'faults', { operation: 'sobject.create', status: 400, times: 1 });
    await plan();
    const answers = await composite([part('first'), part('second')]);
    expect(answers.map(({ httpStatusCode }) => httpStatusCode)).toEqual([400, 201]);
    expect(answers[0]?.body).toMatchObject([{ errorCode: 'UNABLE_TO_LOCK_ROW' }]);
    expect(await count("SELECT Id FROM Opportunity WHERE Name = 'Part'")).toBe(1);
    await plan();
    const none = await composite([part('first'), part('second')], true);
    expect(none.map(({ httpStatusCode }) => httpStatusCode)).toEqual([400, 400]);
    expect(await count("SELECT Id FROM Opportunity WHERE Name = 'Part'")).toBe(1);
  });

  it('hands earlier answers to later requests', async () => {
    const query = encodeURIComponent(
      'SELECT Id, Pricebook2Id FROM PricebookEntry WHERE Product2.Vendor_Offer_Id__c != null',
    );
    const answers = await composite(
      [
        { method: 'GET', url: `${V}/query?q=${query}`, referenceId: 'prices' },
        {
          method: 'POST',
          url: `${V}/sobjects/Account`,
          referenceId: 'account',
          body: { Name: 'New customer' },
        },
        {
          method: 'PATCH',
          url: `${V}/sobjects/Opportunity/Vendor_Id__c/V-77`,
          referenceId: 'deal',
          body: { ...deal, AccountId: '@{account.id}', Pricebook2Id: '@{prices.records[0].Pricebook2Id}' },
        },
        {
          method: 'POST',
          url: `${V}/sobjects/OpportunityLineItem`,
          referenceId: 'line',
          body: {
            OpportunityId: '@{deal.id}',
            PricebookEntryId: '@{prices.records[0].Id}',
            Quantity: 1,
            TotalPrice: 1234.5,
          },
        },
        {
          method: 'GET',
          url: `${V}/sobjects/Opportunity/@{deal.id}?fields=Amount,Name`,
          referenceId: 'read',
        },
      ],
      true,
    );
    expect(answers.map(({ httpStatusCode }) => httpStatusCode)).toEqual([200, 201, 201, 201, 200]);
    expect(answers.at(-1)?.body).toMatchObject({ Amount: 1234.5, Name: 'Deal' });
    expect(answers[1]?.httpHeaders['Location']).toMatch(/^\/services\/data\/v67\.0\/sobjects\/Account\/001/);
  });

  it('takes preconditions for each request, and rolls back on 412', async () => {
    const { body } = await rest('POST', '/sobjects/Opportunity', { ...deal, Name: 'Guarded' });
    const { id } = body as { id: string };
    const child = {
      method: 'PATCH',
      url: `${V}/sobjects/Lockstep_Sync__c/Opportunity_Key__c/${id}`,
      referenceId: 'child',
      body: { Opportunity__c: id, Sync_State__c: 'In sync' },
    };
    const write = (httpDate: string): Sub[] => [
      child,
      {
        method: 'PATCH',
        url: `${V}/sobjects/Opportunity/${id}`,
        referenceId: 'deal',
        body: { NextStep: 'x' },
        httpHeaders: { 'If-Unmodified-Since': httpDate },
      },
    ];
    const stale = await composite(write(new Date(Date.now() - 60_000).toUTCString()), true);
    expect(stale.map(({ httpStatusCode }) => httpStatusCode)).toEqual([400, 412]);
    expect(await count(`SELECT COUNT() FROM Lockstep_Sync__c WHERE Opportunity__c = '${id}'`)).toBe(0);
    const fresh = await composite(write(new Date(Date.now() + 60_000).toUTCString()), true);
    expect(fresh.map(({ httpStatusCode, body: each }) => [httpStatusCode, each])).toMatchObject([
      [201, { created: true }],
      [204, null],
    ]);
  });

  it('counts as one request and is named in the log', async () => {
    const before = await admin(simulator, 'GET', 'requests?operation=composite');
    await composite([{ method: 'GET', url: `${V}/limits`, referenceId: 'a' }]);
    const after = await admin(simulator, 'GET', 'requests?operation=composite');
    const size = (answer: { body: never }) => (answer.body as { requests: unknown[] }).requests.length;
    expect(size(after)).toBe(size(before) + 1);
  });

  it.each([
    ['a reference twice', ['a', 'a'].map((referenceId) => ({ method: 'GET', url: `${V}/limits`, referenceId }))],
    ['a composite in it', [{ method: 'POST', url: `${V}/composite`, referenceId: 'a', body: {} }]],
    ['no method', [{ url: `${V}/limits`, referenceId: 'a' }]],
  ])('refuses %s', async (_, compositeRequest) => {
    expect((await rest('POST', '/composite', { compositeRequest })).status).toBe(400);
  });
});

it('a batch carries the body of each of its calls', async () => {
  const batchRequests = [{ method: 'POST', url: 'v67.0/sobjects/Account', richInput: { Name: 'Batched' } }];
  const { body } = await rest('POST', '/composite/batch', { batchRequests });
  expect(body).toMatchObject({ hasErrors: false, results: [{ statusCode: 201 }] });
});

it('a tree with a child that is refused makes no parent', async () => {
  const child = { attributes: { type: 'Contact', referenceId: 'c1' } };
  const parent = { attributes: { type: 'Account', referenceId: 'a1' }, Name: 'Felled' };
  const records = [{ ...parent, Contacts: { records: [child] } }];
  expect(await rest('POST', '/composite/tree/Account', { records })).toMatchObject({
    status: 400,
    body: { hasErrors: true, results: [{ referenceId: 'c1' }] },
  });
  expect(await count("SELECT COUNT() FROM Account WHERE Name = 'Felled'")).toBe(0);
});
