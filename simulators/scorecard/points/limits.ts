import assert from 'node:assert/strict';
import { answers, DEAL, type OrgUnderTest, type Point, refuses } from './point.ts';

const STATUS_CODES = 'SOAP API Developer Guide, "StatusCode"';
const GOVERNORS = 'Apex Developer Guide, "Execution Governors and Limits"; its words as published';
const MAINTENANCE = 'INSERT_UPDATE_DELETE_NOT_ALLOWED_DURING_MAINTENANCE';

/** What an org refuses for its own state, and not for what it is sent. */
export const LIMIT_POINTS: readonly Point[] = [
  {
    claim: 'In read-only mode rows are read and none is saved or deleted, alone, in a collection or as a part.',
    source: `${STATUS_CODES}; nothing was found on the words of the refusal`,
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Account', { Name: 'Before' });
      await org.admin('PUT', 'limits', { readOnly: true });
      answers(await org.call('GET', `/sobjects/Account/${id}`), 200, { Name: 'Before' });
      refuses(await org.call('POST', '/sobjects/Account', { Name: 'New' }), 400, MAINTENANCE);
      refuses(await org.call('PATCH', `/sobjects/Account/${id}`, { Name: 'After' }), 400, MAINTENANCE);
      refuses(await org.call('DELETE', `/sobjects/Account/${id}`), 400, MAINTENANCE);
      answers(await upsertAccounts(org, 1), 200, [{ success: false, errors: [{ statusCode: MAINTENANCE }] }]);
      const part = {
        method: 'PATCH',
        url: `/services/data/v67.0/sobjects/Account/${id}`,
        ...{ referenceId: 'part', body: { Name: 'After' } },
      };
      answers(await org.call('POST', '/composite', { compositeRequest: [part] }), 200, {
        compositeResponse: [{ httpStatusCode: 400, body: [{ errorCode: MAINTENANCE }] }],
      });
      await org.admin('PUT', 'limits', { readOnly: false });
      answers(await org.call('PATCH', `/sobjects/Account/${id}`, { Name: 'After' }), 204);
    },
  },
  {
    claim: 'A row that an approval locks refuses all but those who may modify every row of its object.',
    source: `${STATUS_CODES}: ENTITY_IS_LOCKED; Salesforce Help, "Record Locking"; its words as published`,
    sure: 'published',
    holds: async (org) => {
      const deal = await org.make('Opportunity', DEAL);
      await org.admin('PUT', `records/${deal}/lock`, { locked: true });
      const path = `/sobjects/Opportunity/${deal}`;
      const words = 'the entity is locked for editing';
      const asIntegration = { authorization: `Bearer ${org.integration.accessToken}` };
      const edit = () => org.call('PATCH', path, { Description: 'Call' }, asIntegration);
      refuses(await edit(), 400, 'ENTITY_IS_LOCKED', words);
      answers(await org.call('PATCH', path, { Description: 'Wait' }), 204);
      await org.admin('PUT', `records/${deal}/lock`, { locked: false });
      answers(await edit(), 204);
    },
  },
  {
    claim: 'A locked row locks its details too, those that are made among them.',
    source: 'Published reports of ENTITY_IS_LOCKED on details of a locked master',
    sure: 'published',
    holds: async (org) => {
      const deal = await org.make('Opportunity', DEAL);
      const asIntegration = { authorization: `Bearer ${org.integration.accessToken}` };
      const make = () => org.call('POST', '/sobjects/Lockstep_Sync__c', { Opportunity__c: deal }, asIntegration);
      await org.admin('PUT', `records/${deal}/lock`, { locked: true });
      refuses(await make(), 400, 'ENTITY_IS_LOCKED');
      await org.admin('DELETE', 'limits');
      answers(await make(), 201);
    },
  },
  {
    claim: 'Rows of a collection share the SOQL queries of a transaction: past 100 they all fail.',
    source: GOVERNORS,
    sure: 'published',
    holds: (org) =>
      rowsFail(org, { queriesPerRow: 40 }, 'AccountTrigger: System.LimitException: Too many SOQL queries: 101'),
  },
  {
    claim: 'Rows of a collection share the CPU time of a transaction: past 10 seconds they all fail.',
    source: GOVERNORS,
    sure: 'published',
    holds: (org) =>
      rowsFail(org, { cpuMsPerRow: 4_000 }, 'AccountTrigger: System.LimitException: Apex CPU time limit exceeded'),
  },
  {
    claim: 'Beyond the requests that may run for long at the same time each request is refused with 403.',
    source:
      'Limits cheat sheet, "Concurrent API Request Limits"; REST API Developer Guide, "Status Codes and Error Responses"; its words as published',
    sure: 'published',
    holds: async (org) => {
      await org.admin('PUT', 'limits', { longRequests: 0 });
      const words = 'ConcurrentRequests (Concurrent API Requests) Limit exceeded.';
      refuses(await org.query('SELECT Id FROM Account'), 403, 'REQUEST_LIMIT_EXCEEDED', words);
      await org.admin('DELETE', 'limits');
      answers(await org.query('SELECT Id FROM Account'), 200);
    },
  },
];

/** Two rows fit into a transaction, of three none is saved. */
async function rowsFail(org: OrgUnderTest, cost: object, message: string): Promise<void> {
  await org.admin('PUT', 'limits', { triggers: [{ object: 'Account', ...cost }] });
  const error = { statusCode: 'CANNOT_INSERT_UPDATE_ACTIVATE_ENTITY', message };
  const failed = { success: false, errors: [error] };
  answers(await upsertAccounts(org, 3), 200, [failed, failed, failed]);
  const { body } = await org.query('SELECT COUNT() FROM Account');
  assert.equal((body as { totalSize: number }).totalSize, 0);
  answers(await upsertAccounts(org, 2), 200, [{ success: true }, { success: true }]);
}

function upsertAccounts(org: OrgUnderTest, count: number): ReturnType<OrgUnderTest['call']> {
  const records = Array.from({ length: count }, (_, place) => ({
    attributes: { type: 'Account' },
    ...{ Name: `Account ${place}`, Vendor_Site_Id__c: `S-${place}` },
  }));
  return org.call('PATCH', '/composite/sobjects/Account/Vendor_Site_Id__c', { records });
}
