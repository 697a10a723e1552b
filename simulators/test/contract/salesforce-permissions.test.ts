import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { elements, metadataSource } from '../support/metadata-source.ts';
import { admin, PACKAGE_DIR, type Rest, type RestAnswer, restClient } from '../support/salesforce-simulator.ts';

/** The integration user has what the base profile and the package's permission set grant, on every path in and out. */

let simulator: SalesforceSimulator;
let rest: Rest;
let owner: Rest;

const DEAL = { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' };

beforeAll(async () => {
  simulator = await startSalesforceSimulator();
  rest = restClient(simulator, simulator.integration.accessToken);
  owner = restClient(simulator);
});

afterAll(() => simulator.close());

afterEach(async () => {
  await admin(simulator, 'DELETE', 'access');
});

async function made(by: Rest, type: string, fields: object): Promise<string> {
  const { body } = await by('POST', `/sobjects/${type}`, fields);
  return (body as { id: string }).id;
}

const soql = (by: Rest, text: string) => by('GET', `/query?q=${encodeURIComponent(text)}`);
const rows = async (by: Rest, text: string) => {
  const { body } = await soql(by, text);
  return (body as { records: readonly { Id: string }[] }).records;
};
const refusal = ({ status, body }: RestAnswer) => {
  const [{ errorCode, message } = { errorCode: '', message: '' }] = body as {
    errorCode: string;
    message: string;
  }[];
  return `${status} ${errorCode}: ${message}`;
};
const except = (what: object) => admin(simulator, 'PUT', 'access', { user: 'integration', ...what });

describe('objects', () => {
  it('are described only where the user may read them', async () => {
    const { body } = await rest('GET', '/sobjects');
    const names = (body as { sobjects: { name: string }[] }).sobjects.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Account', 'Opportunity', 'PricebookEntry', 'User']));
    await except({ object: 'Account', access: 'none' });
    const after = await rest('GET', '/sobjects');
    expect(JSON.stringify(after.body)).not.toContain('"name":"Account"');
    expect(refusal(await rest('GET', '/sobjects/Account/describe'))).toMatch(/^404 NOT_FOUND/);
    expect(refusal(await soql(rest, 'SELECT Id FROM Account'))).toMatch(/^400 INVALID_TYPE: .*sObject type 'Account'/s);
    expect(refusal(await soql(rest, 'SELECT Account.Name FROM Opportunity'))).toMatch(/^400 INVALID_FIELD/);
  });

  it('say in describe what the user may do with them', async () => {
    await except({ object: 'Product2', access: 'read' });
    const { body } = await rest('GET', '/sobjects/Product2/describe');
    expect(body).toMatchObject({ createable: false, updateable: false, deletable: false });
    const { body: account } = await rest('GET', '/sobjects/Account/describe');
    expect(account).toMatchObject({ createable: true, updateable: true, deletable: false });
  });

  it('refuse what is not granted, alone, in a collection and in a composite', async () => {
    await except({ object: 'Product2', access: 'read' });
    const product = { Name: 'Own product' };
    const wanted = 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY: entity type cannot be inserted: Product';
    expect(refusal(await rest('POST', '/sobjects/Product2', product))).toBe(`400 ${wanted}`);
    const { body: collected } = await rest('POST', '/composite/sobjects', {
      records: [{ attributes: { type: 'Product2' }, ...product }],
    });
    expect(JSON.stringify(collected)).toContain('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY');
    const sub = {
      method: 'POST',
      url: '/services/data/v67.0/sobjects/Product2',
      referenceId: 'a',
      body: product,
    };
    const { body: composite } = await rest('POST', '/composite', { compositeRequest: [sub] });
    expect(JSON.stringify(composite)).toContain('CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY');
    const account = await made(rest, 'Account', { Name: 'A' });
    expect(refusal(await rest('DELETE', `/sobjects/Account/${account}`))).toBe(
      '403 INSUFFICIENT_ACCESS_OR_READONLY: insufficient access rights on object id',
    );
    expect((await owner('DELETE', `/sobjects/Account/${account}`)).status).toBe(204);
  });
});

describe('fields', () => {
  it('that the permission set does not grant are not there', async () => {
    const { body } = await rest('GET', '/sobjects/Opportunity/describe');
    const names = (body as { fields: { name: string }[] }).fields.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Amount', 'StageName', 'Vendor_Share__c', 'SystemModstamp']));
    expect(names).not.toContain('NextStep');
    expect(refusal(await soql(rest, 'SELECT NextStep FROM Opportunity'))).toMatch(
      /^400 INVALID_FIELD: .*No such column 'NextStep' on entity 'Opportunity'/s,
    );
    expect((await soql(owner, 'SELECT NextStep FROM Opportunity')).status).toBe(200);
  });

  it('hidden by the admin are left out of reads, filters, sub-queries, writes, upserts and external ids', async () => {
    const id = await made(rest, 'Opportunity', { ...DEAL, Vendor_Id__c: 'V-1', Amount: 5 });
    await except({ field: 'Opportunity.Amount', access: 'none' });
    await except({ field: 'Opportunity.Vendor_Id__c', access: 'none' });
    const { body } = await rest('GET', `/sobjects/Opportunity/${id}`);
    expect(body).toMatchObject({ Id: id, Name: 'Deal' });
    expect(body).not.toHaveProperty('Amount');
    const asked = [
      'SELECT Id FROM Opportunity WHERE Amount > 1',
      'SELECT Id FROM Opportunity ORDER BY Amount',
      'SELECT Id, (SELECT Amount FROM Opportunities) FROM Account',
      'SELECT SUM(Amount) FROM Opportunity',
    ];
    for (const text of asked) expect(refusal(await soql(rest, text))).toMatch(/^400 INVALID_FIELD/);
    expect(refusal(await rest('PATCH', `/sobjects/Opportunity/${id}`, { Amount: 6 }))).toBe(
      "400 INVALID_FIELD: No such column 'Amount' on sobject of type Opportunity",
    );
    expect((await rest('GET', '/sobjects/Opportunity/Vendor_Id__c/V-1')).status).toBe(404);
    const upserted = await rest('PATCH', '/sobjects/Opportunity/Vendor_Id__c/V-1', { Name: 'Renamed' });
    expect(refusal(upserted)).toMatch(/^404 NOT_FOUND: Provided external ID field does not exist/);
  });

  it('that may only be read are refused when written, and not updateable in describe', async () => {
    const id = await made(rest, 'Opportunity', DEAL);
    await except({ field: 'Opportunity.Amount', access: 'read' });
    const wanted = /^400 INVALID_FIELD_FOR_INSERT_UPDATE: Unable to create\/update fields: Amount\./;
    expect(refusal(await rest('PATCH', `/sobjects/Opportunity/${id}`, { Amount: 6 }))).toMatch(wanted);
    expect(refusal(await rest('POST', '/sobjects/Opportunity', { ...DEAL, Amount: 6 }))).toMatch(wanted);
    const { body } = await rest('GET', '/sobjects/Opportunity/describe');
    const amount = (body as { fields: { name: string }[] }).fields.find(({ name }) => name === 'Amount');
    expect(amount).toMatchObject({ createable: false, updateable: false, permissionable: true });
  });
});

describe('rows', () => {
  it('hidden from the user are in no answer, with what hangs on them', async () => {
    const [seen, hidden] = [await made(owner, 'Opportunity', DEAL), await made(owner, 'Opportunity', DEAL)];
    await made(rest, 'Lockstep_Sync__c', { Opportunity__c: hidden, Opportunity_Key__c: hidden });
    await except({ record: hidden, access: 'none' });
    const ids = (await rows(rest, 'SELECT Id FROM Opportunity')).map(({ Id }) => Id);
    expect(ids).toContain(seen);
    expect(ids).not.toContain(hidden);
    const children = `SELECT Id FROM Lockstep_Sync__c WHERE Opportunity_Key__c = '${hidden}'`;
    expect(await rows(rest, children)).toEqual([]);
    expect(await rows(owner, children)).toHaveLength(1);
    expect(refusal(await rest('GET', `/sobjects/Opportunity/${hidden}`))).toMatch(/^404 NOT_FOUND/);
    const { body } = await rest('GET', `/composite/sobjects/Opportunity?ids=${hidden}&fields=Id`);
    expect(body).toEqual([null]);
  });

  it('hidden from the user cannot be written, nor be pointed at', async () => {
    const hidden = await made(owner, 'Account', { Name: 'Hidden' });
    await except({ record: hidden, access: 'none' });
    const wanted =
      /^400 INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY: insufficient access rights on cross-reference id/;
    expect(refusal(await rest('PATCH', `/sobjects/Account/${hidden}`, { Website: 'x.example' }))).toMatch(wanted);
    expect(refusal(await rest('POST', '/sobjects/Opportunity', { ...DEAL, AccountId: hidden }))).toMatch(wanted);
  });

  it('of others are hidden by a private default, until the user has view all', async () => {
    await admin(simulator, 'PUT', 'sharing', { object: 'Opportunity', model: 'Private' });
    const theirs = await made(owner, 'Opportunity', DEAL);
    const mine = await made(rest, 'Opportunity', DEAL);
    const find = (id: string) => rows(rest, `SELECT Id FROM Opportunity WHERE Id = '${id}'`);
    expect(await find(theirs)).toHaveLength(1);
    const wanted = '403 INSUFFICIENT_ACCESS_OR_READONLY: insufficient access rights on object id';
    expect(refusal(await rest('PATCH', `/sobjects/Opportunity/${theirs}`, { Amount: 1 }))).toBe(wanted);
    const sync = { Opportunity__c: theirs, Opportunity_Key__c: theirs };
    expect(refusal(await rest('POST', '/sobjects/Lockstep_Sync__c', sync))).toBe(wanted);
    expect((await rest('PATCH', `/sobjects/Opportunity/${mine}`, { Amount: 1 })).status).toBe(204);
    await except({ record: theirs, access: 'edit' });
    expect((await rest('PATCH', `/sobjects/Opportunity/${theirs}`, { Amount: 1 })).status).toBe(204);
  });
});

describe('the admin surface', () => {
  it('shows who may do what, and refuses what it does not know', async () => {
    await except({ field: 'opportunity.amount', access: 'read' });
    const { body } = await admin(simulator, 'GET', 'access');
    expect(body).toMatchObject({
      users: [
        { isAdmin: true, permissionSets: [] },
        {
          isAdmin: false,
          permissionSets: ['Lockstep_Integration', 'Lockstep_Tell_Owners'],
          exceptions: [{ field: 'Opportunity.Amount', access: 'read' }],
        },
      ],
      sharing: {
        Opportunity: 'ReadWrite',
        Contact: 'ControlledByParent',
        Lockstep_Sync__c: 'ControlledByParent',
      },
    });
    const refused = [
      { user: 'nobody', object: 'Account', access: 'none' },
      { user: 'user', object: 'Nothing', access: 'none' },
      { user: 'user', field: 'Account.Nothing', access: 'none' },
      { user: 'user', object: 'Account', access: 'full' },
      { user: 'user', access: 'none' },
    ];
    for (const one of refused) expect((await admin(simulator, 'PUT', 'access', one)).status).toBe(400);
  });

  it('forgets what it said at a reset', async () => {
    await except({ object: 'Account', access: 'none' });
    await admin(simulator, 'POST', 'reset', {});
    expect((await rest('GET', '/sobjects/Account/describe')).status).toBe(200);
  });
});

describe.each([true, false])('a detail whose metadata says writeRequiresMasterRead %s', (readSuffices) => {
  const [object, grants] = [
    { label: 'Memo', pluralLabel: 'Memos', deploymentStatus: 'Deployed', sharingModel: 'ControlledByParent' },
    { allowRead: true, allowCreate: true, allowEdit: true, object: 'Memo__c' },
  ];
  const master = {
    ...{ fullName: 'Opportunity__c', label: 'Opportunity', type: 'MasterDetail', referenceTo: 'Opportunity' },
    ...{ relationshipName: 'Memos', reparentableMasterDetail: false, writeRequiresMasterRead: readSuffices },
  };
  const text = elements({ fullName: 'Text__c', label: 'Text', type: 'Text', length: 80 });
  const source = metadataSource({
    'objects/Memo__c/Memo__c.object-meta.xml': [
      'CustomObject',
      `${elements(object)}<nameField><label>Name</label><type>Text</type></nameField>`,
    ],
    'objects/Memo__c/fields/Opportunity__c.field-meta.xml': ['CustomField', elements(master)],
    'objects/Memo__c/fields/Text__c.field-meta.xml': ['CustomField', text],
    'permissionsets/Memos.permissionset-meta.xml': [
      'PermissionSet',
      `<label>Memos</label><objectPermissions>${elements(grants)}</objectPermissions>` +
        `<fieldPermissions>${elements({ editable: true, field: 'Memo__c.Text__c', readable: true })}</fieldPermissions>`,
    ],
  });
  let org: SalesforceSimulator;

  beforeAll(async () => {
    org = await startSalesforceSimulator({ packageDirs: [PACKAGE_DIR, source.dir] });
  });
  afterAll(async () => {
    await org.close();
    source.remove();
  });

  it('is written by who may read its master only if that suffices, and keeps its master', async () => {
    const [user, integration] = [restClient(org), restClient(org, org.integration.accessToken)];
    const parents = [await made(user, 'Opportunity', DEAL), await made(user, 'Opportunity', DEAL)];
    const memo = await made(user, 'Memo__c', { Name: 'Memo', Opportunity__c: parents[0] });
    await admin(org, 'PUT', 'access', { user: 'integration', record: parents[0], access: 'read' });
    const { status } = await integration('PATCH', `/sobjects/Memo__c/${memo}`, { Text__c: 'x' });
    expect(status).toBe(readSuffices ? 204 : 403);
    const moved = await user('PATCH', `/sobjects/Memo__c/${memo}`, { Opportunity__c: parents[1] });
    expect(refusal(moved)).toMatch(/^400 INVALID_FIELD_FOR_INSERT_UPDATE/);
    const { body } = await user('GET', '/sobjects/Memo__c/describe');
    expect(JSON.stringify(body)).toContain(`"writeRequiresMasterRead":${readSuffices}`);
  });
});
