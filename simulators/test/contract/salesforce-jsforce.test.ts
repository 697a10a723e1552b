import { Connection } from 'jsforce';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignIn } from '../../src/salesforce/oauth/clients.ts';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, assertionFor } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let conn: Connection;

const deal = { StageName: 'Prospecting', CloseDate: '2026-12-31' };

async function signIn(as: SignIn = simulator.user): Promise<Connection> {
  const connection = new Connection({ loginUrl: simulator.loginUrl, version: '67.0' });
  await connection.authorize({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await assertionFor(as, simulator.loginUrl),
  });
  return connection;
}

beforeAll(async () => {
  simulator = await startSalesforceSimulator();
  conn = await signIn();
});

afterAll(() => simulator.close());

describe('jsforce signs in', () => {
  it('with a JWT, as the integration user', async () => {
    const identity = await (await signIn(simulator.integration)).identity();
    expect(identity).toMatchObject({
      organization_id: simulator.organizationId,
      username: simulator.integration.username,
    });
  });

  it('with client credentials, as the sales user', async () => {
    const { clientId, clientSecret, username } = simulator.user;
    const other = new Connection({
      version: '67.0',
      oauth2: { loginUrl: simulator.loginUrl, clientId, clientSecret },
    });
    await other.authorize({ grant_type: 'client_credentials' });
    expect((await other.identity()).username).toBe(username);
    await other.query('SELECT Id FROM User');
    expect(other.limitInfo.apiUsage?.limit).toBe(100_000);
  });

  it('again after its session ended', async () => {
    let refreshed = 0;
    const token = async () => (await signIn()).accessToken ?? '';
    const other = new Connection({
      version: '67.0',
      instanceUrl: simulator.url,
      accessToken: await token(),
      refreshFn: (_, callback) => {
        refreshed += 1;
        token().then((fresh) => callback(null, fresh), callback);
      },
    });
    expect((await admin(simulator, 'DELETE', 'sessions')).status).toBe(204);
    expect((await other.query('SELECT COUNT() FROM Account')).totalSize).toBe(4);
    expect(refreshed).toBe(1);
    conn = await signIn();
  });
});

describe('jsforce works with rows', () => {
  it('one at a time', async () => {
    const created = await conn.sobject('Opportunity').create({ ...deal, Name: 'One' });
    expect(created).toMatchObject({ success: true, errors: [] });
    const id = String(created.id);
    expect(id).toHaveLength(18);
    await conn.sobject('Opportunity').update({ Id: id, NextStep: 'call' });
    expect(await conn.sobject('Opportunity').retrieve(id)).toMatchObject({ Name: 'One', NextStep: 'call' });
    await conn.sobject('Opportunity').destroy(id);
    await expect(conn.sobject('Opportunity').retrieve(id)).rejects.toMatchObject({
      errorCode: 'NOT_FOUND',
    });
    await expect(conn.sobject('Opportunity').create({ Name: 'Two' })).rejects.toMatchObject({
      errorCode: 'REQUIRED_FIELD_MISSING',
    });
  });

  it('many at a time, each with its own outcome', async () => {
    const results = await conn.sobject('Opportunity').create([{ ...deal, Name: 'A' }, { Name: 'B' }]);
    expect(results).toMatchObject([{ success: true }, { success: false }]);
    const [made] = results;
    const id = String(made?.id);
    expect(await conn.sobject('Opportunity').update([{ Id: id, Name: 'A2' }])).toMatchObject([{ success: true, id }]);
    const rows = await conn.sobject('Opportunity').retrieve([id, '006000000000000AAA'], { fields: ['Id', 'Name'] });
    expect(rows).toMatchObject([{ Id: id, Name: 'A2' }, null]);
    expect(await conn.sobject('Opportunity').destroy([id])).toMatchObject([{ success: true, id }]);
  });

  it('by external id, alone and in a list', async () => {
    const upsert = () =>
      conn.sobject('Opportunity').upsert({ ...deal, Name: 'Up', Vendor_Id__c: 'V-1' }, 'Vendor_Id__c');
    expect(await upsert()).toMatchObject({ success: true, created: true });
    expect(await upsert()).toMatchObject({ success: true, created: false });
    const many = await conn.sobject('Opportunity').upsert(
      [
        { ...deal, Name: 'Up', Vendor_Id__c: 'V-1' },
        { ...deal, Name: 'New', Vendor_Id__c: 'a/b?c=1' },
      ],
      'Vendor_Id__c',
    );
    expect(many.map(({ created }) => created)).toEqual([false, true]);
    const found = await conn.query("SELECT Name FROM Opportunity WHERE Vendor_Id__c = 'a/b?c=1'");
    expect(found.records).toMatchObject([{ Name: 'New' }]);
  });

  it('through a query builder, pages and sub-queries', async () => {
    const accountId = String((await conn.sobject('Account').create({ Name: 'Paged' })).id);
    for (const part of [0, 200, 400]) {
      const contacts = Array.from({ length: 200 }, (_, i) => ({
        LastName: `C${part + i}`,
        AccountId: accountId,
      }));
      await conn.sobject('Contact').create(contacts);
    }
    const soql = `SELECT LastName FROM Contact WHERE AccountId = '${accountId}'`;
    const headers = { 'Sforce-Query-Options': 'batchSize=250' };
    const first = await conn.query(soql, { headers });
    expect(first).toMatchObject({ totalSize: 600, done: false });
    expect(first.records).toHaveLength(250);
    const second = await conn.queryMore(String(first.nextRecordsUrl));
    const third = await conn.queryMore(String(second.nextRecordsUrl));
    expect([second.records.length, third.records.length, third.done]).toEqual([250, 100, true]);
    const all = await conn.query(soql, { headers, autoFetch: true, maxFetch: 1000 });
    expect(new Set(all.records.map((record) => record['LastName'])).size).toBe(600);
    const built = await conn.sobject('Account').find({ Name: 'Paged' }, { Id: 1, Name: 1 });
    expect(built).toMatchObject([{ Id: accountId, Name: 'Paged' }]);
  });
});

