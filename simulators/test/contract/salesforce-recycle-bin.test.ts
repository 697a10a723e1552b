import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** The recycle bin: what is in it, what comes back, and when it ends. */

let simulator: SalesforceSimulator;
let rest: Rest;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  simulator = await startSalesforceSimulator({ seed: 'empty' });
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

async function create(type: string, fields: object): Promise<string> {
  const { body } = await rest('POST', `/sobjects/${type}`, fields);
  return (body as { id: string }).id;
}

const account = (fields: object = {}) => create('Account', { Name: 'Initech', ...fields });
const remove = (id: string) => rest('DELETE', `/sobjects/Account/${id}`);
const undelete = (id: string) => admin(simulator, 'POST', `records/${id}/undelete`);

async function found(resource: 'query' | 'queryAll', id: string): Promise<number> {
  const soql = encodeURIComponent(`SELECT Id FROM Account WHERE Id = '${id}'`);
  const { body } = await rest('GET', `/${resource}?q=${soql}`);
  return (body as { totalSize: number }).totalSize;
}

async function listedAsDeleted(id: string): Promise<boolean> {
  const { body: clock } = await admin(simulator, 'GET', 'clock');
  const nowMs = Date.parse((clock as { now: string }).now);
  const at = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
  const window = `start=${at(nowMs - 20 * DAY_MS)}&end=${at(nowMs + 120_000)}`;
  const { body } = await rest('GET', `/sobjects/Account/deleted?${window}`);
  return (body as { deletedRecords: { id: string }[] }).deletedRecords.some((row) => row.id === id);
}

it('keeps a deleted row for 15 days by the clock, and then no more', async () => {
  const id = await account();
  await remove(id);
  await admin(simulator, 'PUT', 'clock', { advanceMs: 15 * DAY_MS - 60_000 });
  expect([await found('query', id), await found('queryAll', id), await listedAsDeleted(id)]).toEqual([
    0,
    1,
    true,
  ]);
  await admin(simulator, 'PUT', 'clock', { advanceMs: 60_000 });
  expect([await found('queryAll', id), await listedAsDeleted(id)]).toEqual([0, false]);
  expect((await undelete(id)).status).toBe(404);
  const write = await rest('PATCH', `/sobjects/Account/${id}`, { Name: 'x' });
  expect(write.body).toMatchObject([{ errorCode: 'INVALID_CROSS_REFERENCE_KEY' }]);
});

it('is passed by what is deleted hard, with all that hangs on it', async () => {
  const id = await account();
  const opportunity = await create('Opportunity', {
    Name: 'Deal',
    StageName: 'Prospecting',
    CloseDate: '2026-12-31',
    AccountId: id,
  });
  const sync = await create('Lockstep_Sync__c', { Opportunity__c: opportunity });
  expect((await admin(simulator, 'POST', `records/${opportunity}/purge`)).status).toBe(204);
  const { body } = await admin(simulator, 'GET', 'records');
  const ids = (body as { records: { id: string }[] }).records.map((record) => record.id);
  expect([ids.includes(opportunity), ids.includes(sync), ids.includes(id)]).toEqual([false, false, true]);
  await remove(id);
  expect((await admin(simulator, 'POST', `records/${id}/purge`)).status).toBe(204);
  expect(await found('queryAll', id)).toBe(0);
});

it('gives back no unique value that another row has by now', async () => {
  const opportunity = (vendorId: string) =>
    create('Opportunity', {
      Name: 'Deal',
      StageName: 'Prospecting',
      CloseDate: '2026-12-31',
      Vendor_Id__c: vendorId,
    });
  const first = await opportunity('V-7');
  await rest('DELETE', `/sobjects/Opportunity/${first}`);
  const second = await opportunity('V-7');
  const refused = await undelete(first);
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([
    400,
    expect.stringContaining('DUPLICATE_VALUE'),
  ]);
  await admin(simulator, 'POST', `records/${second}/purge`);
  expect((await undelete(first)).status).toBe(200);
});

it('gives back nothing by itself that went with its parent', async () => {
  const opportunity = await create('Opportunity', {
    Name: 'Deal',
    StageName: 'Prospecting',
    CloseDate: '2026-12-31',
  });
  const sync = await create('Lockstep_Sync__c', { Opportunity__c: opportunity });
  await rest('DELETE', `/sobjects/Opportunity/${opportunity}`);
  const alone = await undelete(sync);
  expect([alone.status, JSON.stringify(alone.body)]).toEqual([
    400,
    expect.stringContaining('UNDELETE_FAILED'),
  ]);
  await undelete(opportunity);
  expect((await rest('GET', `/sobjects/Lockstep_Sync__c/${sync}`)).status).toBe(200);
});
