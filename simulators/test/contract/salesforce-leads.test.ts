import { Connection } from 'jsforce';
import 'jsforce/lib/api/soap.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { elements, type MetadataSource, metadataSource } from '../support/metadata-source.ts';
import {
  admin,
  LEADS_DIR,
  LEADS_MAPPING_DIR,
  PACKAGE_DIR,
  type Receiver,
  type Rest,
  restClient,
  startReceiver,
} from '../support/salesforce-simulator.ts';
import { until } from '../support/until.ts';

/** Leads as the package for leads makes an org: owned by queues, with a history, assigned by rules, converted by a mapping. */

let simulator: SalesforceSimulator;
let receiver: Receiver;
let rest: Rest;
let connection: Connection;
let source: MetadataSource;

const CONVERTED = 'Closed - Converted';
const tree = (values: Readonly<Record<string, string | number | boolean>>, more: string) => elements(values) + more;

/** An assignment rule, a validation rule of opportunities, and a duplicate rule of contacts. */
const ORG = {
  'assignmentRules/Lead.assignmentRules-meta.xml': [
    'AssignmentRules',
    `<assignmentRule>${tree(
      { fullName: 'Standard', active: true },
      `<ruleEntry>${tree(
        { assignedTo: 'Iberia', assignedToType: 'Queue' },
        `<criteriaItems>${elements({ field: 'Lead.Country', operation: 'equals', value: 'Spain' })}</criteriaItems>`,
      )}</ruleEntry>`,
    )}</assignmentRule>`,
  ],
  'objects/Opportunity/validationRules/No_Blocked.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      fullName: 'No_Blocked',
      active: true,
      errorConditionFormula: 'CONTAINS(Name, "Blocked")',
      errorMessage: 'Blocked here',
    }),
  ],
  'duplicateRules/Contact.Twins.duplicateRule-meta.xml': [
    'DuplicateRule',
    tree(
      { actionOnInsert: 'Allow', actionOnUpdate: 'Allow', alertText: 'You’re creating a duplicate', isActive: true },
      `<operationsOnInsert>Alert</operationsOnInsert><operationsOnUpdate>Alert</operationsOnUpdate>${tree(
        { masterLabel: 'Twins', securityOption: 'EnforceSharingRules', sortOrder: 1 },
        `<duplicateRuleMatchRules>${elements({ matchRuleSObjectType: 'Contact', matchingRule: 'Same' })}</duplicateRuleMatchRules>`,
      )}`,
    ),
  ],
  'matchingRules/Contact.matchingRule-meta.xml': [
    'MatchingRules',
    `<matchingRules>${tree(
      { fullName: 'Same', ruleStatus: 'Active', label: 'Same' },
      `<matchingRuleItems>${elements({ fieldName: 'Email', matchingMethod: 'Exact', blankValueBehavior: 'NullNotAllowed' })}</matchingRuleItems>`,
    )}</matchingRules>`,
  ],
} as const;

beforeAll(async () => {
  receiver = await startReceiver();
  source = metadataSource(ORG);
  simulator = await startSalesforceSimulator({
    seed: 'empty',
    webhookUrl: receiver.url,
    packageDirs: [PACKAGE_DIR, LEADS_DIR, LEADS_MAPPING_DIR, source.dir],
    readMs: () => Date.parse('2027-05-13T20:00:00Z'),
  });
  rest = restClient(simulator);
  const { url: instanceUrl, user } = simulator;
  connection = new Connection({ instanceUrl, accessToken: user.accessToken, version: '67.0' });
});

afterAll(async () => {
  await simulator.close();
  await receiver.close();
  source.remove();
});

async function make(type: string, fields: object, headers = {}): Promise<string> {
  const { status, body } = await rest('POST', `/sobjects/${type}`, fields, headers);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return (body as { id: string }).id;
}

async function read(type: string, id: string | null | undefined): Promise<Record<string, unknown>> {
  const { status, body } = await rest('GET', `/sobjects/${type}/${id}`);
  expect(status).toBe(200);
  return body as Record<string, unknown>;
}

async function query(soql: string, client = rest): Promise<readonly Record<string, unknown>[]> {
  const { status, body } = await client('GET', `/query?q=${encodeURIComponent(soql)}`);
  expect([status, body]).toMatchObject([200, {}]);
  return (body as { records: Record<string, unknown>[] }).records;
}

const leadOf = (more: object = {}, headers = {}) =>
  make('Lead', { FirstName: 'Ida', LastName: 'Berg', Company: 'Bergwerk', ...more }, headers);

