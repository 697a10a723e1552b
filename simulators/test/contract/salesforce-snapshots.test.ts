import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { bulkClient } from '../support/bulk-client.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** What an org remembers beside its rows belongs to a snapshot of it. */

let simulator: SalesforceSimulator;
let rest: Rest;

beforeEach(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  rest = restClient(simulator);
});

afterEach(() => simulator.close());

const save = () => admin(simulator, 'POST', 'snapshots', { name: 'kept' });
const goBack = () => admin(simulator, 'POST', 'snapshots/kept/restore');
const soql = (text: string) => `/query?q=${encodeURIComponent(text)}`;

it('bulk jobs that are over, with their results', async () => {
  const bulk = bulkClient(simulator);
  const { id } = await bulk.load({ object: 'Account', operation: 'insert' }, 'Name\nA\n');
  await save();
  await bulk.call('DELETE', `ingest/${id}`);
  expect((await bulk.call('GET', `ingest/${id}`)).status).toBe(404);
  await goBack();
  expect(await bulk.results(id, 'successfulResults')).toMatchObject([{ Name: 'A' }]);
});

it('a bulk job that was not over has failed, and saves nothing more', async () => {
  const bulk = bulkClient(simulator);
  const { id } = await bulk.open({ object: 'Account', operation: 'insert' });
  await bulk.call('PUT', `ingest/${id}/batches`, `Name\n${'A\n'.repeat(5_000)}`);
  await bulk.json('PATCH', `ingest/${id}`, { state: 'UploadComplete' });
  await save();
  await goBack();
  const { state } = JSON.parse((await bulk.call('GET', `ingest/${id}`)).text) as { state: string };
  const count = async () =>
    ((await rest('GET', soql('SELECT COUNT() FROM Account'))).body as { totalSize: number }).totalSize;
  const saved = await count();
  // What was over by then is over; what was not, failed and stays as it is.
  expect([state, saved === 5_000]).toEqual(saved === 5_000 ? ['JobComplete', true] : ['Failed', false]);
  await bulk.load({ object: 'Contact', operation: 'insert' }, 'LastName\nC\n');
  expect(await count()).toBe(saved);
});

it('rows that were looked at', async () => {
  for (const Name of ['Seen', 'Other']) await rest('POST', '/sobjects/Account', { Name });
  const look = (name: string) => rest('GET', soql(`SELECT Id FROM Account WHERE Name = '${name}' FOR VIEW`));
  await look('Seen');
  await save();
  await look('Other');
  expect((await rest('GET', '/recent')).body).toMatchObject([{ Name: 'Other' }, { Name: 'Seen' }]);
  await goBack();
  const { body } = await rest('GET', '/recent');
  expect((body as { Name: string }[]).map(({ Name }) => Name)).toEqual(['Seen']);
});

it('what the admin surface said of access, sharing and automations', async () => {
  await admin(simulator, 'PUT', 'access', {
    user: 'integration',
    field: 'Opportunity.NextStep',
    access: 'none',
  });
  await admin(simulator, 'PUT', 'sharing', { object: 'Opportunity', model: 'Private' });
  const automation = { object: 'Account', on: 'create', set: { Site: "'x'" } };
  await admin(simulator, 'POST', 'automations', automation);
  const said = async () => [
    (await admin(simulator, 'GET', 'access')).body,
    (await admin(simulator, 'GET', 'automations')).body,
  ];
  const before = await said();
  await save();
  await admin(simulator, 'DELETE', 'access');
  await admin(simulator, 'DELETE', 'automations');
  expect(await said()).not.toEqual(before);
  await goBack();
  expect(await said()).toEqual(before);
});
