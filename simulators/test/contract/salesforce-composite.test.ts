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
    const plan = () =>
      admin(simulator, 'POST', 'faults', { operation: 'sobject.create', status: 400, times: 1 });
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

  it('undoes everything when one fails and all or none was asked', async () => {
    const answers = await composite(
      [
        { method: 'POST', url: `${V}/sobjects/Account`, referenceId: 'a', body: { Name: 'Undone' } },
        { method: 'POST', url: `${V}/sobjects/Contact`, referenceId: 'b', body: { AccountId: '@{a.id}' } },
        { method: 'POST', url: `${V}/sobjects/Account`, referenceId: 'c', body: { Name: 'Undone' } },
      ],
      true,
    );
    const codes = answers.map(({ body }) => (body as { errorCode: string }[])[0]?.errorCode);
    expect(codes).toEqual(['PROCESSING_HALTED', 'REQUIRED_FIELD_MISSING', 'PROCESSING_HALTED']);
    expect(answers.map(({ httpStatusCode }) => httpStatusCode)).toEqual([400, 400, 400]);
    expect(await count("SELECT COUNT() FROM Account WHERE Name = 'Undone'")).toBe(0);
  });

  it('goes on without it, and stops only what depends on the failure', async () => {
    const answers = await composite([
      { method: 'POST', url: `${V}/sobjects/Account`, referenceId: 'a', body: {} },
      {
        method: 'POST',
        url: `${V}/sobjects/Contact`,
        referenceId: 'b',
        body: { LastName: 'X', AccountId: '@{a.id}' },
      },
      { method: 'POST', url: `${V}/sobjects/Account`, referenceId: 'c', body: { Name: 'Stays' } },
    ]);
    expect(answers.map(({ httpStatusCode }) => httpStatusCode)).toEqual([400, 400, 201]);
    expect(answers[1]?.body).toMatchObject([{ errorCode: 'PROCESSING_HALTED' }]);
    expect(await count("SELECT COUNT() FROM Account WHERE Name = 'Stays'")).toBe(1);
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
    [
      '26 requests',
      Array.from({ length: 26 }, (_, i) => ({ method: 'GET', url: `${V}/limits`, referenceId: `r${i}` })),
    ],
    [
      'six queries',
      Array.from({ length: 6 }, (_, i) => ({ method: 'GET', url: `${V}/query?q=x`, referenceId: `r${i}` })),
    ],
    [
      'a reference twice',
      ['a', 'a'].map((referenceId) => ({ method: 'GET', url: `${V}/limits`, referenceId })),
    ],
    ['a composite in it', [{ method: 'POST', url: `${V}/composite`, referenceId: 'a', body: {} }]],
    ['no method', [{ url: `${V}/limits`, referenceId: 'a' }]],
  ])('refuses %s', async (_, compositeRequest) => {
    expect((await rest('POST', '/composite', { compositeRequest })).status).toBe(400);
  });
});

describe('batch', () => {
  it('answers each by itself, and stops on an error when asked', async () => {
    const batchRequests = [
      { method: 'GET', url: 'v67.0/limits' },
      { method: 'GET', url: 'v67.0/nope' },
      { method: 'POST', url: 'v67.0/sobjects/Account', richInput: { Name: 'Batched' } },
    ];
    const run = async (haltOnError: boolean) => {
      const { body } = await rest('POST', '/composite/batch', { haltOnError, batchRequests });
      return body as { hasErrors: boolean; results: { statusCode: number }[] };
    };
    const all = await run(false);
    expect([all.hasErrors, ...all.results.map(({ statusCode }) => statusCode)]).toEqual([
      true,
      200,
      404,
      201,
    ]);
    const stopped = await run(true);
    expect(stopped.results.map(({ statusCode }) => statusCode)).toEqual([200, 404, 412]);
  });
});

describe('tree', () => {
  const record = (referenceId: string, fields: object) => ({
    attributes: { type: 'Account', referenceId },
    ...fields,
  });

  it('makes parents with their children, all or none', async () => {
    const contacts = (lastName?: string) => ({
      Contacts: { records: [{ attributes: { type: 'Contact', referenceId: 'c1' }, LastName: lastName }] },
    });
    const good = await rest('POST', '/composite/tree/Account', {
      records: [record('a1', { Name: 'Tree', ...contacts('Leaf') })],
    });
    expect([good.status, good.body]).toMatchObject([
      201,
      { hasErrors: false, results: [{ referenceId: 'a1' }, { referenceId: 'c1' }] },
    ]);
    expect(await count("SELECT COUNT() FROM Contact WHERE Account.Name = 'Tree'")).toBe(1);
    const bad = await rest('POST', '/composite/tree/Account', {
      records: [record('a2', { Name: 'Felled', ...contacts() })],
    });
    expect([bad.status, bad.body]).toMatchObject([
      400,
      { hasErrors: true, results: [{ referenceId: 'c1' }] },
    ]);
    expect(await count("SELECT COUNT() FROM Account WHERE Name = 'Felled'")).toBe(0);
  });
});
