import jsforce from 'jsforce';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { until } from '../support/until.ts';

let simulator: SalesforceSimulator;
let connection: jsforce.Connection;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  const { url: instanceUrl, user } = simulator;
  connection = new jsforce.Connection({ instanceUrl, accessToken: user.accessToken, version: '67.0' });
  connection.bulk.pollInterval = 20;
});

afterAll(() => simulator.close());

async function call(method: string, path: string, body: string, type = 'application/json') {
  const answer = await fetch(`${simulator.url}/services/async/67.0${path}`, {
    method,
    headers: { 'x-sfdc-session': simulator.user.accessToken, 'content-type': type },
    ...(method === 'GET' ? {} : { body }),
  });
  return { status: answer.status, text: await answer.text() };
}

describe('the Bulk API of 2009', () => {
  it('saves the rows of a CSV batch in their order, each for itself', async () => {
    const results = await connection.bulk.load('Account', 'insert', [
      { Name: 'One', Phone: '0' },
      { Name: '', Phone: '1' },
      { Name: 'Two <&>', Phone: '2' },
    ]);
    expect(results.map(({ success }) => success)).toEqual([true, false, true]);
    expect(results[1]).toMatchObject({
      id: null,
      errors: ['REQUIRED_FIELD_MISSING:Required fields are missing: [Name]:Name --'],
    });
    expect(await connection.sobject('Account').count({})).toBe(2);
  });

  it('queries', async () => {
    const records = await (await connection.bulk.query('SELECT Id, Name FROM Account ORDER BY Name')).toArray();
    expect(records.map((record) => record['Name'])).toEqual(['One', 'Two <&>']);
  });

  it('takes JSON, and answers with it', async () => {
    const job = JSON.parse(
      (await call('POST', '/job', '{"operation":"update","object":"Account","contentType":"JSON"}')).text,
    );
    expect(job).toMatchObject({ state: 'Open', contentType: 'JSON', apiVersion: '67.0' });
    const added = await call('POST', `/job/${job.id}/batch`, '[{"Id":"001000000000000AAA","Name":"X"}]');
    const batch = JSON.parse(added.text);
    expect(added.status).toBe(201);
    await until('the end of the batch', async () => {
      const { text } = await call('GET', `/job/${job.id}/batch/${batch.id}`, '');
      return JSON.parse(text).state === 'Completed';
    });
    const { text } = await call('GET', `/job/${job.id}/batch/${batch.id}/result`, '');
    expect(JSON.parse(text)).toMatchObject([{ success: false, created: false, id: null }]);
    expect(JSON.parse((await call('POST', `/job/${job.id}`, '{"state":"Closed"}')).text).state).toBe('Closed');
    expect((await call('POST', `/job/${job.id}/batch`, '[]')).text).toContain('InvalidJobState');
  });

  it('fails a batch for an unknown column', async () => {
    const load = connection.bulk.load('Account', 'insert', [{ Name: 'A', Nope__c: '1' }]);
    await expect(Promise.resolve(load)).rejects.toThrow('InvalidBatch : Field name not found : Nope__c');
  });

  it.each([
    ['without a session', { 'x-sfdc-session': 'none' }, '/job', 'InvalidSessionId'],
    ['for an unknown job', {}, '/job/750000000000000', 'InvalidJob'],
  ])('is refused %s', async (_, headers, path, code) => {
    const answer = await fetch(`${simulator.url}/services/async/67.0${path}`, {
      headers: { 'x-sfdc-session': simulator.user.accessToken, ...headers },
    });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`<exceptionCode>${code}</exceptionCode>`);
  });
});
