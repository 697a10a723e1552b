import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/simulators/salesforce/start.ts';
import { type Rest, restClient } from '../support/simulators/salesforce-simulator.ts';

/** What one call may hold. */

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
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
    results: [{ statusCode: 400, result: [{ errorCode: 'MALFORMED_QUERY' }] }],
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
