import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type MetadataSource, metadataSource } from '../support/metadata-source.ts';
import { ORDERS_SOURCE } from '../support/orders-source.ts';
import { admin, PACKAGE_DIR, type Rest, type RestAnswer, restClient } from '../support/salesforce-simulator.ts';

/** An org made from Salesforce DX source of its own beside the CRM package: its rules hold on every write. */

let source: MetadataSource;
let simulator: SalesforceSimulator;
let rest: Rest;
let dealId: string;
const notices: string[] = [];

beforeAll(async () => {
  source = metadataSource(ORDERS_SOURCE);
  simulator = await startSalesforceSimulator({
    packageDirs: [PACKAGE_DIR, source.dir],
    notify: (sentence) => notices.push(sentence),
  });
  rest = restClient(simulator);
  dealId = await made('Opportunity', { Name: 'Deal', StageName: 'Prospecting', CloseDate: '2026-12-31' });
});

afterAll(async () => {
  await simulator.close();
  source.remove();
});

async function made(type: string, fields: object): Promise<string> {
  const { body, status } = await rest('POST', `/sobjects/${type}`, fields);
  expect([status, JSON.stringify(body)]).toEqual([201, expect.stringContaining('"success":true')]);
  return (body as { id: string }).id;
}

const order = (fields: object = {}) => made('Order__c', { Name: 'O', Opportunity__c: dealId, ...fields });
const item = (Order__c: string, Price__c: number | null) => made('Item__c', { Name: 'I', Order__c, Price__c });
const read = async (id: string) => {
  const { body } = await rest('GET', `/sobjects/Order__c/${id}`);
  return body as Readonly<Record<string, unknown>>;
};
const refusals = ({ status, body }: RestAnswer) =>
  (body as { errorCode: string; message: string; fields: string[] }[]).map(
    ({ errorCode, message, fields }) => `${status} ${errorCode}: ${message} [${fields}]`,
  );

/** What of the package is for people at their screens. */
const ONLY_SHOWN = [
  ...['app', 'dashboard', 'dashboardFolder', 'flexipage', 'layout', 'js', 'listView', 'compactLayout', 'webLink'],
  ...['quickAction', 'reportType', 'report', 'reportFolder', 'tab'],
];

it('says at its start what it does not simulate', () => {
  expect(notices).toEqual([
    'The field Order__c.Where__c is left out: its type Location is not simulated.',
    ...ONLY_SHOWN.map((kind) => expect.stringMatching(new RegExp(`^Not simulated, kind ${kind}: \\w.*\\.$`))),
    'Not simulated, kind trigger: OrderTrigger.',
    'The formula field Order__c.Broken__c reads as null: Unknown function GEOLOCATION. Check spelling (at 1).',
    'The validation rule Order__c.Unknown is left out: Unknown function VLOOKUP. Check spelling (at 1).',
  ]);
});

describe('defaults and formula fields', () => {
  it('are worked out when a row is made, and when it is read', async () => {
    const id = await order();
    const due = new Date(Date.now() + 30 * 86_400_000).toLocaleDateString('en-CA', {
      timeZone: 'Europe/Paris',
    });
    expect(await read(id)).toMatchObject({
      Status__c: 'New',
      Due__c: due,
      Label__c: 'Deal: 0',
      Broken__c: null,
      Ratio__c: null,
    });
    await rest('PATCH', `/sobjects/Opportunity/${dealId}`, { Name: 'Renamed' });
    const { body } = await rest(
      'GET',
      `/query?q=${encodeURIComponent(`SELECT Label__c FROM Order__c WHERE Id = '${id}' AND Label__c LIKE 'Renamed%'`)}`,
    );
    expect(body).toMatchObject({ records: [{ Label__c: 'Renamed: 0' }] });
    await rest('PATCH', `/sobjects/Opportunity/${dealId}`, { Name: 'Deal' });
  });

  it('can be described and cannot be written', async () => {
    const { body } = await rest('GET', '/sobjects/Order__c/describe');
    const { fields } = body as { fields: { name: string }[] };
    expect(fields.find(({ name }) => name === 'Label__c')).toMatchObject({
      type: 'string',
      calculated: true,
      calculatedFormula: "Opportunity__r.Name & ': ' & TEXT(Total__c)",
      createable: false,
    });
    expect(fields.find(({ name }) => name === 'Total__c')).toMatchObject({
      type: 'currency',
      scale: 2,
      updateable: false,
    });
    const written = await rest('PATCH', `/sobjects/Order__c/${await order()}`, {
      Label__c: 'x',
      Total__c: 1,
    });
    expect(refusals(written)).toEqual([
      expect.stringMatching(/^400 INVALID_FIELD_FOR_INSERT_UPDATE: .*Label__c, Total__c/),
    ]);
  });
});

