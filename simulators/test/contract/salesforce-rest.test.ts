import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;

const deal = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };

async function create(fields: object = {}): Promise<string> {
  const { status, body } = await rest('POST', '/sobjects/Opportunity', { ...deal, ...fields });
  expect(status).toBe(201);
  return (body as { id: string }).id;
}

beforeAll(async () => {
  simulator = await startSalesforceSimulator();
  rest = restClient(simulator);
});

afterAll(() => simulator.close());

describe('discovery', () => {
  it('lists versions without a session, and resources with one', async () => {
    const versions = (await (await fetch(`${simulator.url}/services/data`)).json()) as { version: string }[];
    expect(versions.at(-1)).toEqual({ label: 'Version 67.0', url: '/services/data/v67.0', version: '67.0' });
    expect((await rest('GET', '/')).body).toMatchObject({ sobjects: '/services/data/v67.0/sobjects' });
    expect((await rest('GET', '/services/data/v99.0/limits')).status).toBe(404);
  });
});

describe('refusals', () => {
  const one = (errorCode: string) => [expect.objectContaining({ errorCode })];

  it('of a create with a system field', async () => {
    const body = { ...deal, SystemModstamp: '2026-01-01T00:00:00Z' };
    const answer = await rest('POST', '/sobjects/Opportunity', body);
    expect([answer.status, answer.body]).toEqual([400, one('INVALID_FIELD_FOR_INSERT_UPDATE')]);
  });

  it.each([
    ['GET', '/sobjects/Nope', 404, 'NOT_FOUND'],
    ['GET', '/query?q=SELECT', 400, 'MALFORMED_QUERY'],
    ['GET', '/query/01gXX-0', 400, 'INVALID_QUERY_LOCATOR'],
    ['GET', '/sobjects/Account/updated?start=x&end=y', 400, 'INVALID_REPLICATION_DATE'],
  ])('of %s %s', async (method, path, status, errorCode) => {
    const answer = await rest(method, path);
    expect(answer.status).toBe(status);
    expect(answer.body).toEqual(one(errorCode));
  });
});

describe('system fields', () => {
  it('are kept by the platform, in whole seconds, and move with every change', async () => {
    const id = await create();
    const read = async () => (await rest('GET', `/sobjects/Opportunity/${id}`)).body as Record<string, string>;
    const first = await read();
    expect(first['SystemModstamp']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000\+0000$/);
    expect(first['CreatedById']).toMatch(/^005/);
    await admin(simulator, 'PUT', 'clock', { advanceMs: 1_000 });
    await rest('PATCH', `/sobjects/Opportunity/${id.slice(0, 15)}`, { NextStep: 'a' });
    const second = await read();
    expect(String(second['SystemModstamp']) > String(first['SystemModstamp'])).toBe(true);
    expect(second['CreatedDate']).toBe(first['CreatedDate']);
  });

  it('tell two saves of one second no more apart than a field of a user’s', async () => {
    const now = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000).toISOString();
    await admin(simulator, 'PUT', 'clock', { now });
    const id = await create({ NextStep: 'a' });
    const read = async () => (await rest('GET', `/sobjects/Opportunity/${id}`)).body as Record<string, string>;
    const first = await read();
    await rest('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'b' });
    expect(await read()).toEqual({ ...first, NextStep: 'b' });
    const last = { Opportunity__c: id, Last_Synced__c: '2026-05-01T10:00:00.987Z' };
    const sync = (await rest('POST', '/sobjects/Lockstep_Sync__c', last)).body as { id: string };
    const { body } = await rest('GET', `/sobjects/Lockstep_Sync__c/${sync.id}?fields=Last_Synced__c`);
    expect(body).toMatchObject({ Last_Synced__c: '2026-05-01T10:00:00.000+0000' });
  });
});

describe('upsert', () => {
  it('refuses a field that is fixed at creation also where its parent is named by an external id', async () => {
    const offer = { Vendor_Offer_Id__c: 'OFR-FIXED' };
    await rest('POST', '/sobjects/Product2', { Name: 'Fixed', ...offer });
    const { body } = await rest('GET', '/query?q=SELECT+Id+FROM+Pricebook2+WHERE+IsStandard=true');
    const [book] = (body as { records: { Id: string }[] }).records;
    const path = '/sobjects/PricebookEntry/Vendor_Entry_Key__c/fixed';
    const entry = { UnitPrice: 1, Product2: offer, Pricebook2Id: book?.Id };
    expect((await rest('PATCH', path, entry)).status).toBe(201);
    const again = await rest('PATCH', path, { UnitPrice: 2, Product2: offer });
    expect(again.status).toBe(400);
    expect(again.body).toMatchObject([{ errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE', fields: ['Product2Id'] }]);
    expect((await rest('PATCH', path, { UnitPrice: 2 })).status).toBe(200);
  });

  const path = '/sobjects/Account/Vendor_Site_Id__c';

  it('creates, updates, and refuses several', async () => {
    const first = await rest('PATCH', `${path}/${encodeURIComponent('S/1 x')}`, { Name: 'A' });
    expect([first.status, first.body]).toMatchObject([201, { created: true, success: true }]);
    const second = await rest('PATCH', `${path}/${encodeURIComponent('S/1 x')}`, { Name: 'B' });
    expect([second.status, second.body]).toMatchObject([200, { created: false }]);
    const old = await rest('PATCH', `/services/data/v45.0${path}/S%2F1%20x`, { Name: 'C' });
    expect(old.status).toBe(204);
    expect((await rest('GET', `${path}/S%2F1%20x`)).body).toMatchObject({
      Name: 'C',
      Vendor_Site_Id__c: 'S/1 x',
    });
    await rest('POST', '/sobjects/Account', { Name: 'Twin 1', Vendor_Registration_Id__c: 'R' });
    expect((await rest('PATCH', '/sobjects/Account/Name/A', { Phone: '1' })).status).toBe(404);
    expect((await rest('DELETE', `${path}/S%2F1%20x`)).status).toBe(204);
    expect((await rest('GET', `${path}/S%2F1%20x`)).status).toBe(404);
  });
});

describe('conditions', () => {
  it('refuse a stale write with 412, by whole seconds', async () => {
    const id = await create();
    const { body } = await rest('GET', `/sobjects/Opportunity/${id}`);
    const modifiedMs = Date.parse((body as { LastModifiedDate: string }).LastModifiedDate.replace('+0000', 'Z'));
    const since = (ms: number) => ({ 'if-unmodified-since': new Date(ms).toUTCString() });
    const write = (ms: number) => rest('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: String(ms) }, since(ms));
    expect((await write(modifiedMs - 1000)).status).toBe(412);
    await admin(simulator, 'PATCH', `records/${id}`, {
      set: { NextStep: 'x' },
      at: new Date(Math.floor(modifiedMs / 1000) * 1000 + 999).toISOString(),
    });
    expect((await write(modifiedMs)).status).toBe(204);
    const bad = await rest('PATCH', `/sobjects/Opportunity/${id}`, {}, { 'if-unmodified-since': 'yesterday' });
    expect(bad.status).toBe(400);
  });
});
