/** What an org refuses in its own words, and what the simulator refuses in none of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LEGAL_FORMS } from '../../src/salesforce/soql/legal-forms.ts';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({
    seed: 'demo',
    readOnly: true,
    triggers: [{ object: 'account', queriesPerRow: 3 }],
  });
  rest = restClient(simulator);
});
afterAll(() => simulator.close());

const query = (soql: string) => rest('GET', `/query?q=${encodeURIComponent(soql)}`);

describe('legal SOQL that is not simulated', () => {
  it.each(LEGAL_FORMS)('$form: is refused as such, and listed', async ({ example }) => {
    const { status, body } = await query(example);
    expect([status, body]).toEqual([501, [{ errorCode: 'NOT_SIMULATED', message: expect.any(String) }]]);
    const [{ message }] = body as [{ message: string }];
    const notices = await admin(simulator, 'GET', 'notices');
    expect(notices.body).toMatchObject({ asked: expect.arrayContaining([message]) });
  });

  it.each([
    ["SELECT Id FROM Account WHERE Name = 'FOR VIEW FOR REFERENCE' AND", 'MALFORMED_QUERY'],
    ["SELECT Id FROM Account WHERE Name == '10:00:00Z'", 'MALFORMED_QUERY'],
    ['SELECT Id FROM Account USING SCOPE nobody', 'MALFORMED_QUERY'],
    ['SELECT FROMAT(Amount) FROM Opportunity', 'MALFORMED_QUERY'],
    ['SELECT Id FROM Account FOR VIEW FOR VIEW', 'MALFORMED_QUERY'],
  ])('is not seen in %s', async (soql, errorCode) => {
    expect(await query(soql)).toMatchObject({ status: 400, body: [{ errorCode }] });
  });
});

describe('the limits of an org', () => {
  it('are those of its start, after a reset too, and a snapshot keeps those that were set', async () => {
    const atStart = {
      ...{ readOnly: true, longRequests: 5, locked: [] },
      triggers: [{ object: 'Account', queriesPerRow: 3 }],
    };
    expect((await admin(simulator, 'GET', 'limits')).body).toEqual(atStart);
    await admin(simulator, 'PUT', 'limits', { readOnly: false });
    await admin(simulator, 'POST', 'snapshots', { name: 'writable' });
    await admin(simulator, 'POST', 'reset', {});
    expect((await admin(simulator, 'GET', 'limits')).body).toEqual(atStart);
    await admin(simulator, 'POST', 'snapshots/writable/restore', {});
    expect((await admin(simulator, 'GET', 'limits')).body).toMatchObject({ ...atStart, readOnly: false });
    await admin(simulator, 'DELETE', 'limits');
    expect((await admin(simulator, 'GET', 'limits')).body).toEqual(atStart);
  });

  it.each([
    [{ readOnly: 'yes' }],
    [{ longRequests: -1 }],
    [{ triggers: [{ object: 'Account', queries: 1 }] }],
    [{ triggers: [{ object: 'Nothing__c', queriesPerRow: 1 }] }],
    [{ readonly: true }],
  ])('refuse %j', async (settings) => {
    expect((await admin(simulator, 'PUT', 'limits', settings)).status).toBe(400);
  });

  it('hold a user of the admin surface too', async () => {
    const answer = await admin(simulator, 'POST', 'records', { type: 'Account', fields: { Name: 'New' } });
    expect(answer).toEqual({
      status: 400,
      body: { error: { message: expect.stringContaining('MAINTENANCE') } },
    });
  });

  it('fail all rows of a chunk in bulk', async () => {
    const limits = { readOnly: false, triggers: [{ object: 'Account', queriesPerRow: 60 }] };
    await admin(simulator, 'PUT', 'limits', limits);
    const { body } = await rest('POST', '/jobs/ingest', { object: 'Account', operation: 'insert' });
    const { id } = body as { id: string };
    const { accessToken } = simulator.user;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'text/csv' };
    const job = `${simulator.url}/services/data/v67.0/jobs/ingest/${id}`;
    await fetch(`${job}/batches`, { method: 'PUT', headers, body: 'Name\nOne\nTwo\n' });
    await rest('PATCH', `/jobs/ingest/${id}`, { state: 'UploadComplete' });
    await expect
      .poll(async () => (await rest('GET', `/jobs/ingest/${id}`)).body)
      .toMatchObject({ state: 'JobComplete', numberRecordsFailed: 2 });
    const failed = await (await fetch(`${job}/failedResults`, { headers })).text();
    expect(failed.match(/Too many SOQL queries: 101/g)).toHaveLength(2);
  });
});

describe('a planned fault with an error code alone', () => {
  it.each([
    ['REQUEST_LIMIT_EXCEEDED', 403],
    ['INVALID_SESSION_ID', 401],
    ['API_DISABLED_FOR_ORG', 403],
    ['SERVER_UNAVAILABLE', 503],
    ['ENTITY_IS_LOCKED', 400],
    ['SOMETHING_ELSE', 400],
  ])('answers %s with its published status', async (errorCode, status) => {
    await admin(simulator, 'POST', 'faults', { operation: 'query', errorCode, times: 1 });
    expect(await query('SELECT Id FROM Account')).toMatchObject({ status, body: [{ errorCode }] });
  });

  it('answers 429 as something in front of an org does, with a page', async () => {
    await admin(simulator, 'POST', 'faults', { operation: 'query', retryAfterSeconds: 7, times: 1 });
    const answer = await fetch(`${simulator.url}/services/data/v67.0/query?q=SELECT+Id+FROM+Account`, {
      headers: { authorization: `Bearer ${simulator.user.accessToken}` },
    });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await answer.text()).toContain('<html>');
  });
});
