import assert from 'node:assert/strict';
import { changes } from './change-stream.ts';
import { answers, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const OBJECTS = 'Object Reference';
const SOAP = 'SOAP API Developer Guide';

const LEAD = { LastName: 'Berg', Company: 'Bergwerk' };
const CONVERTED = 'Closed - Converted';

/** Converts a lead as SOAP clients do, and gives the text of the answer. */
export async function convert(org: OrgUnderTest, leadId: string, convertedStatus: string, more = ''): Promise<string> {
  const wanted = `<leadConverts><convertedStatus>${convertedStatus}</convertedStatus><leadId>${leadId}</leadId>${more}</leadConverts>`;
  const session = `<SessionHeader><sessionId>${org.user.accessToken}</sessionId></SessionHeader>`;
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/" xmlns="urn:partner.soap.sforce.com"><e:Header>${session}</e:Header><e:Body><convertLead>${wanted}</convertLead></e:Body></e:Envelope>`;
  const answer = await org.call('POST', '/services/Soap/u/67.0', body, { 'content-type': 'text/xml' });
  assert.equal(answer.status, 200);
  return String(answer.body);
}

async function queueOf(org: OrgUnderTest, SobjectType: string): Promise<string> {
  const QueueId = await org.make('Group', { Name: 'Queue', DeveloperName: 'Queue', Type: 'Queue' });
  await org.make('QueueSobject', { QueueId, SobjectType });
  return QueueId;
}

const ofLead = (id: string, fields: string) => `SELECT ${fields} FROM Lead WHERE Id = '${id}'`;

/** Leads: their owners, their statuses and their conversion. */
export const LEAD_POINTS: readonly Point[] = [
  {
    claim: 'LeadStatus lists the statuses of leads, and which of them a conversion leads to.',
    source: `${OBJECTS}, "LeadStatus"`,
    sure: 'documented',
    holds: async (org) => {
      const found = await org.query('SELECT MasterLabel FROM LeadStatus WHERE IsConverted = true');
      assert.deepEqual(records(found), [{ MasterLabel: CONVERTED }]);
    },
  },
  {
    claim: 'A lead belongs to a user or to a queue, and Owner shows which.',
    source: `${OBJECTS}, "Lead": OwnerId; SOQL and SOSL Reference, "Relationship Fields and Polymorphic Fields"`,
    sure: 'documented',
    holds: async (org) => {
      const OwnerId = await queueOf(org, 'Lead');
      const id = await org.make('Lead', { ...LEAD, OwnerId });
      assert.partialDeepStrictEqual(records(await org.query(ofLead(id, 'Owner.Type, Owner.Name'))), [
        { Owner: { Type: 'Group', Name: 'Queue' } },
      ]);
    },
  },
  {
    claim: 'A queue owns rows of its own objects only.',
    source: `${OBJECTS}, "QueueSobject"; published answers: "Queue not associated with this SObject type"`,
    sure: 'published',
    holds: async (org) => {
      const OwnerId = await queueOf(org, 'Case');
      const message = 'Queue not associated with this SObject type';
      answers(await org.call('POST', '/sobjects/Lead', { ...LEAD, OwnerId }), 400, [{ message }]);
    },
  },
  {
    claim: 'A conversion makes of a lead an account, a contact and an opportunity that closes with the quarter.',
    source: `${SOAP}, "convertLead()"; Salesforce Help, "Lead Conversion Field Mapping"`,
    sure: 'documented',
    holds: async (org) => {
      await org.admin('PUT', 'clock', { now: '2027-05-13T20:00:00Z' });
      const id = await org.make('Lead', LEAD);
      assert.match(await convert(org, id, CONVERTED), /<success>true</);
      const lead = 'IsConverted, ConvertedAccount.Name, ConvertedContact.LastName';
      const deal = 'ConvertedOpportunity.Name, ConvertedOpportunity.CloseDate';
      assert.partialDeepStrictEqual(records(await org.query(`SELECT ${lead}, ${deal} FROM Lead`)), [
        {
          IsConverted: true,
          ConvertedAccount: { Name: 'Bergwerk' },
          ConvertedContact: { LastName: 'Berg' },
          ConvertedOpportunity: { Name: 'Bergwerk', CloseDate: '2027-06-30' },
        },
      ]);
    },
  },
  {
    claim: 'A conversion into an account, contact and opportunity that are there fills their empty fields only.',
    source: `${SOAP}, "convertLead()": usage`,
    sure: 'documented',
    holds: async (org) => {
      const accountId = await org.make('Account', { Name: 'Known', Phone: '2' });
      const id = await org.make('Lead', { ...LEAD, Phone: '1', Website: 'https://berg.example' });
      await convert(org, id, CONVERTED, `<accountId>${accountId}</accountId>`);
      answers(await org.call('GET', `/sobjects/Account/${accountId}`), 200, {
        ...{ Name: 'Known', Phone: '2', Website: 'https://berg.example' },
      });
    },
  },
  {
    claim: 'A lead is converted to a status of conversion only: INVALID_STATUS.',
    source: 'Published answers: "invalid convertedStatus"',
    sure: 'published',
    holds: async (org) => {
      const text = await convert(org, await org.make('Lead', LEAD), 'Closed - Not Converted');
      assert.match(text, /<message>invalid convertedStatus: Closed - Not Converted</);
      assert.match(text, /<statusCode>INVALID_STATUS</);
    },
  },
  {
    claim: 'The conversion of a lead of a queue names a user as owner.',
    source: `${SOAP}, "convertLead()": ownerId; published answers: "Converted objects can only be owned by users"`,
    sure: 'published',
    holds: async (org) => {
      const id = await org.make('Lead', { ...LEAD, OwnerId: await queueOf(org, 'Lead') });
      assert.match(await convert(org, id, CONVERTED), /<message>Converted objects can only be owned by users\./);
    },
  },
  {
    claim: 'A write of a status of conversion converts nothing.',
    source: `${OBJECTS}, "Lead": "Lead Status Picklist"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Lead', LEAD);
      answers(await org.call('PATCH', `/sobjects/Lead/${id}`, { Status: CONVERTED }), 204);
      assert.deepEqual(records(await org.query(ofLead(id, 'IsConverted'))), [{ IsConverted: false }]);
    },
  },
  {
    claim: 'REST has no resource that converts leads: actions/standard/convertLead is 404.',
    source: 'Published answers of orgs at v59.0 to v67.0; no guide names such an action',
    sure: 'published',
    holds: async (org) => {
      const inputs = [{ leadId: await org.make('Lead', LEAD), convertedStatus: CONVERTED }];
      assert.equal((await org.call('POST', '/actions/standard/convertLead', { inputs })).status, 404);
    },
  },
  {
    claim: 'A converted lead is read only: CANNOT_UPDATE_CONVERTED_LEAD.',
    source: `${SOAP}, "API Fault and Status Codes"; published answers: "cannot reference converted lead"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Lead', LEAD);
      await convert(org, id, CONVERTED);
      refuses(
        await org.call('PATCH', `/sobjects/Lead/${id}`, { Phone: '1' }),
        400,
        'CANNOT_UPDATE_CONVERTED_LEAD',
        'cannot reference converted lead',
      );
    },
  },
  {
    claim:
      'A conversion sends the change events of account, contact, opportunity and lead in this order, the last without LastModifiedDate.',
    source: 'Change Data Capture Developer Guide, "Change Events for Lead Conversion"',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Lead', LEAD);
      await convert(org, id, CONVERTED);
      const events = (await changes(org, '/data/ChangeEvents', 5)).slice(1);
      const heads = events.map(({ ChangeEventHeader: head }) => `${head.changeType} ${head.entityName}`);
      assert.deepEqual(heads, ['CREATE Account', 'CREATE Contact', 'CREATE Opportunity', 'UPDATE Lead']);
      const converted = ['ConvertedAccountId', 'ConvertedContactId', 'ConvertedDate', 'ConvertedOpportunityId'];
      const names = events.at(-1)?.ChangeEventHeader.changedFields.toSorted();
      assert.deepEqual(names, [...converted, 'IsConverted', 'Status']);
    },
  },
  {
    claim: 'A deleted lead that was merged names the lead that it was merged into.',
    source: `${OBJECTS}, "Lead": MasterRecordId; ${SOAP}, "merge()"`,
    sure: 'documented',
    holds: async (org) => {
      const [master, loser] = [await org.make('Lead', LEAD), await org.make('Lead', LEAD)];
      answers(await org.admin('POST', `records/${master}/merge`, { loser }), 200);
      const soql = encodeURIComponent(ofLead(loser, 'IsDeleted, MasterRecordId'));
      const gone = await org.call('GET', `/queryAll?q=${soql}`);
      assert.deepEqual(records(gone), [{ IsDeleted: true, MasterRecordId: master }]);
    },
  },
];