describe('roll-ups', () => {
  it('follow details that come, change, go and come back, and move no stamp', async () => {
    const id = await order();
    const before = await read(id);
    const [first, second] = [await item(id, 20.5), await item(id, 5)];
    await item(id, null);
    expect(await read(id)).toMatchObject({
      Total__c: 25.5,
      Open_Items__c: 1,
      Label__c: 'Deal: 25.5',
      Ratio__c: 3.92,
    });
    await rest('PATCH', `/sobjects/Item__c/${second}`, { Price__c: 30 });
    expect(await read(id)).toMatchObject({ Total__c: 50.5, Open_Items__c: 2 });
    await rest('DELETE', `/sobjects/Item__c/${first}`);
    expect(await read(id)).toMatchObject({ Total__c: 30, Open_Items__c: 1 });
    await admin(simulator, 'POST', `records/${first}/undelete`);
    const after = await read(id);
    expect(after).toMatchObject({ Total__c: 50.5, SystemModstamp: before['SystemModstamp'] });
  });

  it('refuse a detail by which their row breaks a rule of its own', async () => {
    const id = await order();
    const refused = await rest('POST', '/sobjects/Item__c', { Name: 'I', Order__c: id, Price__c: 2000 });
    expect(refusals(refused)).toEqual(['400 FIELD_CUSTOM_VALIDATION_EXCEPTION: Orders end at 1000. []']);
    expect(await read(id)).toMatchObject({ Total__c: 0 });
  });
});

