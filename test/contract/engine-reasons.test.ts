/** The sentence with which a side refuses a change reaches who may read values, and nobody else. The real engine on ledger and simulators. */
import { elements, type SourceFiles } from 'lockstep-simulators/testing';
import { beforeEach, expect, it } from 'vitest';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import { readInbox } from '../../src/operator/status/inbox.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf } from '../support/engine/operator.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const SENTENCE = 'Jane Roe decides about a step "never".';
const FIELD = 'Vendor_Next_Milestone__c';

/** An org with a validation rule of its own, and its own label of a field of the package. */
const ORG: SourceFiles = {
  [`objects/Opportunity/fields/${FIELD}.field-meta.xml`]: [
    'CustomField',
    elements({ fullName: FIELD, label: 'Nächster Schritt', type: 'Text', length: 255 }),
  ],
  'objects/Opportunity/validationRules/Never.validationRule-meta.xml': [
    'ValidationRule',
    elements({
      fullName: 'Never',
      active: true,
      errorConditionFormula: `${FIELD} = 'never'`,
      errorDisplayField: FIELD,
      errorMessage: SENTENCE,
    }),
  ],
};

const openDeal = withDeal(workflows, ORG);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

const explain = (id: string, withValues: boolean) =>
  explainRecord(
    {
      observer: observerOf(world),
      crm: world.runtime.crm,
      ledger: world.ledger,
      addresses: { crm: 'https://org', vendor: 'https://vendor', temporal: null },
      runs: async () => [],
      now: world.clock.now,
    },
    world.runtime.tenant,
    { id, field: null, withValues },
  );

/** All that readers without a right to values see of the record. */
async function seenByAll(id: string): Promise<string> {
  const seen = [
    (await deals.syncRow(crmId))?.['Message__c'],
    await explain(id, false),
    await world.ledger.listLinks(world.tenant, { limit: 10 }),
    await readInbox(world.ledger, world.tenant, { codes: null, limit: 10 }),
    await world.ledger.journal(world.tenant, crmId, 50),
  ];
  return JSON.stringify(seen);
}

it('a validation rule says why, beside the field by the label of the org', async () => {
  const lead = String((await deals.leadNamed(crmId))?.['id']);
  await world.vendor.edit(lead, { nextMilestone: 'never' });
  await deals.poll();
  expect(await settle(world)).toEqual([]);
  const row = await deals.syncRow(crmId);
  expect(row).toMatchObject({
    Sync_State__c: 'Parked',
    Message__c: expect.stringContaining('"Nächster Schritt"'),
    Conflict_Values__c: `Salesforce says about "Nächster Schritt": ${SENTENCE}`,
  });
  expect((await explain(crmId, true)).gates).toMatchObject([
    { code: 'crm-refused', said: expect.stringContaining(SENTENCE) },
  ]);
  expect(await seenByAll(crmId)).not.toContain('Jane');

  await world.vendor.edit(lead, { nextMilestone: 'call' });
  await deals.poll();
  expect(await settle(world)).toEqual([]);
  expect(await deals.syncRow(crmId)).toMatchObject({ Message__c: null, Conflict_Values__c: null });
});

it.each([
  ['a value', 'The nextMilestone "call Jane Roe" is not allowed.', '"Nächster Schritt"'],
  ['the whole deal', 'Jane Roe\nhas not signed.', 'The vendor refused this deal'],
])('the vendor says why it refuses %s', async (_, message, named) => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 400, errorCode: 'ERR_NEW', message });
  await world.crm.edit(crmId, { [FIELD]: 'call Jane Roe' });
  await deals.sweep();
  const row = await deals.syncRow(crmId);
  expect(row?.['Message__c']).toContain(named);
  expect(row?.['Conflict_Values__c']).toBe(`The vendor says: ${message.replace('\n', ' ')}`);
  expect(JSON.stringify(row?.['Message__c'])).not.toContain('Jane');
});

it('the vendor says why it takes no new deal, until it does', async () => {
  const refusal = { operation: 'createLeadOpportunity', status: 400, errorCode: 'ERR_NEW', message: 'Ask Jane Roe.' };
  await world.vendor.fault(refusal);
  const other = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'Other' });
  await deals.line(other, 100);
  await deals.sweep();
  expect(await deals.syncRow(other)).toMatchObject({ Conflict_Values__c: 'The vendor says: Ask Jane Roe.' });
  await world.vendor.clearFaults();
  await world.crm.edit(other, { Description: 'Saved again' });
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
  expect(await deals.syncRow(other)).toMatchObject({ Sync_State__c: 'In sync', Conflict_Values__c: null });
});

it('every open issue names its field by the label of the org', async () => {
  ({ world, deals, crmId } = await openDeal({ rules: { nextMilestone: 'manual' } }));
  const lead = String((await deals.leadNamed(crmId))?.['id']);
  await world.vendor.edit(lead, { nextMilestone: 'theirs' });
  await world.crm.edit(crmId, { [FIELD]: 'ours' });
  await deals.sweep();
  await deals.poll();
  const { issues } = await deals.link(crmId);
  expect(issues).toMatchObject([
    { code: 'conflict', message: expect.stringMatching(/^"Nächster Schritt": The next /) },
  ]);
});
