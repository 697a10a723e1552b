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
