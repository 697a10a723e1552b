import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { PACKAGE_DIR, type Rest, restClient } from '../support/salesforce-simulator.ts';

/** Leads, cases and tasks: what a new org has of them. */

let simulator: SalesforceSimulator;
let rest: Rest;
const ids = { account: '', contact: '', deal: '', lead: '' };

beforeAll(async () => {
  simulator = await startSalesforceSimulator({
    seed: 'empty',
    readMs: () => Date.parse('2027-05-13T20:00:00Z'),
  });
  rest = restClient(simulator);
  ids.account = await make('Account', { Name: 'Acme' });
  ids.contact = await make('Contact', { FirstName: 'Ada', LastName: 'Lund', AccountId: ids.account });
  const deal = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2027-12-31' };
  ids.deal = await make('Opportunity', { ...deal, AccountId: ids.account });
  ids.lead = await make('Lead', { FirstName: 'Ida', LastName: 'Berg', Company: 'Bergwerk' });
});

afterAll(() => simulator.close());

async function make(type: string, fields: object): Promise<string> {
  const { status, body } = await rest('POST', `/sobjects/${type}`, fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return (body as { id: string }).id;
}

const ask = (soql: string, client = rest) => client('GET', `/query?q=${encodeURIComponent(soql)}`);

async function query(soql: string): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await ask(soql);
  expect([status, body]).toMatchObject([200, {}]);
  return (body as { records: Record<string, unknown>[] }).records;
}

describe('a lead', () => {
  it('is named by its person, and begins with the first status', async () => {
    const [lead] = await query(`SELECT Name, Status, IsConverted FROM Lead WHERE Id = '${ids.lead}'`);
    expect(lead).toMatchObject({ Name: 'Ida Berg', Status: 'Open - Not Contacted', IsConverted: false });
  });

  it('needs a company and a last name, and cannot be converted by a write', async () => {
    const bare = await rest('POST', '/sobjects/Lead', { FirstName: 'X' });
    expect(bare).toMatchObject({ status: 400, body: [{ errorCode: 'REQUIRED_FIELD_MISSING' }] });
    const written = await rest('PATCH', `/sobjects/Lead/${ids.lead}`, { IsConverted: true });
    expect(written).toMatchObject({ status: 400, body: [{ errorCode: 'INVALID_FIELD_FOR_INSERT_UPDATE' }] });
  });
});

describe('a case', () => {
  it('has a number, the account of its contact, and knows when it was closed', async () => {
    const id = await make('Case', { Subject: 'Broken', ContactId: ids.contact });
    const soql = `SELECT CaseNumber, AccountId, Status, IsClosed, ClosedDate FROM Case WHERE Id = '${id}'`;
    const open = { AccountId: ids.account, Status: 'New', IsClosed: false, ClosedDate: null };
    expect(await query(soql)).toMatchObject([{ CaseNumber: '00001001', ...open }]);
    expect((await rest('PATCH', `/sobjects/Case/${id}`, { Status: 'Closed' })).status).toBe(204);
    expect(await query(soql)).toMatchObject([{ IsClosed: true, ClosedDate: '2027-05-13T20:00:00.000+0000' }]);
    expect((await rest('PATCH', `/sobjects/Case/${id}`, { Status: 'Working' })).status).toBe(204);
    expect(await query(soql)).toMatchObject([{ IsClosed: false, ClosedDate: null }]);
  });
});