describe('validation rules', () => {
  const wanted = '400 FIELD_CUSTOM_VALIDATION_EXCEPTION: An order without items cannot be done. [Status__c]';

  it('refuse what they say, alone, in a collection and in an upsert', async () => {
    const id = await order();
    expect(refusals(await rest('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'Done' }))).toEqual([wanted]);
    const { body } = await rest('PATCH', '/composite/sobjects', {
      records: [{ attributes: { type: 'Order__c' }, id, Status__c: 'Done' }],
    });
    expect(body).toMatchObject([
      {
        success: false,
        errors: [{ statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', fields: ['Status__c'] }],
      },
    ]);
    expect(refusals(await rest('PATCH', `/sobjects/Order__c/Id/${id}`, { Status__c: 'Done' }))).toEqual([wanted]);
    expect(await read(id)).toMatchObject({ Status__c: 'New' });
  });

  it('know the row before, and who saves', async () => {
    const id = await order();
    await item(id, 1);
    expect((await rest('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'Done' })).status).toBe(204);
    expect((await rest('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'New' })).status).toBe(204);
    await rest('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'Done' });
    await admin(simulator, 'PUT', 'access', { user: 'integration', object: 'Order__c', access: 'edit' });
    await admin(simulator, 'PUT', 'access', {
      user: 'integration',
      field: 'Order__c.Status__c',
      access: 'edit',
    });
    const other = restClient(simulator, simulator.integration.accessToken);
    const refused = await other('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'New' });
    expect(refusals(refused)).toEqual(['400 FIELD_CUSTOM_VALIDATION_EXCEPTION: Done is done. []']);
  });
});

describe('lookups', () => {
  it('that are required are missed, and keep their row from being deleted', async () => {
    const refused = await rest('POST', '/sobjects/Order__c', { Name: 'O' });
    expect(refusals(refused)).toEqual([expect.stringMatching(/^400 REQUIRED_FIELD_MISSING: .*Opportunity__c/)]);
    const own = await made('Opportunity', { Name: 'Own', StageName: 'Prospecting', CloseDate: '2026-12-31' });
    const id = await order({ Opportunity__c: own });
    expect(refusals(await rest('DELETE', `/sobjects/Opportunity/${own}`))).toEqual([
      '400 DELETE_FAILED: Your attempt to delete Own could not be completed because it is associated with the following orders.: O []',
    ]);
    await rest('DELETE', `/sobjects/Order__c/${id}`);
    expect((await rest('DELETE', `/sobjects/Opportunity/${own}`)).status).toBe(204);
  });

  it('do not make somebody an owner who left', async () => {
    const { body } = await rest(
      'GET',
      `/query?q=${encodeURIComponent("SELECT Id FROM User WHERE Alias = 'integrat'")}`,
    );
    const { records } = body as { records: { Id: string }[] };
    const userId = records[0]?.Id ?? '';
    await admin(simulator, 'PATCH', `records/${userId}`, { set: { IsActive: false } });
    const refused = await rest('PATCH', `/sobjects/Opportunity/${dealId}`, { OwnerId: userId });
    await admin(simulator, 'PATCH', `records/${userId}`, { set: { IsActive: true } });
    expect(refusals(refused)).toEqual([
      `400 INACTIVE_OWNER_OR_USER: operation performed with inactive user [${userId.slice(0, 15)}] as owner of opportunity []`,
    ]);
  });
});

describe('record types', () => {
  const types = async () => {
    const { body } = await rest(
      'GET',
      `/query?q=${encodeURIComponent("SELECT Id, Name FROM RecordType WHERE SobjectType = 'Order__c'")}`,
    );
    return (body as { records: { Id: string; Name: string }[] }).records;
  };

  it('are rows, are described, and offer some values of a restricted picklist', async () => {
    const [plain] = await types();
    expect(plain).toMatchObject({ Name: 'Plain order' });
    const { body } = await rest('GET', '/sobjects/Order__c/describe');
    expect(body).toMatchObject({
      recordTypeInfos: [
        { recordTypeId: plain?.Id, developerName: 'Plain', available: true, master: false },
        { master: true },
      ],
    });
    const id = await order({ RecordTypeId: plain?.Id });
    expect(refusals(await rest('PATCH', `/sobjects/Order__c/${id}`, { Status__c: 'Rush' }))).toEqual([
      '400 INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST: Status__c: bad value for restricted picklist field: Rush [Status__c]',
    ]);
    const master = await order();
    expect((await rest('PATCH', `/sobjects/Order__c/${master}`, { Status__c: 'Rush' })).status).toBe(204);
  });

  it('tell their values by the User Interface API, of each field or of all', async () => {
    const [plain] = await types();
    const of = (id: unknown, field = '') => rest('GET', `/ui-api/object-info/Order__c/picklist-values/${id}${field}`);
    const path = `/services/data/v67.0/ui-api/object-info/Order__c/picklist-values/${plain?.Id}/Status__c`;
    const value = (text: string) => ({ attributes: null, label: text, validFor: [], value: text });
    const narrowed = { controllerValues: {}, defaultValue: null, url: path };
    expect((await of(plain?.Id)).body).toMatchObject({
      eTag: expect.any(String),
      picklistFieldValues: { Status__c: { ...narrowed, values: [value('New'), value('Done')] } },
    });
    expect((await of(plain?.Id, '/Status__c')).body).toMatchObject(narrowed);
    expect((await of('012000000000000AAA', '/Status__c')).body).toMatchObject({
      defaultValue: value('New'),
      values: [value('New'), value('Done'), value('Rush')],
    });
    expect(refusals(await of(plain?.Id, '/Total__c'))).toEqual([
      '400 INVALID_FIELD: Field Total__c is not a picklist. [undefined]',
    ]);
    const stages = await rest('GET', '/ui-api/object-info/Opportunity/picklist-values/012000000000000AAA/StageName');
    expect((stages.body as { values: unknown[] }).values[0]).toEqual({
      attributes: {
        closed: false,
        defaultProbability: 10,
        forecastCategoryName: 'Pipeline',
        picklistAtrributesValueType: 'OpportunityStage',
        won: false,
      },
      label: 'Prospecting',
      validFor: [],
      value: 'Prospecting',
    });
    const ofAnother = await rest('GET', `/ui-api/object-info/Opportunity/picklist-values/${plain?.Id}/StageName`);
    expect(ofAnother.status).toBe(404);
    expect(refusals(await rest('GET', '/ui-api/object-info/Task/picklist-values/012000000000000AAA'))).toEqual([
      '400 INVALID_TYPE: Object Task is not supported in UI API [undefined]',
    ]);
  });

  it('are only for users who have them', async () => {
    const [plain] = await types();
    await admin(simulator, 'PUT', 'access', { user: 'integration', object: 'Order__c', access: 'edit' });
    const other = restClient(simulator, simulator.integration.accessToken);
    const fields = { Name: 'O', Opportunity__c: dealId, RecordTypeId: plain?.Id };
    expect(refusals(await other('POST', '/sobjects/Order__c', fields))).toEqual([
      `400 INVALID_CROSS_REFERENCE_KEY: Record Type ID: this ID value isn't valid for the user: ${plain?.Id} [RecordTypeId]`,
    ]);
  });
});

describe('duplicate rules', () => {
  it('refuse a duplicate until the client says that it is meant, where they only warn', async () => {
    const site = { Website: 'https://one.example' };
    const first = await made('Account', { Name: 'One', ...site });
    const twin = await rest('POST', '/sobjects/Account', { Name: 'Two', Website: 'HTTPS://one.example' });
    expect(twin).toMatchObject({
      status: 400,
      body: [
        {
          errorCode: 'DUPLICATES_DETECTED',
          message: 'Use one of these records?',
          duplicateResut: {
            allowSave: true,
            matchResults: [{ size: 1, matchRecords: [{ record: { Id: first } }] }],
          },
        },
      ],
    });
    const header = { 'Sforce-Duplicate-Rule-Header': 'allowSave=true' };
    expect((await rest('POST', '/sobjects/Account', { Name: 'Two', ...site }, header)).status).toBe(201);
    const third = await made('Account', { Name: 'Three' });
    const blocked = await rest('PATCH', `/sobjects/Account/${third}`, site, header);
    expect(blocked).toMatchObject({ status: 400, body: [{ duplicateResut: { allowSave: false } }] });
  });
});

describe('before-save automations', () => {
  it('rewrite what is saved, as the admin says', async () => {
    const rewrite = {
      object: 'Order__c',
      on: 'update',
      when: 'ISCHANGED(Name)',
      set: { Name: 'UPPER(Name)', Due__c: 'DATE(2030, 1, 1)' },
    };
    expect((await admin(simulator, 'POST', 'automations', rewrite)).status).toBe(201);
    const id = await order({ Name: 'low' });
    expect(await read(id)).toMatchObject({ Name: 'low' });
    await rest('PATCH', `/sobjects/Order__c/${id}`, { Name: 'lower' });
    expect(await read(id)).toMatchObject({ Name: 'LOWER', Due__c: '2030-01-01' });
    const wrong = await admin(simulator, 'POST', 'automations', { ...rewrite, set: { Name: 'NOPE()' } });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { message: 'Unknown function NOPE. Check spelling (at 1)' } },
    });
    expect((await admin(simulator, 'DELETE', 'automations')).status).toBe(204);
    await rest('PATCH', `/sobjects/Order__c/${id}`, { Name: 'again' });
    expect(await read(id)).toMatchObject({ Name: 'again' });
  });
});
