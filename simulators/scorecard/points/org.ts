import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { answers, DEAL, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const REST = 'REST API Developer Guide';
const LIMITS = 'Salesforce Developer Limits and Allocations Quick Reference';

const form = (org: OrgUnderTest, path: string, fields: Readonly<Record<string, string>>) =>
  org.call('POST', path, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });

const asIntegration = (org: OrgUnderTest) => ({ authorization: `Bearer ${org.integration.accessToken}` });

/** What an org is, who may do what in it, what it limits, and whom it tells. */
export const ORG_POINTS: readonly Point[] = [
  {
    claim: 'Versions are listed without a session; all else needs one: 401 INVALID_SESSION_ID.',
    source: `${REST}, "Versions", "Status Codes and Error Responses"`,
    sure: 'documented',
    holds: async (org) => {
      const versions = await org.call('GET', '/services/data', undefined, { authorization: '' });
      answers(versions, 200);
      assert.ok((versions.body as { version: string }[]).some(({ version }) => version === '67.0'));
      const refused = await org.call('GET', '/limits', undefined, { authorization: 'Bearer nobody' });
      refuses(refused, 401, 'INVALID_SESSION_ID', 'Session expired or invalid');
    },
  },
  {
    claim: 'A session begins with client credentials and ends when it is revoked.',
    source: 'Salesforce Help, "OAuth 2.0 Client Credentials Flow", "Revoke OAuth Tokens"',
    sure: 'documented',
    holds: async (org) => {
      const { clientId, clientSecret } = org.user;
      const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const answer = await form(org, '/services/oauth2/token', grant);
      answers(answer, 200, { instance_url: org.origin, token_type: 'Bearer' });
      const { access_token: token } = answer.body as { access_token: string };
      const limits = () => org.call('GET', '/limits', undefined, { authorization: `Bearer ${token}` });
      answers(await limits(), 200);
      answers(await form(org, '/services/oauth2/revoke', { token }), 200);
      answers(await limits(), 401);
    },
  },
  {
    claim: 'Objects are listed and described, with their last rows looked at.',
    source: `${REST}, "Describe Global", "sObject Basic Information", "sObject Describe"`,
    sure: 'documented',
    holds: async (org) => {
      answers(await org.call('GET', '/sobjects'), 200, { encoding: 'UTF-8', maxBatchSize: 200 });
      answers(await org.call('GET', '/sobjects/Account'), 200, {
        objectDescribe: { name: 'Account' },
        recentItems: [],
      });
      const { body } = await org.call('GET', '/sobjects/Opportunity/describe');
      const { fields } = body as { fields: { name: string; nillable: boolean; type: string }[] };
      assert.partialDeepStrictEqual(
        fields.find(({ name }) => name === 'CloseDate'),
        { nillable: false, type: 'date' },
      );
    },
  },
  {
    claim: 'The User Interface API gives the picklist values that a record type offers; no describe gives them.',
    source: 'User Interface API Developer Guide, "Picklist Values", "Picklist Values Collection"',
    sure: 'documented',
    holds: async (org) => {
      const all = '/ui-api/object-info/Opportunity/picklist-values/012000000000000AAA';
      const first = { label: 'Prospecting', validFor: [], value: 'Prospecting' };
      answers(await org.call('GET', all), 200, {
        picklistFieldValues: { StageName: { controllerValues: {} } },
      });
      const { body } = await org.call('GET', `${all}/StageName`);
      assert.partialDeepStrictEqual((body as { values: unknown[] }).values[0], first);
      refuses(await org.call('GET', `${all}/Name`), 400, 'INVALID_FIELD', 'Field Name is not a picklist.');
    },
  },
  {
    claim: 'Pages of an org are described: layouts for approval, and the list views with their SOQL.',
    source: `${REST}, "sObject ApprovalLayouts", "Describe List View"`,
    sure: 'documented',
    holds: async (org) => {
      answers(await org.call('GET', '/sobjects/Account/describe/approvalLayouts'), 200, {
        approvalLayouts: [],
      });
      const { body } = await org.call('GET', '/sobjects/Account/listviews');
      const [view] = (body as { listviews: { describeUrl: string }[] }).listviews;
      answers(await org.call('GET', view?.describeUrl ?? ''), 200, { sobjectType: 'Account' });
    },
  },
  {
    claim: 'Every answer names the calls of the day; when they are used up: 403 REQUEST_LIMIT_EXCEEDED.',
    source: `${REST}, "Limit Info Header"; ${LIMITS}, "API Request Limits and Allocations"`,
    sure: 'documented',
    holds: async (org) => {
      await org.admin('PUT', 'quota', { limit: 1, windowSeconds: 86_400 });
      const { headers, body } = await org.call('GET', '/limits');
      assert.equal(headers.get('sforce-limit-info'), 'api-usage=1/1');
      assert.partialDeepStrictEqual(body, { DailyApiRequests: { Max: 1, Remaining: 0 } });
      refuses(await org.call('GET', '/limits'), 403, 'REQUEST_LIMIT_EXCEEDED', 'TotalRequests Limit exceeded.');
    },
  },
  {
    claim: 'A query of more than 100,000 characters is MALFORMED_QUERY.',
    source: `${LIMITS}, "SOQL and SOSL Limits"; message as published`,
    sure: 'documented',
    holds: async (org) => {
      const ofLength = (length: number) => {
        const soql = `${`SELECT Id FROM Account WHERE Name = '`.padEnd(length - 1, 'x')}'`;
        const url = `v67.0/query/?q=${encodeURIComponent(soql)}`;
        return org.call('POST', '/composite/batch', { batchRequests: [{ method: 'GET', url }] });
      };
      answers(await ofLength(100_000), 200, { results: [{ statusCode: 200 }] });
      const message = 'SOQL statements can not be longer than 100000 characters.';
      answers(await ofLength(100_001), 200, {
        results: [{ statusCode: 400, result: [{ errorCode: 'MALFORMED_QUERY', message }] }],
      });
    },
  },
  {
    claim: 'The limits of an org are listed, each with Max and Remaining.',
    source: `${REST}, "Limits", "List Org Limits"`,
    sure: 'documented',
    holds: async (org) => {
      const { body } = await org.call('GET', '/limits');
      const limits = Object.entries(body as Record<string, { Max: number; Remaining: number }>);
      assert.ok(limits.length > 45, `${limits.length} limits`);
      for (const [name, { Max, Remaining }] of limits) assert.ok(Remaining <= Max, name);
    },
  },
  {
    claim: 'A path or a method that nobody serves: 404 NOT_FOUND, 405 METHOD_NOT_ALLOWED.',
    source: `${REST}, "Status Codes and Error Responses"`,
    sure: 'documented',
    holds: async (org) => {
      refuses(await org.call('GET', '/nope'), 404, 'NOT_FOUND');
      refuses(await org.call('PUT', '/limits', {}), 405, 'METHOD_NOT_ALLOWED');
    },
  },
  {
    claim: 'Bodies in another format are 415, and what is no JSON is 400 JSON_PARSER_ERROR.',
    source: `${REST}, "Status Codes and Error Responses"`,
    sure: 'documented',
    holds: async (org) => {
      const headers = { 'content-type': 'application/msgpack' };
      refuses(await org.call('POST', '/sobjects/Account', 'x', headers), 415, 'UNSUPPORTED_MEDIA_TYPE');
      refuses(await org.call('POST', '/sobjects/Account', '{'), 400, 'JSON_PARSER_ERROR');
    },
  },
  {
    claim: 'A field that a user may not see is no column for that user.',
    source: 'Salesforce Help, "Field-Level Security"; published answers',
    sure: 'published',
    holds: async (org) => {
      await org.admin('PUT', 'access', {
        user: 'integration',
        field: 'Opportunity.NextStep',
        access: 'none',
      });
      const soql = encodeURIComponent('SELECT NextStep FROM Opportunity');
      const refused = await org.call('GET', `/query?q=${soql}`, undefined, asIntegration(org));
      refuses(refused, 400, 'INVALID_FIELD');
      answers(await org.query('SELECT NextStep FROM Opportunity'), 200);
    },
  },
  {
    claim: 'A row that is not shared with a user is in no answer for that user.',
    source: 'Salesforce Help, "Organization-Wide Sharing Defaults"',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.admin('PUT', 'access', { user: 'integration', record: id, access: 'none' });
      const path = `/sobjects/Opportunity/${id}`;
      refuses(await org.call('GET', path, undefined, asIntegration(org)), 404, 'NOT_FOUND');
      answers(await org.call('GET', path), 200);
    },
  },
  {
    claim: 'An automation before the save rewrites what is saved.',
    source: 'Apex Developer Guide, "Triggers and Order of Execution"',
    sure: 'documented',
    holds: async (org) => {
      const rule = { object: 'Opportunity', on: 'update', set: { NextStep: "'Rewritten'" } };
      answers(await org.admin('POST', 'automations', rule), 201);
      const id = await org.make('Opportunity', DEAL);
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'Mine' });
      answers(await org.call('GET', `/sobjects/Opportunity/${id}`), 200, { NextStep: 'Rewritten' });
    },
  },
  {
    claim: 'Nobody who left can be made an owner.',
    source: 'SOAP API Developer Guide, "API Fault and Status Codes": INACTIVE_OWNER_OR_USER',
    sure: 'documented',
    holds: async (org) => {
      const soql = `SELECT Id FROM User WHERE Username = '${org.integration.username}'`;
      const OwnerId = String(records(await org.query(soql))[0]?.['Id']);
      await org.call('PATCH', `/sobjects/User/${OwnerId}`, { IsActive: false });
      const id = await org.make('Opportunity', DEAL);
      refuses(await org.call('PATCH', `/sobjects/Opportunity/${id}`, { OwnerId }), 400, 'INACTIVE_OWNER_OR_USER');
    },
  },
  {
    claim: 'Only a created or changed opportunity sends the outbound message of its flow.',
    source:
      'Metadata API Developer Guide, "Flow", "WorkflowOutboundMessage"; Help, "Considerations for Outbound Messages"',
    sure: 'documented',
    holds: async (org) => {
      const pending = async () => ((await org.admin('GET', 'outbound')).body as { pending: unknown[] }).pending.length;
      await org.make('Account', { Name: 'A' });
      assert.equal(await pending(), 0);
      const id = await org.make('Opportunity', { ...DEAL, Vendor_Share__c: true });
      assert.equal(await pending(), 1);
      await org.call('DELETE', `/sobjects/Opportunity/${id}`);
      assert.equal(await pending(), 1);
    },
  },
  {
    claim: 'A version that is retired is 410.',
    source: `${REST}, "API End-of-Life Policy"; nothing was found on its error code`,
    sure: 'documented',
    holds: async (org) => {
      answers(await org.call('GET', '/services/data/v30.0/limits'), 410);
      answers(await org.call('GET', '/services/data/v31.0/limits'), 200);
    },
  },
  {
    claim: 'A description that is not newer than If-Modified-Since is 304.',
    source: `${REST}, "Describe Global", "sObject Describe": If-Modified-Since`,
    sure: 'documented',
    holds: async (org) => {
      for (const path of ['/sobjects', '/sobjects/Account/describe']) {
        const at = (ms: number) => ({ 'if-modified-since': new Date(Date.now() + ms).toUTCString() });
        answers(await org.call('GET', path, undefined, at(3_600_000)), 304, '');
        answers(await org.call('GET', path, undefined, at(-3_600_000)), 200);
      }
    },
  },
  {
    claim: 'A request may be compressed.',
    source: `${REST}, "Using Compression"`,
    sure: 'documented',
    holds: async (org) => {
      const body = gzipSync(JSON.stringify({ Name: 'A' }));
      const answer = await fetch(`${org.origin}/services/data/v67.0/sobjects/Account`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${org.user.accessToken}`,
          'content-type': 'application/json',
          'content-encoding': 'gzip',
        },
        body,
      });
      assert.equal(answer.status, 201);
    },
  },
  {
    claim: 'A client that cannot send PATCH sends POST with _HttpMethod.',
    source: `${REST}, "Update a Record"`,
    sure: 'documented',
    holds: async (org) => {
      const path = `/sobjects/Account/${await org.make('Account', { Name: 'A' })}`;
      answers(await org.call('POST', `${path}?_HttpMethod=PATCH`, { Name: 'B' }), 204);
      answers(await org.call('GET', path), 200, { Name: 'B' });
    },
  },
  {
    claim: 'A session of client credentials is signed with their secret.',
    source: 'Salesforce Help, "OAuth 2.0 Client Credentials Flow": signature',
    sure: 'documented',
    holds: async (org) => {
      const { clientId, clientSecret } = org.user;
      const grant = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
      const { body } = await form(org, '/services/oauth2/token', grant);
      const { id, issued_at, signature } = body as Record<string, string>;
      const expected = createHmac('sha256', clientSecret).update(`${id}${issued_at}`).digest('base64');
      assert.equal(signature, expected);
    },
  },
  {
    claim: 'A client learns whether a token is active, and can revoke it by an address too.',
    source: 'Salesforce Help, "OpenID Connect Token Introspection", "Revoke OAuth Tokens"',
    sure: 'documented',
    holds: async (org) => {
      const { clientId: client_id, clientSecret: client_secret } = org.user;
      const own = { client_id, client_secret };
      const grant = await form(org, '/services/oauth2/token', { grant_type: 'client_credentials', ...own });
      const { access_token: token = '' } = grant.body as Record<string, string>;
      const ask = () => form(org, '/services/oauth2/introspect', { token, ...own });
      answers(await ask(), 200, { active: true, client_id });
      answers(await org.call('GET', `/services/oauth2/revoke?token=${encodeURIComponent(token)}`), 200);
      answers(await ask(), 200, { active: false });
    },
  },
  {
    claim: 'The setup is shown to those with View Setup and Configuration, and is no object for others.',
    source: 'Object Reference, "PermissionSetAssignment", "DuplicateRule": special access rules',
    sure: 'documented',
    holds: async (org) => {
      const soql = 'SELECT PermissionSet.PermissionsEnableNotifications FROM PermissionSetAssignment';
      answers(await org.query(soql), 200);
      const path = `/query?q=${encodeURIComponent(soql)}`;
      refuses(await org.call('GET', path, undefined, asIntegration(org)), 400, 'INVALID_TYPE');
    },
  },
  {
    claim: 'FlowDefinitionView shows which flows run; who sees it is not documented.',
    source: 'Object Reference, "FlowDefinitionView"',
    sure: 'documented',
    holds: async (org) => {
      const flows = records(await org.query('SELECT ApiName, ActiveVersionId FROM FlowDefinitionView'));
      const flow = flows.find((row) => row['ApiName'] === 'Lockstep_Opportunity_Changed');
      assert.match(String(flow?.['ActiveVersionId']), /^301/);
    },
  },
  {
    claim: 'The Tooling API lists validation rules, and gives the Metadata of one rule at a time.',
    source: 'Tooling API, "ValidationRule": FullName, Metadata; the words of the refusal as published',
    sure: 'documented',
    holds: async (org) => {
      const ask = (soql: string) => org.call('GET', `/tooling/query?q=${encodeURIComponent(soql)}`);
      const rules = await ask('SELECT Id, ValidationName, EntityDefinition.QualifiedApiName FROM ValidationRule');
      const [rule] = records(rules);
      assert.partialDeepStrictEqual(rule, { EntityDefinition: { QualifiedApiName: 'Opportunity' } });
      const [found] = records(await ask(`SELECT Metadata FROM ValidationRule WHERE Id = '${rule?.['Id']}'`));
      assert.partialDeepStrictEqual(found, { Metadata: { active: true } });
    },
  },
  {
    claim:
      'A description says what can be merged, brought back and searched, which scopes there are, and what numbers itself.',
    source:
      'SOAP API Developer Guide, "DescribeSObjectResult", "Field": mergeable, undeletable, searchable, autoNumber; REST API Developer Guide, "sObject Describe": supportedScopes',
    sure: 'documented',
    holds: async (org) => {
      const describe = async (type: string) => (await org.call('GET', `/sobjects/${type}/describe`)).body;
      assert.partialDeepStrictEqual(await describe('Account'), {
        mergeable: true,
        undeletable: true,
        searchable: true,
        supportedScopes: [{ name: 'everything' }, { name: 'mine' }],
      });
      assert.partialDeepStrictEqual(await describe('Opportunity'), { mergeable: false, undeletable: true });
      assert.partialDeepStrictEqual(await describe('User'), { undeletable: false });
      const { fields } = (await describe('Case')) as { fields: { name: string; autoNumber: boolean }[] };
      const numbered = fields.filter(({ autoNumber }) => autoNumber).map(({ name }) => name);
      assert.deepEqual(numbered, ['CaseNumber']);
    },
  },
];
