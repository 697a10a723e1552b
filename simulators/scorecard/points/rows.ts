import assert from 'node:assert/strict';
import { answers, DEAL, type Point, records, refuses } from './point.ts';

const REST = 'REST API Developer Guide';
const SOAP = 'SOAP API Developer Guide';
/** An id of the right form that no row has. */
const NOBODY = '006000000000001AAA';

/** Single rows: what they answer, what they refuse, and how they end. */
export const ROW_POINTS: readonly Point[] = [
  {
    claim: 'A new row answers 201 with its id of 18 characters, success and no errors.',
    source: `${REST}, "Create a Record"`,
    sure: 'documented',
    holds: async (org) => {
      const made = await org.call('POST', '/sobjects/Account', { Name: 'A' });
      answers(made, 201, { success: true, errors: [] });
      const { id } = made.body as { id: string };
      assert.match(id, /^001[A-Za-z0-9]{15}$/);
      assert.equal(made.headers.get('location'), `/services/data/v67.0/sobjects/Account/${id}`);
    },
  },
  {
    claim: 'An update and a deletion answer 204 without a body.',
    source: `${REST}, "Update a Record", "Delete a Record"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      answers(await org.call('PATCH', `/sobjects/Account/${id}`, { Name: 'B' }), 204, '');
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, { Name: 'B' });
      answers(await org.call('DELETE', `/sobjects/Account/${id}`), 204, '');
      answers(await org.call('GET', `/sobjects/Account/${id}`), 404);
    },
  },
  {
    claim: 'A row is read and deleted by its external id.',
    source: 'REST API Developer Guide, "sObject Rows by External ID"',
    sure: 'documented',
    holds: async (org) => {
      await org.make('Account', { Name: 'A', Vendor_Site_Id__c: 'S-1' });
      const path = '/sobjects/Account/Vendor_Site_Id__c/S-1';
      answers(await org.call('GET', path), 200, { Name: 'A' });
      answers(await org.call('DELETE', path), 204, '');
      answers(await org.call('GET', path), 404);
    },
  },
  {
    claim: 'An id of 15 characters names the same row as its 18 characters.',
    source: `${SOAP}, "ID Field Type"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      answers(await org.call('GET', `/sobjects/Account/${id.slice(0, 15)}?fields=Name`), 200, { Id: id });
    },
  },
  {
    claim: 'Reading an id that no row has is 404 NOT_FOUND.',
    source: `${REST}, "Status Codes and Error Responses"`,
    sure: 'documented',
    holds: async (org) => refuses(await org.call('GET', `/sobjects/Opportunity/${NOBODY}`), 404, 'NOT_FOUND'),
  },
  {
    claim: 'Writing an id that no row has is 404 INVALID_CROSS_REFERENCE_KEY.',
    source: 'Answers that users of simple-salesforce and jsforce have published',
    sure: 'published',
    holds: async (org) => {
      for (const [method, body] of [['PATCH', { NextStep: 'x' }], ['DELETE']] as const) {
        const answer = await org.call(method, `/sobjects/Opportunity/${NOBODY}`, body);
        refuses(answer, 404, 'INVALID_CROSS_REFERENCE_KEY', 'invalid cross reference id');
      }
    },
  },
  {
    claim: 'Reading a deleted row is 404 NOT_FOUND; writing it is 404 ENTITY_IS_DELETED.',
    source: `${SOAP}, "API Fault and Status Codes": ENTITY_IS_DELETED`,
    sure: 'published',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.call('DELETE', `/sobjects/Opportunity/${id}`);
      refuses(await org.call('GET', `/sobjects/Opportunity/${id}`), 404, 'NOT_FOUND');
      const refused = await org.call('PATCH', `/sobjects/Opportunity/${id}`, { NextStep: 'x' });
      refuses(refused, 404, 'ENTITY_IS_DELETED', 'entity is deleted');
    },
  },
  {
    claim: 'A missing required field is 400 REQUIRED_FIELD_MISSING with the fields named.',
    source: `${REST}, "Status Codes and Error Responses"`,
    sure: 'documented',
    holds: async (org) => {
      const refused = await org.call('POST', '/sobjects/Opportunity', { Name: 'Deal' });
      answers(refused, 400, [{ errorCode: 'REQUIRED_FIELD_MISSING', fields: ['StageName', 'CloseDate'] }]);
    },
  },
  {
    claim: 'A text longer than its field is 400 STRING_TOO_LONG with the field and its length.',
    source: `${SOAP}, "API Fault and Status Codes": STRING_TOO_LONG`,
    sure: 'published',
    holds: async (org) => {
      const refused = await org.call('POST', '/sobjects/Opportunity', { ...DEAL, NextStep: 'x'.repeat(256) });
      answers(refused, 400, [{ errorCode: 'STRING_TOO_LONG', fields: ['NextStep'] }]);
      assert.match(JSON.stringify(refused.body), /max length=255/);
    },
  },
  {
    claim: 'A field that does not exist is 400 INVALID_FIELD.',
    source: `${REST}, "Status Codes and Error Responses"`,
    sure: 'published',
    holds: async (org) => {
      const refused = await org.call('POST', '/sobjects/Account', { Name: 'A', Nope: 1 });
      refuses(refused, 400, 'INVALID_FIELD', "No such column 'Nope' on sobject of type Account");
    },
  },
  {
    claim: 'A second row with a unique value is 400 DUPLICATE_VALUE with the id of the first.',
    source: `${SOAP}, "API Fault and Status Codes": DUPLICATE_VALUE`,
    sure: 'published',
    holds: async (org) => {
      const id = await org.make('Opportunity', { ...DEAL, Vendor_Id__c: 'V-1' });
      const refused = await org.call('POST', '/sobjects/Opportunity', { ...DEAL, Vendor_Id__c: 'V-1' });
      const message = `duplicate value found: Vendor_Id__c duplicates value on record with id: ${id}`;
      refuses(refused, 400, 'DUPLICATE_VALUE', message);
    },
  },
  {
    claim: 'A value outside a restricted picklist is refused, one outside an open picklist is kept.',
    source: 'Salesforce Help, "Make Your Custom Picklist Field Values More Efficient": restricted picklists',
    sure: 'documented',
    holds: async (org) => {
      await org.make('Opportunity', { ...DEAL, StageName: 'A stage of their own' });
      const user = records(await org.query('SELECT Id FROM User LIMIT 1'))[0]?.['Id'];
      const refused = await org.call('PATCH', `/sobjects/User/${user}`, { TimeZoneSidKey: 'Moon' });
      refuses(refused, 400, 'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST');
    },
  },
  {
    claim: 'An upsert by external id creates with 201, then updates with 200 and created false.',
    source: `${REST}, "Insert or Update (Upsert) a Record Using an External ID"`,
    sure: 'documented',
    holds: async (org) => {
      const path = '/sobjects/Account/Vendor_Site_Id__c/S-1';
      answers(await org.call('PATCH', path, { Name: 'A' }), 201, { created: true, success: true });
      answers(await org.call('PATCH', path, { Name: 'B' }), 200, { created: false, success: true });
      answers(await org.call('GET', path), 200, { Name: 'B' });
      answers(await org.call('DELETE', path), 204);
    },
  },
  {
    claim: 'The external id that the address names may not stand in the body of the upsert.',
    source: `${REST}, "sObject Rows by External ID"`,
    sure: 'documented',
    holds: async (org) => {
      const body = { Name: 'A', Vendor_Site_Id__c: 'S-1' };
      const refused = await org.call('PATCH', '/sobjects/Account/Vendor_Site_Id__c/S-1', body);
      const message = 'The Vendor_Site_Id__c field should not be specified in the sobject data.';
      answers(refused, 400, [{ errorCode: 'INVALID_FIELD', message, fields: ['Vendor_Site_Id__c'] }]);
    },
  },
  {
    claim: 'What was deleted shows in queryAll with IsDeleted, and not in query.',
    source: `${REST}, "QueryAll"`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      await org.call('DELETE', `/sobjects/Account/${id}`);
      const soql = encodeURIComponent('SELECT Id, IsDeleted FROM Account');
      assert.deepEqual(records(await org.call('GET', `/query?q=${soql}`)), []);
      assert.deepEqual(records(await org.call('GET', `/queryAll?q=${soql}`)), [{ Id: id, IsDeleted: true }]);
    },
  },
  {
    claim: 'The recycle bin keeps a row for 15 days, and no longer.',
    source: 'Salesforce Help, "Manage the Recycle Bin"',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'A' });
      await org.call('DELETE', `/sobjects/Account/${id}`);
      const soql = encodeURIComponent('SELECT Id FROM Account');
      await org.pass(15 * 86_400_000 - 60_000);
      assert.equal(records(await org.call('GET', `/queryAll?q=${soql}`)).length, 1);
      await org.pass(120_000);
      assert.equal(records(await org.call('GET', `/queryAll?q=${soql}`)).length, 0);
      const write = await org.call('PATCH', `/sobjects/Account/${id}`, { Name: 'B' });
      refuses(write, 404, 'INVALID_CROSS_REFERENCE_KEY');
    },
  },
  {
    claim: 'Deleting an account takes its opportunities along.',
    source: 'Object Reference, "Account": Usage',
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      const id = await org.make('Opportunity', { ...DEAL, AccountId });
      await org.call('DELETE', `/sobjects/Account/${AccountId}`);
      refuses(await org.call('GET', `/sobjects/Opportunity/${id}`), 404, 'NOT_FOUND');
    },
  },
  {
    claim: 'A row is read, changed and deleted over a relationship from another.',
    source: `${REST}, "sObject Relationships"`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A' });
      const path = `/sobjects/Opportunity/${await org.make('Opportunity', { ...DEAL, AccountId })}/Account`;
      answers(await org.call('GET', path), 200, { Id: AccountId });
      answers(await org.call('PATCH', path, { Name: 'B' }), 204);
      answers(await org.call('DELETE', path), 204);
    },
  },
  {
    claim: 'A lookup may name its parent by an external id in place of an id.',
    source: `${REST}, "Insert or Update (Upsert) a Record Using an External ID": relationships`,
    sure: 'documented',
    holds: async (org) => {
      const AccountId = await org.make('Account', { Name: 'A', Vendor_Site_Id__c: 'S-1' });
      const id = await org.make('Opportunity', { ...DEAL, Account: { Vendor_Site_Id__c: 'S-1' } });
      answers(await org.call('GET', `/sobjects/Opportunity/${id}`), 200, { AccountId });
    },
  },
  {
    claim: 'Blanks around a text are dropped, and an empty text is null.',
    source: `${SOAP}, "Primitive Data Types": string`,
    sure: 'published',
    holds: async (org) => {
      const id = await org.make('Account', { Name: '  A  ', BillingCity: '' });
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, { Name: 'A', BillingCity: null });
    },
  },
  {
    claim: 'What hangs on an account that is merged into another moves to it, and keeps its stamps.',
    source: `${SOAP}, "merge()" for the move; what people have published of the stamps differs, and a connector has it harder where they stay`,
    sure: 'assumed',
    holds: async (org) => {
      const [winner, loser] = [await org.make('Account', { Name: 'A' }), await org.make('Account', { Name: 'B' })];
      const id = await org.make('Opportunity', { ...DEAL, AccountId: loser });
      const stamp = async () =>
        records(await org.query(`SELECT AccountId, SystemModstamp FROM Opportunity WHERE Id = '${id}'`))[0];
      const before = await stamp();
      await org.pass(60_000);
      await org.admin('POST', `records/${winner}/merge`, { loser });
      assert.deepEqual(await stamp(), { ...before, AccountId: winner });
    },
  },
  {
    claim: 'A line moves the amount of its opportunity, which is no more a user’s to write.',
    source: 'Object Reference, "Opportunity": Amount',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      const Product2Id = await org.make('Product2', { Name: 'P', IsActive: true });
      const [book] = records(await org.query('SELECT Id FROM Pricebook2 WHERE IsStandard = TRUE'));
      const entry = { Product2Id, Pricebook2Id: book?.['Id'], UnitPrice: 10, IsActive: true };
      const PricebookEntryId = await org.make('PricebookEntry', entry);
      await org.make('OpportunityLineItem', {
        OpportunityId: id,
        PricebookEntryId,
        Quantity: 3,
        UnitPrice: 10,
      });
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { Amount: 5 });
      answers(await org.call('GET', `/sobjects/Opportunity/${id}`), 200, {
        Amount: 30,
        HasOpportunityLineItem: true,
      });
    },
  },
  {
    claim: 'An upsert that may only update makes no row.',
    source: `${REST}, "Insert or Update (Upsert) a Record Using an External ID": updateOnly`,
    sure: 'documented',
    holds: async (org) => {
      const path = '/sobjects/Account/Vendor_Site_Id__c/S-1?updateOnly=true';
      refuses(await org.call('PATCH', path, { Name: 'A' }), 404, 'NOT_FOUND');
      await org.make('Account', { Name: 'A', Vendor_Site_Id__c: 'S-1' });
      answers(await org.call('PATCH', path, { Name: 'B' }), 200, { created: false });
    },
  },
  {
    claim: 'An external id that several rows have is 300, with their addresses.',
    source: `${REST}, "Insert or Update (Upsert) a Record Using an External ID"`,
    sure: 'documented',
    holds: async (org) => {
      for (const Name of ['A', 'B']) await org.make('Account', { Name, Vendor_Site_Id__c: 'S-1' });
      const { status, body } = await org.call('PATCH', '/sobjects/Account/Vendor_Site_Id__c/S-1', {
        Name: 'C',
      });
      assert.deepEqual([status, (body as readonly string[]).length], [300, 2]);
    },
  },
  {
    claim: 'An upsert by an external id that is not unique needs View All Data.',
    source: `${REST}, "Upsert Records Using sObject Rows by External ID"; nothing was found on its error code`,
    sure: 'documented',
    holds: async (org) => {
      const headers = { authorization: `Bearer ${org.integration.accessToken}` };
      const path = '/sobjects/Account/Vendor_Site_Id__c/S-1';
      answers(await org.call('PATCH', path, { Name: 'A' }, headers), 400);
      answers(await org.call('PATCH', path, { Name: 'A' }), 201);
      const unique = await org.call('PATCH', '/sobjects/Opportunity/Vendor_Id__c/V-1', DEAL, headers);
      answers(unique, 201);
    },
  },
  {
    claim: 'A new row may be posted to Id, as an upsert by no id.',
    source: `${REST}, "sObject Rows by External ID": usage of POST`,
    sure: 'documented',
    holds: async (org) =>
      answers(await org.call('POST', '/sobjects/Account/Id', { Name: 'A' }), 201, { success: true }),
  },
  {
    claim: 'A fresh email, number or date of the wrong form is refused as what it is.',
    source: `${SOAP}, "API Fault and Status Codes": INVALID_EMAIL_ADDRESS, NUMBER_OUTSIDE_VALID_RANGE; published answers`,
    sure: 'published',
    holds: async (org) => {
      const deal = (fields: object) => org.call('POST', '/sobjects/Opportunity', { ...DEAL, ...fields });
      const contact = await org.call('POST', '/sobjects/Contact', { LastName: 'A', Email: 'nobody' });
      refuses(contact, 400, 'INVALID_EMAIL_ADDRESS');
      refuses(await deal({ Probability: 1_000_000 }), 400, 'NUMBER_OUTSIDE_VALID_RANGE');
      refuses(await deal({ CloseDate: '31/12/2027' }), 400, 'JSON_PARSER_ERROR');
    },
  },
];
