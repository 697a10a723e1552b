import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, answers, type OrgUnderTest, type Point, refuses } from './point.ts';

const BULK2 = 'Bulk API 2.0 and Bulk API Developer Guide';
const CSV = { 'content-type': 'text/csv' };
const MOST_POLLS = 200;

type Job = { readonly id: string; readonly state: string };

/** Asks as a client does, until something has the wanted state. */
async function reached(ask: () => Promise<Answer>, state: string): Promise<Answer> {
  for (let poll = 0; poll < MOST_POLLS; poll += 1) {
    const answer = await ask();
    if ((answer.body as Job).state === state) return answer;
    await sleep(10);
  }
  throw new Error(`never ${state}`);
}

async function load(org: OrgUnderTest, terms: object, csv: string): Promise<string> {
  const job = (await org.call('POST', '/jobs/ingest', { contentType: 'CSV', ...terms })).body as Job;
  answers(await org.call('PUT', `/jobs/ingest/${job.id}/batches`, csv, CSV), 201);
  answers(await org.call('PATCH', `/jobs/ingest/${job.id}`, { state: 'UploadComplete' }), 200);
  await reached(() => org.call('GET', `/jobs/ingest/${job.id}`), 'JobComplete');
  return job.id;
}

async function classic(org: OrgUnderTest, method: string, path: string, body?: unknown, type = 'application/json') {
  const headers = { 'x-sfdc-session': org.user.accessToken, 'content-type': type };
  return org.call(method, `/services/async/67.0${path}`, body, headers);
}

