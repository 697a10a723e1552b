import { Connection } from 'jsforce';
import 'jsforce/lib/api/soap.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalesforceSimulator, startSalesforceSimulator } from '../../src/salesforce/start.ts';
import { type Rest, restClient } from '../support/salesforce-simulator.ts';

/** The calls of the SOAP API, as jsforce makes them and as they go over the wire. */

let simulator: SalesforceSimulator;
let rest: Rest;
let connection: Connection;

const CONVERTED = 'Closed - Converted';

beforeAll(async () => {
  simulator = await startSalesforceSimulator({
    seed: 'empty',
    readMs: () => Date.parse('2027-05-13T20:00:00Z'),
  });
  rest = restClient(simulator);
  const { url: instanceUrl, user } = simulator;
  connection = new Connection({ instanceUrl, accessToken: user.accessToken, version: '67.0' });
});

afterAll(() => simulator.close());

async function make(type: string, fields: object): Promise<string> {
  const { status, body } = await rest('POST', `/sobjects/${type}`, fields);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return (body as { id: string }).id;
}

async function read(type: string, id: string | null | undefined): Promise<Record<string, unknown>> {
  const { status, body } = await rest('GET', `/sobjects/${type}/${id}`);
  expect(status).toBe(200);
  return body as Record<string, unknown>;
}

const leadOf = (more: object = {}) =>
  make('Lead', {
    ...{ FirstName: 'Ida', LastName: 'Berg', Company: 'Bergwerk', Email: 'ida@berg.example' },
    ...{ Phone: '1', City: 'Goslar', LeadSource: 'Web', Industry: 'Energy', AnnualRevenue: 5 },
    ...more,
  });