describe('a post', () => {
  it('is on the feed of a record, and goes with it', async () => {
    const account = await make('Account', { Name: 'Talked about' });
    const id = await make('FeedItem', { ParentId: account, Body: 'Hello' });
    const soql = `SELECT Type, Body, Parent.Type FROM FeedItem WHERE Id = '${id}'`;
    expect(await query(soql)).toMatchObject([{ Type: 'TextPost', Body: 'Hello', Parent: { Type: 'Account' } }]);
    expect((await rest('DELETE', `/sobjects/Account/${account}`)).status).toBe(204);
    expect((await rest('GET', `/sobjects/FeedItem/${id}`)).status).toBe(404);
  });

  it.each([
    ['without a record', () => ({ Body: 'Hello' }), 'REQUIRED_FIELD_MISSING'],
    ['without a text', () => ({ ParentId: ids.deal }), 'REQUIRED_FIELD_MISSING'],
    ['with too long a text', () => ({ ParentId: ids.deal, Body: 'x'.repeat(10_001) }), 'STRING_TOO_LONG'],
    ['on what has no feed', () => ({ ParentId: '005000000000001AAA', Body: 'x' }), 'FIELD_INTEGRITY_EXCEPTION'],
  ])('is refused %s', async (_, fields, errorCode) => {
    expect(await rest('POST', '/sobjects/FeedItem', fields())).toMatchObject({
      status: 400,
      body: [{ errorCode }],
    });
  });
});

describe('a task', () => {
  it('is about a person and a thing of several objects', async () => {
    const about = { WhoId: ids.contact, WhatId: ids.deal };
    const id = await make('Task', { Subject: 'Call', Priority: 'High', ...about });
    const soql =
      'SELECT AccountId, IsHighPriority, IsClosed, Status, Who.Name, Who.Type, What.Name, What.Type FROM Task';
    expect(await query(`${soql} WHERE Id = '${id}'`)).toMatchObject([
      {
        AccountId: ids.account,
        IsHighPriority: true,
        IsClosed: false,
        Status: 'Not Started',
        Who: {
          attributes: { type: 'Name', url: `/services/data/v67.0/sobjects/Contact/${ids.contact}` },
          Name: 'Ada Lund',
          Type: 'Contact',
        },
        What: { Name: 'Deal', Type: 'Opportunity' },
      },
    ]);
    expect(await query("SELECT Id FROM Task WHERE What.Type = 'Opportunity'")).toMatchObject([{ Id: id }]);
    const children = `SELECT (SELECT Subject FROM Tasks) FROM Opportunity WHERE Id = '${ids.deal}'`;
    expect(await query(children)).toMatchObject([{ Tasks: { records: [{ Subject: 'Call' }] } }]);
    const who = await rest('GET', `/sobjects/Task/${id}/Who`);
    expect(who).toMatchObject({ status: 200, body: { Id: ids.contact } });
  });

  it.each([
    ['an account as a person', () => ({ WhoId: ids.account }), 'FIELD_INTEGRITY_EXCEPTION'],
    ['a contact as a thing', () => ({ WhatId: ids.contact }), 'FIELD_INTEGRITY_EXCEPTION'],
    ['a lead with a thing', () => ({ WhoId: ids.lead, WhatId: ids.deal }), 'FIELD_INTEGRITY_EXCEPTION'],
    ['nobody there', () => ({ WhoId: `${ids.lead.slice(0, 8)}zzzzzzz` }), 'INVALID_CROSS_REFERENCE_KEY'],
    ['a parent by its name', () => ({ Who: { Email: 'a@b.example' } }), 'INVALID_FIELD'],
  ])('refuses %s', async (_, fields, errorCode) => {
    expect(await rest('POST', '/sobjects/Task', fields())).toMatchObject({
      status: 400,
      body: [{ errorCode }],
    });
  });

  it('goes with what it is about', async () => {
    const account = await make('Account', { Name: 'Short-lived' });
    const id = await make('Task', { Subject: 'Visit', WhatId: account });
    expect((await rest('DELETE', `/sobjects/Account/${account}`)).status).toBe(204);
    expect((await rest('GET', `/sobjects/Task/${id}`)).status).toBe(404);
  });

  it('is described as leading to several objects', async () => {
    const { body } = await rest('GET', '/sobjects/Task/describe');
    const { fields } = body as { fields: { name: string }[] };
    expect(fields.find(({ name }) => name === 'WhoId')).toMatchObject({
      referenceTo: ['Contact', 'Lead'],
      polymorphicForeignKey: true,
      namePointing: true,
      relationshipName: 'Who',
    });
    expect(fields.find(({ name }) => name === 'OwnerId')).toMatchObject({ polymorphicForeignKey: false });
  });

  it('is recognised by the object that it leads to, with TYPEOF', async () => {
    const account = await make('Account', { Name: 'Acme', BillingCity: 'Delft' });
    const kase = await make('Case', { Subject: 'Noise' });
    for (const WhatId of [account, kase, null]) await make('Task', { Subject: 'By type', WhatId });
    const cases = 'WHEN Account THEN BillingCity, Owner.IsActive WHEN Opportunity THEN Amount';
    const told = async (more: string) => {
      const from = `FROM Task WHERE Subject = 'By type' ORDER BY WhatId NULLS LAST`;
      const { body } = await ask(`SELECT TYPEOF What ${cases}${more} END ${from}`);
      const { records } = body as { records: { What: { attributes: { type: string } } | null }[] };
      return records.map(({ What }) => What).sort((a, b) => order(a) - order(b));
    };
    const order = (what: { attributes: { type: string } } | null) =>
      ['Account', 'Case', 'Name', undefined].indexOf(what?.attributes.type);
    const acme = { attributes: { type: 'Account' }, BillingCity: 'Delft', Owner: { IsActive: true } };
    expect(await told('')).toMatchObject([acme, null, null]);
    expect(await told(' ELSE Name, Type')).toMatchObject([acme, { Type: 'Case' }, null]);
  });

  it.each([
    ['TYPEOF Owner WHEN User THEN Name END', 'INVALID_FIELD'],
    ['TYPEOF What WHEN Contact THEN Name END', 'INVALID_TYPE'],
    ['TYPEOF What WHEN Account THEN Nothing END', 'INVALID_FIELD'],
    ['COUNT(Id), TYPEOF What WHEN Account THEN Name END', 'MALFORMED_QUERY'],
  ])('refuses %s', async (selected, errorCode) => {
    const answer = await ask(`SELECT ${selected} FROM Task`);
    expect(answer).toMatchObject({ status: 400, body: [{ errorCode }] });
  });
});

