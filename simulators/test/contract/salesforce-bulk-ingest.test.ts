import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type BulkClient, bulkClient } from '../support/bulk-client.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let bulk: BulkClient;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  bulk = bulkClient(simulator);
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

const insert = { operation: 'insert', object: 'Account' };

async function query(soql: string): Promise<readonly Record<string, unknown>[]> {
  const { body } = await rest('GET', `/query?q=${encodeURIComponent(soql)}`);
  return (body as { records: Record<string, unknown>[] }).records;
}

describe('an ingest job', () => {
  it('is open, takes its data once, and ends with each row for itself', async () => {
    const job = await bulk.open({ ...insert, lineEnding: 'LF' });
    expect(job).toMatchObject({
      state: 'Open',
      apiVersion: 67,
      contentUrl: `services/data/v67.0/jobs/ingest/${job.id}/batches`,
      columnDelimiter: 'COMMA',
    });
    const rows = ['Name,NumberOfEmployees', '"A ""big"" one, with comma",12', 'Small,', ',3', 'Bad,many', ''];
    expect((await bulk.call('PUT', `ingest/${job.id}/batches`, rows.join('\n'))).status).toBe(201);
    const twice = await bulk.call('PUT', `ingest/${job.id}/batches`, 'Name\nX');
    expect(twice.status).toBe(400);
    expect(twice.text).toContain("make sure you only do 'PUT' once on a given Job.");
    const closed = await bulk.json('PATCH', `ingest/${job.id}`, { state: 'UploadComplete' });
    expect(JSON.parse(closed.text)).toMatchObject({ state: 'UploadComplete', numberRecordsProcessed: 0 });
    expect(await bulk.ended(`ingest/${job.id}`)).toMatchObject({
      state: 'JobComplete',
      jobType: 'V2Ingest',
      numberRecordsProcessed: 4,
      numberRecordsFailed: 2,
    });
    const saved = await bulk.results(job.id, 'successfulResults');
    expect(saved.map(({ sf__Created: created, Name: name }) => [created, name])).toEqual([
      ['true', 'A "big" one, with comma'],
      ['true', 'Small'],
    ]);
    const [, bad] = await bulk.results(job.id, 'failedResults');
    const [missing] = await bulk.results(job.id, 'failedResults');
    expect(missing).toMatchObject({
      sf__Id: '',
      sf__Error: 'REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --',
      NumberOfEmployees: '3',
    });
    expect(bad?.['Name']).toBe('Bad');
    expect(await bulk.results(job.id, 'unprocessedrecords')).toEqual([]);
  });

  it('upserts by an external id, finds parents by theirs, and deletes', async () => {
    const upsert = { operation: 'upsert', object: 'Opportunity', externalIdFieldName: 'Vendor_Id__c' };
    await bulk.load(insert, 'Name,Vendor_Site_Id__c\nParent,S-1\n');
    const columns = 'Vendor_Id__c,Name,StageName,CloseDate,Account.Vendor_Site_Id__c';
    const first = await bulk.load(upsert, `${columns}\nV-1,Deal,Prospecting,2027-01-01,S-1\n`);
    const second = await bulk.load(upsert, `${columns}\nV-1,Changed,Prospecting,2027-01-01,S-1\n`);
    const created = async ({ id }: { id: string }) => (await bulk.results(id, 'successfulResults'))[0];
    expect((await created(first))?.['sf__Created']).toBe('true');
    expect((await created(second))?.['sf__Created']).toBe('false');
    expect(await query("SELECT Name, Account.Name FROM Opportunity WHERE Vendor_Id__c = 'V-1'")).toMatchObject([
      { Name: 'Changed', Account: { Name: 'Parent' } },
    ]);
    const id = (await created(first))?.['sf__Id'];
    const gone = await bulk.load({ operation: 'delete', object: 'Opportunity' }, `Id\n${id}\n${id}\n`);
    expect(await bulk.results(gone.id, 'failedResults')).toMatchObject([{ sf__Id: id }]);
    expect(await query(`SELECT Id FROM Opportunity WHERE Id = '${id}'`)).toEqual([]);
  });

  it.each([
    [
      'an unknown column',
      {},
      'Name,Nope__c\nA,1\n',
      'InvalidBatch : Field name not found : Nope__c',
      '"Name","Nope__c"\n"A","1"\n',
    ],
    [
      'lines that end otherwise than it said',
      { lineEnding: 'LF' },
      'Name\r\nA\r\n',
      'ClientInputError : LineEnding is invalid on user data. Current LineEnding setting is LF',
      '',
    ],
    [
      'a column by the wrong delimiter',
      { columnDelimiter: 'PIPE' },
      'Name,Phone\nA,1\n',
      'InvalidBatch : Field name not found : Name,Phone',
      '"Name,Phone"\n"A,1"\n',
    ],
  ])('fails as a whole for %s, and gives back what it did not process', async (_, terms, csv, message, unprocessed) => {
    const job = await bulk.load({ ...insert, ...terms }, csv);
    expect(job).toMatchObject({ state: 'Failed', errorMessage: message, numberRecordsProcessed: 0 });
    expect((await bulk.call('GET', `ingest/${job.id}/unprocessedRecords`)).text).toBe(unprocessed);
  });

  it('takes other delimiters and line endings, for results too', async () => {
    const terms = { ...insert, columnDelimiter: 'SEMICOLON', lineEnding: 'CRLF' };
    const job = await bulk.load(terms, 'Name;Phone\r\n"A;B";1\r\n');
    const { text } = await bulk.call('GET', `ingest/${job.id}/successfulResults`);
    expect(text).toMatch(/^"sf__Id";"sf__Created";"Name";"Phone"\r\n"001\w{15}";"true";"A;B";"1"\r\n$/);
  });

  it('begins by itself where the data came with it', async () => {
    const boundary = 'BOUNDARY';
    const parts = [
      `--${boundary}\nContent-Type: application/json\nContent-Disposition: form-data; name="job"\n\n{"object":"Account","operation":"insert"}\n`,
      `--${boundary}\nContent-Type: text/csv\nContent-Disposition: form-data; name="content"; filename="content"\n\nName\nTogether\n`,
      `--${boundary}--\n`,
    ].join('');
    const type = `multipart/form-data; boundary=${boundary}`;
    const { id, state } = JSON.parse((await bulk.call('POST', 'ingest', parts, type)).text);
    expect(state).toBe('UploadComplete');
    expect(await bulk.ended(`ingest/${id}`)).toMatchObject({
      state: 'JobComplete',
      numberRecordsProcessed: 1,
    });
    const long = await bulk.call('POST', 'ingest', parts.replace('Together', 'x'.repeat(100_000)), type);
    expect(long.status).toBe(400);
  });

  it('is aborted and deleted only in the states that allow it, and forgotten after a week', async () => {
    const { id } = await bulk.open(insert);
    expect((await bulk.call('DELETE', `ingest/${id}`)).status).toBe(400);
    expect((await bulk.call('GET', `ingest/${id}/successfulResults`)).status).toBe(400);
    expect(JSON.parse((await bulk.json('PATCH', `ingest/${id}`, { state: 'Aborted' })).text)).toMatchObject({
      state: 'Aborted',
    });
    expect((await bulk.json('PATCH', `ingest/${id}`, { state: 'UploadComplete' })).status).toBe(400);
    expect((await bulk.call('DELETE', `ingest/${id}`)).status).toBe(204);
    expect((await bulk.call('GET', `ingest/${id}`)).status).toBe(404);
    const old = await bulk.load(insert, 'Name\nOld\n');
    expect(JSON.parse((await bulk.call('GET', 'ingest')).text)).toMatchObject({
      done: true,
      records: expect.arrayContaining([expect.objectContaining({ id: old.id })]),
    });
    await admin(simulator, 'PUT', 'clock', { advanceMs: 7 * 86_400_000 });
    expect((await bulk.call('GET', `ingest/${old.id}`)).status).toBe(404);
  });

  it.each([
    ['an unknown object', { object: 'Nope' }, 'INVALIDENTITY'],
    ['an unknown operation', { operation: 'merge' }, 'INVALIDJOB'],
    ['an upsert without its field', { operation: 'upsert' }, 'INVALIDJOB'],
    ['deleting for good without the permission', { operation: 'hardDelete' }, 'FEATURENOTENABLED'],
  ])('is refused for %s', async (_, terms, errorCode) => {
    const answer = await bulk.json('POST', 'ingest', { ...insert, ...terms });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toEqual([expect.objectContaining({ errorCode })]);
  });
});