async function queueOf(name: string, objects: readonly string[] = ['Lead']): Promise<string> {
  const queue = await make('Group', { Name: name, DeveloperName: name, Type: 'Queue' });
  for (const SobjectType of objects) await make('QueueSobject', { QueueId: queue, SobjectType });
  return queue;
}

const convert = (leadId: string, more: object = {}) =>
  connection.soap.convertLead({ leadId, convertedStatus: CONVERTED, ...more });

/** The answer to a conversion whose envelope has this header beside the session's. */
async function convertBySoap(leadId: string, header: string): Promise<string> {
  const session = `<SessionHeader><sessionId>${simulator.user.accessToken}</sessionId></SessionHeader>`;
  const wanted = `<leadConverts>${elements({ convertedStatus: CONVERTED, leadId })}</leadConverts>`;
  const answer = await fetch(`${simulator.url}/services/Soap/u/67.0`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml', SOAPAction: '""' },
    body: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com"><e:Header>${session}${header}</e:Header><e:Body><convertLead>${wanted}</convertLead></e:Body></e:Envelope>`,
  });
  return answer.text();
}

describe('the owner of a lead', () => {
  it('is a user or a queue of leads, by name, by type and by TYPEOF', async () => {
    const queue = await queueOf('Inbound');
    const [owned, queued] = [await leadOf(), await leadOf({ OwnerId: queue })];
    const owners = `SELECT Owner.Name, Owner.Type FROM Lead WHERE Id IN ('${owned}', '${queued}') ORDER BY Owner.Type`;
    expect(await query(owners)).toMatchObject([
      { Owner: { Name: 'Inbound', Type: 'Group' } },
      { Owner: { Name: 'Claire Martin', Type: 'User' } },
    ]);
    const typed = `SELECT TYPEOF Owner WHEN User THEN Username WHEN Group THEN DeveloperName END FROM Lead WHERE Id = '${queued}'`;
    expect(await query(typed)).toMatchObject([{ Owner: { attributes: { type: 'Group' }, DeveloperName: 'Inbound' } }]);
  });

  it.each([
    ['a queue of other objects', () => queueOf('Cases only', ['Case'])],
    ['a group that is no queue', () => make('Group', { Name: 'Regular', DeveloperName: 'Regular', Type: 'Regular' })],
  ])('is not %s', async (_, group) => {
    const refused = await rest('POST', '/sobjects/Lead', { LastName: 'X', Company: 'Y', OwnerId: await group() });
    expect(refused).toMatchObject({
      status: 400,
      body: [{ message: 'Queue not associated with this SObject type', fields: ['OwnerId'] }],
    });
  });
});

describe('the assignment rules', () => {
  it('choose the owner of what REST creates and changes, unless its header says FALSE', async () => {
    const queue = await queueOf('Iberia');
    const user = (await read('Lead', await leadOf()))['OwnerId'];
    const off = { 'Sforce-Auto-Assign': 'FALSE' };
    expect((await read('Lead', await leadOf({ Country: 'Spain' })))['OwnerId']).toBe(queue);
    const id = await leadOf({ Country: 'Spain' }, off);
    expect((await read('Lead', id))['OwnerId']).toBe(user);
    await rest('PATCH', `/sobjects/Lead/${id}`, { Title: 'Dr.' }, off);
    expect((await read('Lead', id))['OwnerId']).toBe(user);
    await rest('PATCH', `/sobjects/Lead/${id}`, { Title: 'Prof.' });
    expect((await read('Lead', id))['OwnerId']).toBe(queue);
    const inParts = {
      compositeRequest: [
        { method: 'PATCH', url: `/services/data/v67.0/sobjects/Lead/${id}`, referenceId: 'a', body: { OwnerId: user } },
      ],
    };
    expect((await rest('POST', '/composite', inParts, off)).status).toBe(200);
    expect((await read('Lead', id))['OwnerId']).toBe(user);
    const [rule] = await query("SELECT Id, Name, Active FROM AssignmentRule WHERE SobjectType = 'Lead'");
    expect(rule).toMatchObject({ Name: 'Standard', Active: true });
    const byId = await leadOf({ Country: 'Spain' }, { 'Sforce-Auto-Assign': rule?.['Id'] });
    expect((await read('Lead', byId))['OwnerId']).toBe(queue);
  });
});