describe('the integration user', () => {
  const task = { Subject: 'Call', WhatId: null as string | null };

  it('sees neither leads nor cases, which nothing grants, and makes tasks by the permission set for that', async () => {
    const client = restClient(simulator, simulator.integration.accessToken);
    for (const type of ['Lead', 'Case']) {
      const refused = { status: 400, body: [{ errorCode: 'INVALID_TYPE' }] };
      expect(await ask(`SELECT Id FROM ${type}`, client)).toMatchObject(refused);
    }
    expect((await ask('SELECT Id FROM Task', client)).status).toBe(200);
    expect((await client('POST', '/sobjects/Task', task)).status).toBe(201);
    const more = await client('POST', '/sobjects/Task', { ...task, ActivityDate: '2027-05-14' });
    expect(more).toMatchObject({ status: 400, body: [{ errorCode: 'INVALID_FIELD' }] });
  });

  it('may read tasks only without it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lockstep-package-'));
    const isKept = (path: string): boolean => !path.includes('Lockstep_Tell_Owners');
    await cp(PACKAGE_DIR, dir, { recursive: true, filter: isKept });
    const other = await startSalesforceSimulator({ seed: 'empty', packageDirs: [dir] });
    try {
      const client = restClient(other, other.integration.accessToken);
      expect((await ask('SELECT Id FROM Task', client)).status).toBe(200);
      expect(await client('POST', '/sobjects/Task', { Status: 'Not Started' })).toMatchObject({
        status: 400,
        body: [{ errorCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY' }],
      });
    } finally {
      await other.close();
      await rm(dir, { recursive: true });
    }
  });
});
