import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { admin, type Rest, restClient } from '../support/salesforce-simulator.ts';

let simulator: SalesforceSimulator;
let rest: Rest;

const deal = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };
type Shown = { id: string; type: string; fields: Record<string, unknown> };

const createByAdmin = async (fields: object = {}) =>
  (await admin(simulator, 'POST', 'records', { type: 'Opportunity', fields: { ...deal, ...fields } })).body as Shown;

beforeEach(async () => {
  simulator = await startSalesforceSimulator();
  rest = restClient(simulator);
});

afterEach(() => simulator.close());

describe('picklists', () => {
  const valuesOf = async (): Promise<readonly string[]> => {
    const { body } = await rest('GET', '/sobjects/Opportunity/describe');
    const { fields } = body as { fields: { name: string; picklistValues: { value: string }[] }[] };
    return fields.find(({ name }) => name === 'StageName')?.picklistValues.map(({ value }) => value) ?? [];
  };
  const edit = (value: string, becomes: string | null) =>
    admin(simulator, 'PUT', 'picklists', { field: 'Opportunity.StageName', value, becomes });

  it('get other values, as an administrator does it, until that is taken back; rows keep what they have', async () => {
    const { id } = await createByAdmin();
    const before = await valuesOf();
    expect((await edit('Prospecting', 'New')).status).toBe(200);
    expect((await edit('Closed Lost', null)).status).toBe(200);
    expect((await edit('Prospecting', 'Newer')).status).toBe(400);
    const after = await valuesOf();
    expect(before.filter((value) => !after.includes(value))).toEqual(['Prospecting', 'Closed Lost']);
    expect(after.indexOf('New')).toBe(before.indexOf('Prospecting'));
    const offered = await rest('GET', '/ui-api/object-info/Opportunity/picklist-values/012000000000000AAA/StageName');
    expect((offered.body as { values: { value: string }[] }).values.map(({ value }) => value)).toEqual(after);
    expect((await rest('GET', `/sobjects/Opportunity/${id}`)).body).toMatchObject({
      StageName: 'Prospecting',
    });
    expect((await admin(simulator, 'DELETE', 'picklists')).status).toBe(204);
    expect(await valuesOf()).toEqual(before);
    await edit('Prospecting', 'New');
    await admin(simulator, 'POST', 'reset', {});
    expect(await valuesOf()).toEqual(before);
  });
});

describe('records', () => {
  it('are made, read, edited, deleted and brought back as a user would', async () => {
    const { id, type, fields } = await createByAdmin();
    expect([type, fields['StageName']]).toEqual(['Opportunity', 'Prospecting']);
    const at = '2030-05-05T05:05:05.123Z';
    const patched = await admin(simulator, 'PATCH', `records/${id}`, { set: { Name: 'Edited' }, at });
    expect((patched.body as Shown).fields).toMatchObject({
      Name: 'Edited',
      SystemModstamp: '2030-05-05T05:05:05.000+0000',
    });
    expect((await admin(simulator, 'DELETE', `records/${id}`)).status).toBe(204);
    expect((await rest('GET', `/sobjects/Opportunity/${id}`)).status).toBe(404);
    expect((await admin(simulator, 'POST', `records/${id}/undelete`)).status).toBe(200);
    const listed = await admin(simulator, 'GET', 'records?type=Opportunity');
    expect((listed.body as { records: Shown[] }).records).toMatchObject([{ id, fields: { Name: 'Edited' } }]);
    expect((listed.body as { records: Shown[] }).records[0]?.fields).not.toHaveProperty('$deletedWith');
  });

  it('are merged: the loser’s hang on the winner as they were, and the loser says where it went', async () => {
    const make = async (type: string, fields: object) =>
      (await admin(simulator, 'POST', 'records', { type, fields })).body as Shown;
    const [winner, loser] = [await make('Account', { Name: 'Winner' }), await make('Account', { Name: 'Loser' })];
    const { id, fields } = await createByAdmin({ AccountId: loser.id });
    const merged = await admin(simulator, 'POST', `records/${winner.id}/merge`, { loser: loser.id });
    expect(merged.body).toEqual(winner);
    const moved = await admin(simulator, 'GET', `records/${id}`);
    expect((moved.body as Shown).fields).toEqual({ ...fields, AccountId: winner.id });
    const soql = `SELECT IsDeleted, MasterRecordId FROM Account WHERE Id = '${loser.id}'`;
    const { body } = await rest('GET', `/queryAll?q=${encodeURIComponent(soql)}`);
    expect((body as { records: object[] }).records).toMatchObject([{ IsDeleted: true, MasterRecordId: winner.id }]);
    for (const [into, from] of [
      [winner.id, loser.id],
      [winner.id, winner.id],
      [winner.id, id],
      [id, id],
    ]) {
      expect((await admin(simulator, 'POST', `records/${into}/merge`, { loser: from })).status).toBe(400);
    }
    const edit = await rest('PATCH', `/sobjects/Account/${winner.id}`, { MasterRecordId: loser.id });
    expect(edit.status).toBe(400);
  });

  it('are refused with the org’s own reason', async () => {
    const wrong = await admin(simulator, 'POST', 'records', { type: 'Opportunity', fields: { Name: 'x' } });
    expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
      400,
      expect.stringContaining('REQUIRED_FIELD_MISSING'),
    ]);
    expect((await admin(simulator, 'POST', 'records', { type: 'Nope' })).status).toBe(400);
    expect((await admin(simulator, 'PATCH', 'records/006000000000000', { set: {} })).status).toBe(404);
    expect((await admin(simulator, 'DELETE', 'records/nope')).status).toBe(404);
  });

  it('cost no quota and are not in the log', async () => {
    await admin(simulator, 'PUT', 'quota', { limit: 1, windowSeconds: 60 });
    await createByAdmin();
    await createByAdmin();
    const { body } = await admin(simulator, 'GET', 'requests');
    expect((body as { requests: unknown[] }).requests).toEqual([]);
    expect((await rest('GET', '/limits')).status).toBe(200);
  });
});

