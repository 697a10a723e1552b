/** A stage that one side refuses does not hold back the rest of its record. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

async function editAtVendor(fields: Record<string, unknown>): Promise<void> {
  await world.vendor.edit(String((await deals.leadNamed(crmId))?.['id']), fields);
}

describe.each([
  'status: this transition is not allowed',
  'The status of the deal may not change to this value.',
  'leadOpportunity.status is invalid',
  'Status may not go back',
])('the vendor refuses a stage with "%s"', (message) => {
  const refusal = { operation: 'updateLeadOpportunity', status: 400, errorCode: 'ERR_STATUS', message };

  it('gets the milestone that was changed with it', async () => {
    await world.vendor.fault({ ...refusal, times: 1 });
    await world.crm.edit(crmId, { StageName: 'Negotiation/Review', Vendor_Next_Milestone__c: 'call' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'call' });
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'vendor-refused', field: 'status' }],
    });
    expect(await settle(world)).toEqual([]);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });
});

it('a refusal that names nothing does not hold back what the vendor changed', async () => {
  const refusal = { operation: 'updateLeadOpportunity', status: 400, errorCode: 'ERR_X', message: 'No.' };
  await world.vendor.fault(refusal);
  await editAtVendor({ nextMilestone: 'theirs' });
  await world.crm.edit(crmId, { StageName: 'Negotiation/Review' });
  await deals.sweep();
  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Next_Milestone__c: 'theirs' });
  expect(await deals.link(crmId)).toMatchObject({ state: 'parked', issues: [{ code: 'vendor-refused' }] });
});

it('a stage without which the vendor accepts no deal holds back its deal', async () => {
  const message = 'The status is not allowed.';
  await world.vendor.fault({ operation: 'createLeadOpportunity', status: 400, errorCode: 'ERR_X', message });
  const other = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'Other' });
  await deals.line(other, 100);
  await deals.sweep();
  expect((await deals.link(other)).issues).toMatchObject([
    { code: 'vendor-refused', message: expect.stringContaining('status') },
  ]);
});

describe('the CRM refuses a stage, and names its field', () => {
  beforeEach(() =>
    world.crm.fault({
      operation: 'sobject.update',
      status: 400,
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      fields: ['StageName'],
      times: 1,
    }),
  );

  it('gets the milestone that was changed with it', async () => {
    await editAtVendor({ status: 'ESTABLISHED', nextMilestone: 'theirs' });
    await deals.poll();
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ Vendor_Next_Milestone__c: 'theirs' });
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'crm-refused', field: 'status' }],
    });
    expect(await settle(world)).toEqual([]);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({ StageName: 'Negotiation/Review' });
  });
});