describe('a shared lead', () => {
  it('sends a message of its own, by its own action, when it is made, changed and converted', async () => {
    const { delivered } = (await admin(simulator, 'GET', 'outbound')).body as { delivered: number };
    const id = await leadOf({ Vendor_Share__c: true });
    await rest('PATCH', `/sobjects/Lead/${id}`, { Title: 'Dr.' });
    await convert(id, { doNotCreateOpportunity: true });
    await until('three messages are delivered', async () => {
      const { body } = await admin(simulator, 'GET', 'outbound');
      return (body as { delivered: number }).delivered === delivered + 3;
    });
    const bodies = receiver.deliveries.map(({ body }) => body).filter((body) => body.includes(id));
    const actionId = simulator.outboundActionIds.get('Lead.Lockstep_Lead_Changed');
    expect(actionId).not.toBe(simulator.outboundActionId);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) {
      expect(body).toContain('xsi:type="sf:Lead"');
      expect(body).toContain(`<ActionId>${actionId}</ActionId>`);
    }
  });

  it('has a history of its tracked fields, and of its conversion', async () => {
    const id = await leadOf();
    await rest('PATCH', `/sobjects/Lead/${id}`, { Company: 'Bergwerk AG', Title: 'not tracked' });
    await convert(id);
    const rows = await query(`SELECT Field, OldValue, NewValue FROM LeadHistory WHERE LeadId = '${id}'`);
    expect(rows.map(({ Field }) => Field)).toEqual(['created', 'Company', 'leadConverted', 'Status']);
    expect(rows[1]).toMatchObject({ OldValue: 'Bergwerk', NewValue: 'Bergwerk AG' });
  });

  it('keeps users from its vendor’s status, and is the integration user’s to read and write', async () => {
    const integration = restClient(simulator, simulator.integration.accessToken);
    const id = await leadOf({ Vendor_Share__c: true });
    const set = { Vendor_Id__c: 'V-1', Vendor_Status__c: 'LEAD_OPEN' };
    expect((await integration('PATCH', `/sobjects/Lead/${id}`, set)).status).toBe(204);
    const soql = `SELECT Vendor_Id__c, Address, Owner.Email FROM Lead WHERE Id = '${id}'`;
    expect(await query(soql, integration)).toMatchObject([{ Vendor_Id__c: 'V-1' }]);
    const refused = await rest('PATCH', `/sobjects/Lead/${id}`, { Vendor_Status__c: 'QUALIFIED' });
    expect(refused).toMatchObject({ status: 400, body: [{ errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION' }] });
  });

  it('has one row of what Lockstep reports, which moves with a merge', async () => {
    const [master, loser] = [await leadOf(), await leadOf()];
    const path = (id: string) => `/sobjects/Lockstep_Lead_Sync__c/Lead_Key__c/${id}`;
    for (const id of [master, loser])
      expect((await rest('PATCH', path(id), { Lead__c: id, Sync_State__c: 'In sync' })).status).toBe(201);
    expect((await rest('PATCH', path(loser), { Lead__c: loser, Sync_State__c: 'Pending' })).status).toBe(200);
    await admin(simulator, 'POST', `records/${master}/merge`, { loser });
    const rows = await query(`SELECT Lead_Key__c FROM Lockstep_Lead_Sync__c WHERE Lead__c = '${master}'`);
    expect(rows.map(({ Lead_Key__c }) => Lead_Key__c)).toEqual([master, loser]);
    const gone = await rest(
      'GET',
      `/queryAll?q=${encodeURIComponent(`SELECT IsDeleted, MasterRecordId FROM Lead WHERE Id = '${loser}'`)}`,
    );
    expect(gone.body).toMatchObject({ records: [{ IsDeleted: true, MasterRecordId: master }] });
  });
});

describe('a conversion', () => {
  it('fills fields of the account and the opportunity by the org’s mapping, and gives no defaults', async () => {
    const own = { Vendor_Site_Id__c: 'S-1', Vendor_Share__c: true, Vendor_Id__c: 'V-2', Vendor_Campaign_Code__c: 'C' };
    const { accountId, opportunityId } = await convert(await leadOf(own));
    expect(await read('Account', accountId)).toMatchObject({ Vendor_Site_Id__c: 'S-1' });
    expect(await read('Opportunity', opportunityId)).toMatchObject({
      ...{ Vendor_Share__c: true, Vendor_Id__c: 'V-2', Vendor_Campaign_Code__c: 'C' },
    });
  });

  it('into an opportunity that is there fills what is empty', async () => {
    const deal = { Name: 'There', StageName: 'Prospecting', CloseDate: '2027-12-31', Vendor_Campaign_Code__c: 'Own' };
    const opportunityId = await make('Opportunity', deal);
    const leadId = await leadOf({ Vendor_Share__c: true, Vendor_Campaign_Code__c: 'Lead', Vendor_Id__c: 'V-3' });
    expect(await convert(leadId, { opportunityId })).toMatchObject({ success: true, opportunityId });
    expect(await read('Opportunity', opportunityId)).toMatchObject({
      ...{ Name: 'There', Vendor_Campaign_Code__c: 'Own', Vendor_Id__c: 'V-3', Vendor_Share__c: true },
    });
  });

  it('by a sales person needs the rights to edit the lead and what it is converted into', async () => {
    const employed = await admin(simulator, 'POST', 'users', {
      lastName: 'Eve',
      permissionSets: ['Lockstep_Leads_User'],
    });
    const { id: eve, accessToken } = employed.body as { readonly id: string; readonly accessToken: string };
    const own = new Connection({ instanceUrl: simulator.url, accessToken, version: '67.0' });
    const accountId = await make('Account', { Name: 'There' });
    const leadId = await leadOf({ OwnerId: eve });
    const access = (level: string) =>
      admin(simulator, 'PUT', 'access', { user: eve, record: accountId, access: level });
    const wanted = { leadId, convertedStatus: CONVERTED, accountId } as const;
    for (const level of ['none', 'read']) {
      await access(level);
      expect(await own.soap.convertLead(wanted)).toMatchObject({ success: false });
    }
    await access('edit');
    expect(await own.soap.convertLead(wanted)).toMatchObject({ success: true, accountId });
  });

  it('of a lead of a queue needs a user as owner', async () => {
    const leadId = await leadOf({ OwnerId: await queueOf('Waiting') });
    const message = expect.stringContaining('Converted objects can only be owned by users.');
    expect(await convert(leadId)).toMatchObject({ success: false, errors: [{ message }] });
    const [user] = await query("SELECT Id FROM User WHERE Name = 'Claire Martin'");
    expect(await convert(leadId, { ownerId: user?.['Id'] })).toMatchObject({ success: true });
  });

  it('keeps to validation rules and duplicate rules of what it makes, and is undone by a refusal', async () => {
    const blocked = await convert(await leadOf({ Company: 'Blocked Ltd' }));
    expect(blocked).toMatchObject({
      success: false,
      errors: [{ statusCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION', message: 'Blocked here' }],
    });
    expect(await query("SELECT Id FROM Account WHERE Name = 'Blocked Ltd'")).toEqual([]);
    await make('Contact', { LastName: 'Berg', Email: 'twin@berg.example' });
    const leadId = await leadOf({ Email: 'twin@berg.example' });
    expect(await convert(leadId)).toMatchObject({
      success: false,
      errors: [{ statusCode: 'DUPLICATES_DETECTED', message: 'You’re creating a duplicate' }],
    });
    const header = '<DuplicateRuleHeader><allowSave>true</allowSave></DuplicateRuleHeader>';
    expect(await convertBySoap(leadId, header)).toContain('<success>true</success>');
  });

  it('is not made by a write of the status, nor by any resource of REST', async () => {
    const id = await leadOf();
    expect((await rest('PATCH', `/sobjects/Lead/${id}`, { Status: CONVERTED })).status).toBe(204);
    expect((await read('Lead', id))['IsConverted']).toBe(false);
    const inputs = [{ leadId: id, convertedStatus: CONVERTED }];
    expect((await rest('POST', '/actions/standard/convertLead', { inputs })).status).toBe(404);
  });

  it('is made for a sales person by the admin surface too, and refused as by the API', async () => {
    const leadId = await leadOf();
    const made = await admin(simulator, 'POST', `records/${leadId}/convert`, {});
    const { opportunityId } = made.body as { readonly opportunityId: string };
    expect(await read('Lead', leadId)).toMatchObject({ IsConverted: true, ConvertedOpportunityId: opportunityId });
    expect((await admin(simulator, 'POST', `records/${leadId}/convert`, {})).status).toBe(400);
    const alone = await leadOf();
    await admin(simulator, 'POST', `records/${alone}/convert`, { doNotCreateOpportunity: true });
    expect(await read('Lead', alone)).toMatchObject({ IsConverted: true, ConvertedOpportunityId: null });
  });

  it('leads to the statuses that an administrator has renamed', async () => {
    const picklists = { field: 'Lead.Status', value: CONVERTED, becomes: 'Done' };
    await admin(simulator, 'PUT', 'picklists', picklists);
    try {
      expect(await query('SELECT ApiName FROM LeadStatus WHERE IsConverted = true')).toMatchObject([
        { ApiName: 'Done' },
      ]);
      const leadId = await leadOf();
      expect(await convert(leadId)).toMatchObject({ success: false, errors: [{ statusCode: 'INVALID_STATUS' }] });
      expect(await convert(leadId, { convertedStatus: 'Done' })).toMatchObject({ success: true });
    } finally {
      await admin(simulator, 'DELETE', 'picklists');
    }
  });
});