describe('convertLead()', () => {
  it('makes an account, a contact and an opportunity, and closes the lead', async () => {
    const leadId = await leadOf();
    const result = await connection.soap.convertLead({ leadId, convertedStatus: CONVERTED });
    expect(result).toMatchObject({ success: true, leadId });
    const { accountId, contactId, opportunityId } = result;
    expect(await read('Account', accountId)).toMatchObject({
      ...{ Name: 'Bergwerk', Phone: '1', BillingCity: 'Goslar', Industry: 'Energy', AnnualRevenue: 5 },
    });
    expect(await read('Contact', contactId)).toMatchObject({
      ...{ Name: 'Ida Berg', AccountId: accountId, Email: 'ida@berg.example', MailingCity: 'Goslar' },
      LeadSource: 'Web',
    });
    expect(await read('Opportunity', opportunityId)).toMatchObject({
      ...{ Name: 'Bergwerk', AccountId: accountId, StageName: 'Prospecting', CloseDate: '2027-06-30' },
      LeadSource: 'Web',
    });
    expect(await read('Lead', leadId)).toMatchObject({
      ...{ Status: CONVERTED, IsConverted: true, ConvertedDate: '2027-05-13' },
      ...{ ConvertedAccountId: accountId, ConvertedContactId: contactId },
      ConvertedOpportunityId: opportunityId,
    });
    const roles = await rest('GET', `/sobjects/Opportunity/${opportunityId}/OpportunityContactRoles`);
    expect(roles.body).toMatchObject({ records: [{ ContactId: contactId, IsPrimary: true }] });
  });

  it('fills the empty fields of an account that is given, and makes no opportunity where it is asked to', async () => {
    const accountId = await make('Account', { Name: 'Known', Phone: '2' });
    const wanted = { accountId, convertedStatus: CONVERTED, doNotCreateOpportunity: true };
    const [result] = await connection.soap.convertLead([{ ...wanted, leadId: await leadOf() }]);
    expect(result).toMatchObject({ success: true, accountId, opportunityId: null });
    expect(await read('Account', accountId)).toMatchObject({
      Name: 'Known',
      Phone: '2',
      BillingCity: 'Goslar',
    });
    const contactId = result?.contactId;
    await rest('PATCH', `/sobjects/Contact/${contactId}`, { LeadSource: 'Other' });
    const more = { ...wanted, contactId: contactId ?? '', overwriteLeadSource: true };
    const again = await connection.soap.convertLead({ ...more, leadId: await leadOf({ FirstName: 'Eva' }) });
    expect(again).toMatchObject({ success: true, contactId });
    expect(await read('Contact', contactId)).toMatchObject({ FirstName: 'Ida', LeadSource: 'Web' });
  });

  it('moves what was to be done about the lead', async () => {
    const leadId = await leadOf();
    const taskId = await make('Task', { Subject: 'Call', WhoId: leadId });
    const { contactId, opportunityId } = await connection.soap.convertLead({
      leadId,
      convertedStatus: CONVERTED,
    });
    expect(await read('Task', taskId)).toMatchObject({ WhoId: contactId, WhatId: opportunityId });
  });

  it('leaves a lead that can be read, and written no more', async () => {
    const leadId = await leadOf();
    const wanted = { leadId, convertedStatus: CONVERTED };
    await connection.soap.convertLead(wanted);
    const refused = {
      errorCode: 'CANNOT_UPDATE_CONVERTED_LEAD',
      message: 'cannot reference converted lead',
    };
    const written = await rest('PATCH', `/sobjects/Lead/${leadId}`, { Phone: '3' });
    expect(written).toMatchObject({ status: 400, body: [refused] });
    expect(await connection.soap.convertLead(wanted)).toMatchObject({
      success: false,
      errors: [{ statusCode: 'CANNOT_UPDATE_CONVERTED_LEAD' }],
    });
  });

  it.each([
    ['a status that converts nothing', { convertedStatus: 'Closed - Not Converted' }, 'INVALID_STATUS'],
    ['no status', {}, 'INVALID_STATUS'],
    [
      'the name of no opportunity',
      { convertedStatus: CONVERTED, doNotCreateOpportunity: true, opportunityName: 'X' },
      'INVALID_FIELD',
    ],
    [
      'an account that is not there',
      { convertedStatus: CONVERTED, accountId: '001000000000001AAA' },
      'INVALID_CROSS_REFERENCE_KEY',
    ],
  ])('refuses %s, and leaves everything as it is', async (_, wanted, statusCode) => {
    const leadId = await leadOf();
    const before = await rest('GET', '/query?q=SELECT+COUNT()+FROM+Account');
    const result = await connection.soap.convertLead({ leadId, ...wanted });
    expect(result).toMatchObject({ success: false, errors: [{ statusCode }], accountId: null });
    expect((await read('Lead', leadId))['IsConverted']).toBe(false);
    expect((await rest('GET', '/query?q=SELECT+COUNT()+FROM+Account')).body).toEqual(before.body);
  });

  it('undoes what it made when a later row of the conversion is refused', async () => {
    const leadId = await leadOf({ Company: 'Undone' });
    const result = await connection.soap.convertLead({
      leadId,
      convertedStatus: CONVERTED,
      opportunityName: 'N'.repeat(121),
    });
    expect(result).toMatchObject({ success: false, errors: [{ statusCode: 'STRING_TOO_LONG' }] });
    const left = await rest('GET', "/query?q=SELECT+Id+FROM+Account+WHERE+Name+=+'Undone'");
    expect(left.body).toMatchObject({ totalSize: 0 });
  });

  it('is not for a user without the permission to convert', async () => {
    const { url: instanceUrl, integration } = simulator;
    const theirs = new Connection({ instanceUrl, accessToken: integration.accessToken, version: '67.0' });
    const result = await theirs.soap.convertLead({ leadId: await leadOf(), convertedStatus: CONVERTED });
    expect(result).toMatchObject({
      success: false,
      errors: [{ statusCode: 'INSUFFICIENT_ACCESS_OR_READONLY' }],
    });
  });
});

describe('undelete()', () => {
  it('brings rows back, each by itself', async () => {
    const id = await make('Contact', { LastName: 'Back' });
    await rest('DELETE', `/sobjects/Contact/${id}`);
    const results = await connection.soap.undelete([id, 'no id']);
    expect(results).toMatchObject([
      { success: true, id },
      { success: false, id: null },
    ]);
    expect((await read('Contact', id))['LastName']).toBe('Back');
  });
});