describe('jsforce asks what there is', () => {
  it('describes the org and its objects', async () => {
    const names = (await conn.describeGlobal()).sobjects.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Account', 'Opportunity', 'Lockstep_Sync__c']));
    const { fields, childRelationships } = await conn.describe('Opportunity');
    const field = (name: string) => fields.find((each) => each.name === name);
    expect(field('Vendor_Id__c')).toMatchObject({
      type: 'string',
      length: 64,
      externalId: true,
      unique: true,
      caseSensitive: true,
      nillable: true,
      updateable: true,
    });
    expect(field('Name')).toMatchObject({ nillable: false, createable: true, nameField: true });
    expect(field('SystemModstamp')).toMatchObject({ type: 'datetime', createable: false, updateable: false });
    expect(field('StageName')?.picklistValues?.map(({ value }) => value)).toContain('Closed Won');
    expect(field('Vendor_Competitors__c')).toMatchObject({
      type: 'multipicklist',
      restrictedPicklist: false,
    });
    expect(field('AccountId')).toMatchObject({ referenceTo: ['Account'], relationshipName: 'Account' });
    expect(childRelationships).toContainEqual(
      expect.objectContaining({
        childSObject: 'Lockstep_Sync__c',
        relationshipName: 'Lockstep_Syncs__r',
        cascadeDelete: true,
      }),
    );
    expect(field('CurrencyIsoCode')).toBeUndefined();
  });

  it('asks for what changed and what was deleted', async () => {
    const created = await conn.sobject('Account').create([{ Name: 'Kept' }, { Name: 'Dropped' }]);
    const [kept, dropped] = created.map(({ id }) => String(id));
    await conn.sobject('Account').destroy(String(dropped));
    const from = new Date(Date.now() - 3_600_000);
    const to = new Date(Date.now() + 3_600_000);
    const updated = await conn.sobject('Account').updated(from, to);
    expect(updated.ids).toContain(kept);
    expect(updated.ids).not.toContain(dropped);
    const deleted = await conn.sobject('Account').deleted(from, to);
    expect(deleted.deletedRecords).toMatchObject([{ id: dropped }]);
  });

  it('reads the limits', async () => {
    const limits = await conn.limits();
    expect(limits['DailyApiRequests']?.Max).toBe(100_000);
    expect(limits['DailyApiRequests']?.Remaining).toBeLessThan(100_000);
  });
});
