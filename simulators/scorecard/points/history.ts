import assert from 'node:assert/strict';
import { type Answer, answers, DEAL, type OrgUnderTest, type Point, records, refuses } from './point.ts';

const FIELDS = 'Field, OldValue, NewValue, CreatedById';

function historyOf(org: OrgUnderTest, id: string): Promise<Answer> {
  return org.query(
    `SELECT ${FIELDS} FROM OpportunityFieldHistory WHERE OpportunityId = '${id}' ORDER BY CreatedDate, Field`,
  );
}

/** What an org remembers of changes of tracked fields. */
export const HISTORY_POINTS: readonly Point[] = [
  {
    claim: 'The creation of a row and each change of a tracked field is a row of its history, with who changed it.',
    source: 'Object Reference, "OpportunityFieldHistory"; Help, "Field History Tracking"',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.pass(1_000);
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { Name: 'Other', NextStep: 'not tracked' });
      const rows = records(await historyOf(org, id));
      assert.partialDeepStrictEqual(rows, [
        { Field: 'created', OldValue: null, NewValue: null },
        { Field: 'Name', OldValue: 'Deal', NewValue: 'Other' },
      ]);
      assert.equal(rows.length, 2);
      const { body } = await org.call('GET', `/sobjects/Opportunity/${id}?fields=LastModifiedById`);
      assert.equal(rows[1]?.['CreatedById'], (body as { LastModifiedById: string }).LastModifiedById);
    },
  },
  {
    claim: 'Long texts and multi-select picklists are tracked as edited, without their values.',
    source: 'Help, "Field History Tracking"; Object Reference, "EntityHistory"',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.pass(1_000);
      const change = { Description: 'Long', Vendor_Reasons_Won__c: 'STRNG_VAL_PROP' };
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, change);
      const [, ...rows] = records(await historyOf(org, id));
      assert.partialDeepStrictEqual(
        rows,
        ['Description', 'Vendor_Reasons_Won__c'].map((Field) => ({ Field, OldValue: null, NewValue: null })),
      );
    },
  },
  {
    claim: 'The values of a history cannot be filtered by, and nobody writes its rows.',
    source: 'Object Reference, "OpportunityFieldHistory": field properties, supported calls',
    sure: 'documented',
    holds: async (org) => {
      const soql = `SELECT Id FROM OpportunityFieldHistory WHERE NewValue = 'x'`;
      refuses(await org.query(soql), 400, 'INVALID_FIELD');
      const made = await org.call('POST', '/sobjects/OpportunityFieldHistory', { Field: 'Name' });
      assert.equal(made.status, 400);
    },
  },
  {
    claim: 'A history shows no change of a field that its reader may not see.',
    source: 'Object Reference, "OpportunityFieldHistory": usage',
    sure: 'documented',
    holds: async (org) => {
      const id = await org.make('Opportunity', DEAL);
      await org.call('PATCH', `/sobjects/Opportunity/${id}`, { Description: 'x' });
      const seen = async () => {
        const headers = { authorization: `Bearer ${org.integration.accessToken}` };
        const soql = `SELECT Field FROM OpportunityFieldHistory WHERE Field = 'Description'`;
        const answer = await org.call('GET', `/query?q=${encodeURIComponent(soql)}`, undefined, headers);
        return records(answer).length;
      };
      assert.equal(await seen(), 1);
      answers(
        await org.admin('PUT', 'access', {
          user: 'integration',
          field: 'Opportunity.Description',
          access: 'none',
        }),
        200,
      );
      assert.equal(await seen(), 0);
    },
  },
];