/** Rows by the thousand: Bulk API 2.0, and the Bulk API before it. */
export const BULK_POINTS: readonly Point[] = [
  {
    claim: 'An ingest job is open, takes its data once, and saves each row for itself.',
    source: `${BULK2}, "Bulk API 2.0 Ingest"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await load(org, { object: 'Account', operation: 'insert' }, 'Name,Phone\nA,1\n,2\n');
      answers(await org.call('GET', `/jobs/ingest/${id}`), 200, {
        numberRecordsProcessed: 2,
        numberRecordsFailed: 1,
      });
      const text = async (name: string) => String((await org.call('GET', `/jobs/ingest/${id}/${name}`)).body);
      assert.match(await text('successfulResults'), /^"?sf__Id"?,"?sf__Created"?[^\n]*\n[^\n]*true/);
      assert.match(await text('failedResults'), /REQUIRED_FIELD_MISSING/);
      assert.equal((await text('unprocessedrecords')).trim().split('\n').length, 1);
      refuses(await org.call('PUT', `/jobs/ingest/${id}/batches`, 'Name\nB\n', CSV), 400, 'INVALIDJOBSTATE');
      answers(await org.call('DELETE', `/jobs/ingest/${id}`), 204);
      refuses(await org.call('GET', `/jobs/ingest/${id}`), 404, 'NOT_FOUND');
    },
  },
  {
    claim: 'An empty cell leaves its field as it is; #N/A empties it.',
    source: `${BULK2}, "Valid CSV Record Rows"`,
    sure: 'documented',
    holds: async (org) => {
      const fields = { Name: 'A', Phone: '1', Fax: '2' };
      const id = await org.make('Account', fields);
      await load(org, { object: 'Account', operation: 'update' }, `Id,Phone,Fax\n${id},,#N/A\n`);
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, { Phone: '1', Fax: null });
    },
  },
  {
    claim: 'A job that is aborted takes no more data.',
    source: `${BULK2}, "Close or Abort a Job"`,
    sure: 'documented',
    holds: async (org) => {
      const terms = { object: 'Account', operation: 'insert', contentType: 'CSV' };
      const { id } = (await org.call('POST', '/jobs/ingest', terms)).body as Job;
      const aborted = await org.call('PATCH', `/jobs/ingest/${id}`, { state: 'Aborted' });
      answers(aborted, 200, { state: 'Aborted' });
      answers(await org.call('PUT', `/jobs/ingest/${id}/batches`, 'Name\nA\n', CSV), 400);
    },
  },
  {
    claim: 'A query job gives its rows as CSV in pages, until the locator is null.',
    source: `${BULK2}, "Get Results for a Query Job"`,
    sure: 'documented',
    holds: async (org) => {
      await load(org, { object: 'Account', operation: 'insert' }, `Name\n${'A\n'.repeat(5)}`);
      const terms = { operation: 'query', query: 'SELECT Name FROM Account' };
      const { id } = (await org.call('POST', '/jobs/query', terms)).body as Job;
      await reached(() => org.call('GET', `/jobs/query/${id}`), 'JobComplete');
      const first = await org.call('GET', `/jobs/query/${id}/results?maxRecords=3`);
      const locator = first.headers.get('sforce-locator');
      assert.equal(first.headers.get('sforce-numberofrecords'), '3');
      const second = await org.call('GET', `/jobs/query/${id}/results?maxRecords=3&locator=${locator}`);
      assert.equal(second.headers.get('sforce-locator'), 'null');
      answers(await org.call('GET', `/jobs/query/${id}/resultPages`), 200);
      answers(await org.call('DELETE', `/jobs/query/${id}`), 204);
      refuses(await org.call('GET', `/jobs/query/${id}`), 404, 'NOT_FOUND');
    },
  },
  {
    claim: 'A query job is aborted by its state, unless it has ended.',
    source: `${BULK2}, "Abort a Query Job"`,
    sure: 'documented',
    holds: async (org) => {
      const terms = { operation: 'query', query: 'SELECT Name FROM Account' };
      const { id } = (await org.call('POST', '/jobs/query', terms)).body as Job;
      const { status, body } = await org.call('PATCH', `/jobs/query/${id}`, { state: 'Aborted' });
      // Small jobs may be over first, as they may in a real org.
      const isOver = JSON.stringify(body).includes('INVALIDJOBSTATE');
      assert.ok((status === 200 && (body as Job).state === 'Aborted') || (status === 400 && isOver));
    },
  },
  {
    claim: 'Groups and lists of children cannot be asked for in bulk.',
    source: `${BULK2}, "SOQL Considerations" of query jobs`,
    sure: 'documented',
    holds: async (org) => {
      for (const query of ['SELECT COUNT(Id) FROM Account', 'SELECT (SELECT Id FROM Contacts) FROM Account']) {
        answers(await org.call('POST', '/jobs/query', { operation: 'query', query }), 400);
      }
    },
  },
  {
    claim: 'The Bulk API before takes batches into a job, which is closed in the end.',
    source: `${BULK2}, "Bulk API": "Create a Job", "Add a Batch to a Job", "Get Batch Results"`,
    sure: 'documented',
    holds: async (org) => {
      const terms = { operation: 'insert', object: 'Account', contentType: 'JSON' };
      const job = (await classic(org, 'POST', '/job', terms)).body as Job;
      const batch = (await classic(org, 'POST', `/job/${job.id}/batch`, [{ Name: 'A' }])).body as Job;
      const path = `/job/${job.id}/batch/${batch.id}`;
      await reached(() => classic(org, 'GET', path), 'Completed');
      answers(await classic(org, 'GET', `${path}/result`), 200, [{ success: true, created: true }]);
      answers(await classic(org, 'GET', `/job/${job.id}/batch`), 200, { batchInfo: [{ id: batch.id }] });
      answers(await classic(org, 'POST', `/job/${job.id}`, { state: 'Closed' }), 200, { state: 'Closed' });
      answers(await classic(org, 'GET', `/job/${job.id}`), 200, { state: 'Closed' });
    },
  },
  {
    claim: 'A query of the Bulk API before leads to its rows by the id of a result.',
    source: `${BULK2}, "Bulk API": "Bulk Query"`,
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A' });
      const terms = { operation: 'query', object: 'Account', contentType: 'JSON' };
      const job = (await classic(org, 'POST', '/job', terms)).body as Job;
      const batch = (await classic(org, 'POST', `/job/${job.id}/batch`, 'SELECT Name FROM Account')).body as Job;
      const path = `/job/${job.id}/batch/${batch.id}`;
      await reached(() => classic(org, 'GET', path), 'Completed');
      const [result] = (await classic(org, 'GET', `${path}/result`)).body as readonly string[];
      answers(await classic(org, 'GET', `${path}/result/${result}`), 200, [{ Name: 'A' }]);
    },
  },
  {
    claim: 'A file with other line ends than its job says, or with a column that is no field, fails the job.',
    source: `${BULK2}, "Upload Job Data", "Prepare CSV Files"; published answers`,
    sure: 'published',
    holds: async (org) => {
      for (const csv of ['Name,Phone\r\nA,1\r\n', 'Name,Nope\nA,1\n']) {
        const terms = { object: 'Account', operation: 'insert', contentType: 'CSV', lineEnding: 'LF' };
        const { id } = (await org.call('POST', '/jobs/ingest', terms)).body as Job;
        answers(await org.call('PUT', `/jobs/ingest/${id}/batches`, csv, CSV), 201);
        answers(await org.call('PATCH', `/jobs/ingest/${id}`, { state: 'UploadComplete' }), 200);
        await reached(() => org.call('GET', `/jobs/ingest/${id}`), 'Failed');
      }
    },
  },
  {
    claim: 'A job that is not over has no results and is not deleted; an upsert names its external id.',
    source: `${BULK2}, "Delete a Job", "Create a Job": externalIdFieldName`,
    sure: 'documented',
    holds: async (org) => {
      const terms = { object: 'Account', operation: 'insert', contentType: 'CSV' };
      const { id } = (await org.call('POST', '/jobs/ingest', terms)).body as Job;
      answers(await org.call('DELETE', `/jobs/ingest/${id}`), 400);
      answers(await org.call('POST', '/jobs/ingest', { ...terms, operation: 'upsert' }), 400);
      answers(await org.call('GET', '/jobs/ingest/750000000000001AAA'), 404);
    },
  },
  {
    claim: 'An external id twice among 200 rows of an upsert is refused in each of them, in bulk too.',
    source: 'Published answers: "DUPLICATE_VALUE:Duplicate external id specified"',
    sure: 'published',
    holds: async (org) => {
      const upsert = { object: 'Account', operation: 'upsert', externalIdFieldName: 'Vendor_Site_Id__c' };
      const id = await load(org, upsert, 'Name,Vendor_Site_Id__c\nA,S-1\nB,S-2\nC,s-2\n');
      const { body: failed } = await org.call('GET', `/jobs/ingest/${id}/failedResults`);
      const lines = String(failed).trim().split('\n').slice(1);
      assert.equal(lines.length, 2);
      for (const line of lines) assert.match(line, /DUPLICATE_VALUE:Duplicate external id specified: S-2/i);
    },
  },
  {
    claim: 'Addresses as a whole are not selected in bulk.',
    source: 'Published answers: "Selecting compound data not supported in Bulk Query"',
    sure: 'published',
    holds: async (org) => {
      const query = 'SELECT Id, BillingAddress FROM Account';
      const refused = await org.call('POST', '/jobs/query', { operation: 'query', query });
      refuses(refused, 400, 'API_ERROR', 'Selecting compound data not supported in Bulk Query');
    },
  },
];