describe('over the wire', () => {
  const post = async (call: string, { door = 'u/67.0', session = simulator.user.accessToken } = {}) => {
    const answer = await fetch(`${simulator.url}/services/Soap/${door}`, {
      method: 'POST',
      headers: { 'content-type': 'text/xml', SOAPAction: '""' },
      body: `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns:p="urn:partner.soap.sforce.com" xmlns:c="urn:enterprise.soap.sforce.com"><e:Header><p:SessionHeader><p:sessionId>${session}</p:sessionId></p:SessionHeader></e:Header><e:Body>${call}</e:Body></e:Envelope>`,
    });
    return { status: answer.status, text: await answer.text() };
  };

  it('answers by the partner and by the enterprise door, each in its namespace', async () => {
    const partner = await post('<p:getServerTimestamp/>');
    expect(partner.status).toBe(200);
    expect(partner.text).toContain('<timestamp>2027-05-13T20:00:00.000Z</timestamp>');
    expect((await post('<c:getServerTimestamp/>', { door: 'c/67.0/00D000000000001' })).status).toBe(200);
  });

  describe('merge()', () => {
    const merging = (type: string, master: string, losers: readonly string[], more = '') => {
      const ids = losers.map((id) => `<p:recordToMergeIds>${id}</p:recordToMergeIds>`).join('');
      const record = `<p:type>${type}</p:type><p:Id>${master}</p:Id>${more}`;
      return `<p:merge><p:request><p:masterRecord>${record}</p:masterRecord>${ids}</p:request></p:merge>`;
    };

    it('keeps the master record with the values that are given, and moves what hung on the others', async () => {
      const [master, loser] = [await leadOf(), await leadOf({ Company: 'Twin' })];
      const taskId = await make('Task', { WhoId: loser });
      const more =
        '<p:Phone>7</p:Phone><p:IsUnreadByOwner>true</p:IsUnreadByOwner><p:fieldsToNull>City</p:fieldsToNull>';
      const { status, text } = await post(merging('Lead', master, [loser], more));
      expect([status, text]).toEqual([200, expect.stringContaining('<success>true</success>')]);
      expect(text).toContain(`<mergedRecordIds>${loser}</mergedRecordIds>`);
      expect(text).toContain(`<updatedRelatedIds>${taskId}</updatedRelatedIds>`);
      expect(await read('Lead', master)).toMatchObject({ Phone: '7', City: null, IsUnreadByOwner: true });
      expect((await read('Task', taskId))['WhoId']).toBe(master);
      expect((await rest('GET', `/sobjects/Lead/${loser}`)).status).toBe(404);
    });

    it.each([
      ['three others', 'Lead', 3, 'INVALID_NUMBER_FIELDS'],
      ['objects that cannot be merged', 'Opportunity', 1, 'INVALID_TYPE_FOR_OPERATION'],
    ])('refuses %s', async (_, type, count, code) => {
      const losers = await Promise.all(Array.from({ length: count }, () => leadOf()));
      const { status, text } = await post(merging(type, await leadOf(), losers));
      expect(status).toBe(200);
      expect(text).toContain(`<statusCode>${code}</statusCode>`);
      expect((await read('Lead', losers[0]))['Id']).toBe(losers[0]);
    });

    it('undoes it all when one of the others cannot be merged', async () => {
      const [master, loser] = [await leadOf({ Phone: '1' }), await leadOf()];
      const losers = [loser, '00Q000000000001AAA'];
      const { text } = await post(merging('Lead', master, losers, '<p:Phone>9</p:Phone>'));
      expect(text).toContain('<statusCode>INVALID_CROSS_REFERENCE_KEY</statusCode>');
      expect((await read('Lead', master))['Phone']).toBe('1');
      expect((await read('Lead', loser))['Id']).toBe(loser);
    });
  });

  it.each([
    ['a call of the other door', '<c:convertLead/>', {}, 'No operation available for request {urn:enterprise'],
    ['a call that is none', '<p:fly/>', {}, 'No operation available for request {urn:partner'],
    ['a session that is none', '<p:convertLead/>', { session: 'x' }, '<faultcode>sf:INVALID_SESSION_ID<'],
    ['a version that is none', '<p:convertLead/>', { door: 'u/3.0' }, 'UNSUPPORTED_API_VERSION'],
    ['what is no envelope', '<p:convertLead', {}, '<faultcode>soapenv:Client<'],
    ['more leads than 100', `<p:convertLead>${'<p:leadConverts/>'.repeat(101)}</p:convertLead>`, {}, 'LIMIT'],
  ])('answers %s with a fault', async (_, call, how, expected) => {
    const { status, text } = await post(call, how);
    expect(status).toBe(500);
    expect(text).toContain(expected);
  });
});

describe('another door', () => {
  it.each(['T', 's'])('/services/Soap/%s is not there', async (door) => {
    const { status } = await fetch(`${simulator.url}/services/Soap/${door}/67.0`, {
      method: 'POST',
      body: '<x/>',
    });
    expect(status).toBe(404);
  });
});
