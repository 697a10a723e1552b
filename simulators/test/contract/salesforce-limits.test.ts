import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';
import { until } from '../support/until.ts';

/** What one call may hold. */

/** The clock stands still, but where a test moves it. */
const NOW_MS = Date.parse('2027-03-04T10:20:30Z');

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty', readMs: () => NOW_MS });
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

it('a query of more than 100,000 characters is refused', async () => {
  // An address of this length is refused before it is read, so a batch carries it.
  const asPart = (length: number) => {
    const soql = `SELECT Id FROM Account WHERE Name = '`.padEnd(length - 1, 'x');
    const url = `v67.0/query/?q=${encodeURIComponent(`${soql}'`)}`;
    return rest('POST', '/composite/batch', { batchRequests: [{ method: 'GET', url }] });
  };
  expect((await asPart(100_000)).body).toMatchObject({ results: [{ statusCode: 200 }] });
  expect((await asPart(100_001)).body).toMatchObject({
    results: [
      {
        statusCode: 400,
        result: [
          {
            errorCode: 'MALFORMED_QUERY',
            message: 'SOQL statements can not be longer than 100000 characters.',
          },
        ],
      },
    ],
  });
});

it('an external id twice in one upsert is refused in each of its rows', async () => {
  const rows = ['S-1', 'S-2', 's-1'].map((site) => ({
    attributes: { type: 'Account' },
    Name: site,
    Vendor_Site_Id__c: site,
  }));
  const { body } = await rest('PATCH', '/composite/sobjects/Account/Vendor_Site_Id__c', { records: rows });
  const failed = (site: string) => ({
    success: false,
    errors: [
      {
        statusCode: 'DUPLICATE_VALUE',
        message: `Duplicate external id specified: ${site}`,
        fields: ['Vendor_Site_Id__c'],
      },
    ],
  });
  expect(body).toMatchObject([failed('S-1'), { success: true, created: true }, failed('s-1')]);
});

it('an external id has no place in the body of the upsert that its address names it for', async () => {
  const body = { Name: 'A', Vendor_Site_Id__c: 'S-9' };
  const answer = await rest('PATCH', '/sobjects/Account/Vendor_Site_Id__c/S-9', body);
  expect([answer.status, answer.body]).toEqual([
    400,
    [
      {
        errorCode: 'INVALID_FIELD',
        message: 'The Vendor_Site_Id__c field should not be specified in the sobject data.',
        fields: ['Vendor_Site_Id__c'],
      },
    ],
  ]);
});

it('a collection changes its object ten times at most', async () => {
  const records = (chunks: number) =>
    Array.from({ length: chunks }, (_, n) =>
      n % 2 === 0
        ? { attributes: { type: 'Account' }, Name: 'A' }
        : { attributes: { type: 'Contact' }, LastName: 'C' },
    );
  const ten = await rest('POST', '/composite/sobjects', { records: records(10) });
  expect([ten.status, (ten.body as { success: boolean }[]).every(({ success }) => success)]).toEqual([
    200,
    true,
  ]);
  const eleven = await rest('POST', '/composite/sobjects', { records: records(11) });
  expect([eleven.status, eleven.body]).toMatchObject([400, [{ errorCode: 'LIMIT_EXCEEDED' }]]);
});

it('rows are counted by object, without those in the recycle bin', async () => {
  for (const Name of ['One', 'Two', 'Gone']) await rest('POST', '/sobjects/Product2', { Name });
  const { body } = await rest('GET', "/query?q=SELECT+Id+FROM+Product2+WHERE+Name+=+'Gone'");
  const [gone] = (body as { records: { Id: string }[] }).records;
  expect((await rest('DELETE', `/sobjects/Product2/${gone?.Id}`)).status).toBe(204);
  const named = await rest('GET', '/limits/recordCount?sObjects=Product2,Nothing__c,Lead');
  const counts = [
    { count: 2, name: 'Product2' },
    { count: 0, name: 'Lead' },
  ];
  expect([named.status, named.body]).toEqual([200, { sObjects: counts }]);
  const all = await rest('GET', '/limits/recordCount');
  expect(all.body).toMatchObject({ sObjects: expect.arrayContaining(counts) });
});

it('calls of a day are counted, and refused when they are used up', async () => {
  await admin(simulator, 'PUT', 'quota', { limit: 2, windowSeconds: 86_400 });
  try {
    const first = await rest('GET', '/limits');
    expect(first.headers.get('sforce-limit-info')).toBe('api-usage=1/2');
    expect(first.body).toMatchObject({ DailyApiRequests: { Max: 2, Remaining: 1 } });
    await rest('GET', '/limits');
    const refused = await rest('GET', '/limits');
    expect([refused.status, refused.body]).toEqual([
      403,
      [{ errorCode: 'REQUEST_LIMIT_EXCEEDED', message: 'TotalRequests Limit exceeded.' }],
    ]);
  } finally {
    await admin(simulator, 'PUT', 'quota', { limit: 100_000, windowSeconds: 86_400 });
  }
});

it('while five requests run for 20 seconds or longer, no other is let in', async () => {
  const leave = new AbortController();
  const path = '/services/data/v67.0/sobjects';
  const headers = { authorization: `Bearer ${simulator.user.accessToken}` };
  await admin(simulator, 'POST', 'faults', { operation: 'describeGlobal', hang: true, times: 5 });
  const hanging = Array.from({ length: 5 }, () =>
    fetch(simulator.url + path, { headers, signal: leave.signal }).catch(() => 'left'),
  );
  await until('all five hang', async () => {
    const { body } = await admin(simulator, 'GET', 'faults');
    return (body as { faults: { applied: number }[] }).faults[0]?.applied === 5;
  });
  await admin(simulator, 'PUT', 'clock', { advanceMs: 19_000 });
  expect((await rest('GET', '/limits')).status).toBe(200);
  await admin(simulator, 'PUT', 'clock', { advanceMs: 1_000 });
  const refused = await rest('GET', '/limits');
  expect([refused.status, refused.body]).toEqual([
    403,
    [
      {
        errorCode: 'REQUEST_LIMIT_EXCEEDED',
        message: 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.',
      },
    ],
  ]);
  leave.abort();
  await Promise.all(hanging);
  await until('they are let go', async () => (await rest('GET', '/limits')).status === 200);
});