describe('reset', () => {
  it('brings the seed back, keeps the org, and never gives an id twice', async () => {
    const before = await createByAdmin();
    const reset = await admin(simulator, 'POST', 'reset', { seed: 'empty' });
    expect((reset.body as { counts: object }).counts).toMatchObject({
      Account: 0,
      Opportunity: 0,
      User: 2,
      Pricebook2: 1,
    });
    const after = await createByAdmin();
    expect(after.id).not.toBe(before.id);
    const users = (await admin(simulator, 'GET', 'records?type=Organization')).body as { records: Shown[] };
    expect(users.records[0]?.id).toBe(simulator.organizationId);
    expect((await rest('GET', '/limits')).status).toBe(200);
    expect((await admin(simulator, 'POST', 'reset', { seed: 'other' })).status).toBe(400);
  });
});

describe('faults', () => {
  const plan = (fault: object) => admin(simulator, 'POST', 'faults', fault);
  const total = async () => {
    const { body } = await admin(simulator, 'GET', 'health');
    return (body as { counts: Record<string, number> }).counts['Opportunity'];
  };

  it('answer in Salesforce’s words', async () => {
    await plan({ operation: 'query', status: 503, times: 1 });
    const answer = await rest('GET', '/query?q=SELECT+Id+FROM+Account');
    expect([answer.status, answer.body]).toMatchObject([503, [{ errorCode: 'SERVER_UNAVAILABLE' }]]);
    expect((await rest('GET', '/query?q=SELECT+Id+FROM+Account')).status).toBe(200);
  });

  it('drop the answer before the write, or after it', async () => {
    await plan({ operation: 'sobject.create', cut: 'before', times: 1 });
    await expect(rest('POST', '/sobjects/Opportunity', deal)).rejects.toThrow('fetch failed');
    expect(await total()).toBe(0);
    await plan({ operation: 'sobject.create', cut: 'after', times: 1 });
    await expect(rest('POST', '/sobjects/Opportunity', deal)).rejects.toThrow('fetch failed');
    expect(await total()).toBe(1);
  });

  it('know only the simulator’s operations', async () => {
    expect((await plan({ operation: 'nope', status: 500 })).status).toBe(400);
  });
});

describe('the request log', () => {
  it('names every call', async () => {
    const { id } = await createByAdmin();
    await rest('GET', `/sobjects/Opportunity/${id}`);
    await rest('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'x' });
    await rest('GET', '/sobjects/Opportunity/describe');
    await rest('PATCH', '/composite/sobjects/Account/Vendor_Site_Id__c', { records: [] });
    await rest('GET', '/nowhere');
    const { body } = await admin(simulator, 'GET', 'requests');
    const { requests } = body as { requests: { operation: string; status: number }[] };
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['sobject.read', 200],
      ['sobject.update', 204],
      ['describe', 200],
      ['collections.upsert', 200],
      ['unknown', 404],
    ]);
  });
});

describe('the demo seed', () => {
  it('has priced products with the vendor’s offers, customers, and nothing shared', async () => {
    const count = async (soql: string) => {
      const { body } = await rest('GET', `/query?q=${encodeURIComponent(soql)}`);
      return (body as { totalSize: number }).totalSize;
    };
    expect(await count('SELECT COUNT() FROM Opportunity')).toBe(0);
    const offers = await count('SELECT COUNT() FROM Product2 WHERE Vendor_Offer_Id__c != null AND IsActive = true');
    expect(offers).toBeGreaterThanOrEqual(6);
    const priced = 'SELECT COUNT() FROM PricebookEntry WHERE Pricebook2.IsStandard = true AND IsActive = true';
    expect(await count(priced)).toBe(offers);
    expect(
      await count('SELECT COUNT() FROM Account WHERE BillingCity != null AND Id IN (SELECT AccountId FROM Contact)'),
    ).toBe(4);
    expect(await count('SELECT COUNT() FROM User')).toBe(2);
  });
});
