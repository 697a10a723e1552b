import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type BulkClient, bulkClient } from '../support/bulk-client.ts';

let simulator: SalesforceSimulator;
let bulk: BulkClient;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  bulk = bulkClient(simulator);
  const names = Array.from({ length: 25 }, (_, i) => `Account ${i}`);
  await bulk.load({ operation: 'insert', object: 'Account' }, `Name\n${names.join('\n')}\n`);
});

afterAll(() => simulator.close());

async function open(soql: string, operation = 'query'): Promise<string> {
  const { text } = await bulk.json('POST', 'query', { operation, query: soql });
  return (JSON.parse(text) as { id: string }).id;
}

describe('a query job', () => {
  it('gives its rows as CSV, page by page, until the locator is null', async () => {
    const id = await open('SELECT id, Name, Owner.Name, Phone, CreatedDate FROM Account ORDER BY Name');
    expect(await bulk.ended(`query/${id}`)).toMatchObject({
      state: 'JobComplete',
      object: 'Account',
      jobType: 'V2Query',
      numberRecordsProcessed: 25,
    });
    const pages: string[] = [];
    let locator: string | null = '';
    while (locator !== 'null') {
      const at: string = locator === '' ? '' : `&locator=${locator}`;
      const { headers, text } = await bulk.call('GET', `query/${id}/results?maxRecords=10${at}`);
      expect(headers.get('content-type')).toContain('text/csv');
      expect(Number(headers.get('sforce-numberofrecords'))).toBe(pages.length < 2 ? 10 : 5);
      pages.push(text);
      locator = headers.get('sforce-locator');
    }
    const records = pages.flatMap((page) => parse(page, { columns: true }) as Record<string, string>[]);
    expect(records.length).toBe(25);
    expect(records[0]).toEqual({
      Id: expect.stringMatching(/^001/),
      Name: 'Account 0',
      'Owner.Name': expect.stringMatching(/\w+ \w+/),
      Phone: '',
      CreatedDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect((await bulk.call('GET', `query/${id}/results?locator=nonsense`)).status).toBe(400);
  });

  it('leads to several pages at once', async () => {
    const id = await open('SELECT Id FROM Account');
    await bulk.ended(`query/${id}`);
    const { text } = await bulk.call('GET', `query/${id}/resultPages?maxRecords=4`);
    const { resultPages, done, nextRecordsUrl } = JSON.parse(text);
    expect([resultPages.length, done]).toEqual([5, false]);
    const rest = await bulk.call('GET', nextRecordsUrl.split('/jobs/')[1]);
    expect(JSON.parse(rest.text).resultPages.length).toBe(2);
    const last = await bulk.call('GET', resultPages[4].resultLink.split('/jobs/')[1]);
    expect(parse(last.text, { columns: true }).length).toBe(4);
  });

  it.each([
    ['groups', 'SELECT COUNT(Id) FROM Account'],
    ['lists of children', 'SELECT Id, (SELECT Id FROM Contacts) FROM Account'],
    ['an offset', 'SELECT Id FROM Account OFFSET 5'],
    ['an unknown field', 'SELECT Nope FROM Account'],
  ])('is refused for %s', async (_, query) => {
    expect((await bulk.json('POST', 'query', { operation: 'query', query })).status).toBe(400);
  });

  it('is deleted when it has ended, and read with its own version only', async () => {
    const id = await open('SELECT Id FROM Account WHERE IsDeleted = true', 'queryAll');
    await bulk.ended(`query/${id}`);
    const { status } = await fetch(`${simulator.url}/services/data/v66.0/jobs/query/${id}/results`, {
      headers: { authorization: `Bearer ${simulator.user.accessToken}` },
    });
    expect(status).toBe(409);
    expect((await bulk.call('GET', `query/${id}/results`)).text).toBe('"Id"\n');
    expect((await bulk.json('PATCH', `query/${id}`, { state: 'Aborted' })).status).toBe(400);
    expect((await bulk.call('DELETE', `query/${id}`)).status).toBe(204);
    expect((await bulk.call('GET', `query/${id}`)).status).toBe(404);
  });
});
