/** One value that a side refuses holds back itself, and nothing else of its record. The real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
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

async function editAtVendor(fields: Raw): Promise<void> {
  await deals.editAtVendor(crmId, fields);
  await deals.poll();
}

/** The CRM's fields of addresses say only by refusing that this is none. */
const NO_ADDRESS = 'nobody at home';

describe('a value that the CRM refuses, and names', () => {
  it('holds back itself and says so, and goes once it is mended', async () => {
    await editAtVendor({
      dsOwnerEmail: NO_ADDRESS,
      description: 'theirs',
      closeDate: '2027-06-30T00:00:00.000Z',
    });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Description: 'theirs',
      CloseDate: '2027-06-30',
    });
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'crm-refused', field: 'dsOwnerEmail' }],
    });
    const before = (await world.crm.requests()).length;
    await deals.poll();
    expect((await world.crm.requests()).slice(before).filter(({ operation }) => operation === 'composite')).toEqual([]);
    await editAtVendor({ dsOwnerEmail: 'psm@vendor.example' });
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Vendor_Owner_Email__c: 'psm@vendor.example',
    });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
    expect(await settle(world)).toEqual([]);
  });

  it('does not keep a vendor-created deal from being made; its name is cut, and both are reported', async () => {
    const name = `Core ${'x'.repeat(140)}`;
    await deals.lead({ name, dsOwnerEmail: NO_ADDRESS });
    await deals.poll();
    const made = (await deals.opportunities()).find((row) => String(row['Name']).startsWith('Core x'));
    expect(made?.['Name']).toBe(name.slice(0, 120));
    const link = await deals.link(String(made?.['Id']));
    expect(link.issues.map(({ code, field }) => `${code} ${field}`).sort()).toEqual([
      'crm-refused dsOwnerEmail',
      'shortened name',
    ]);
    await world.crm.edit(String(made?.['Id']), { Description: 'ours' });
    await deals.sweep();
    const lead = (await deals.leads()).find((row) => row['name'] === name);
    expect(lead).toMatchObject({ description: 'ours', dsOwnerEmail: NO_ADDRESS });
  });
});

describe('a value that the vendor refuses, and names', () => {
  const refusal = { status: 400, errorCode: 'ERR_LENGTH', message: 'nextMilestone is too long' };

  it('holds back itself, of an update', async () => {
    await world.vendor.fault({ operation: 'updateLeadOpportunity', ...refusal, times: 1 });
    await world.crm.edit(crmId, { Vendor_Next_Milestone__c: 'call', Description: 'ours' });
    await deals.sweep();
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours', nextMilestone: '' });
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'vendor-refused', field: 'nextMilestone' }],
    });
    await world.requestSync({ crmId });
    await deals.time(20_000);
    expect(await deals.leadNamed(crmId)).toMatchObject({ nextMilestone: 'call' });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('holds back itself, of a create', async () => {
    await world.vendor.fault({ operation: 'createLeadOpportunity', ...refusal, times: 1 });
    const other = await deals.opportunity(await deals.account({ Name: 'Other' }), {
      Name: 'Other',
      Vendor_Next_Milestone__c: 'call',
    });
    await deals.line(other, 100);
    await deals.sweep();
    expect(await deals.leadNamed(other)).toMatchObject({ name: 'Other' });
    expect((await deals.leadNamed(other))?.['nextMilestone']).toBe('');
    expect(await deals.link(other)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'vendor-refused', field: 'nextMilestone' }],
    });
    expect(await settle(world)).toEqual([]);
    expect(await deals.leadNamed(other)).toMatchObject({ nextMilestone: 'call' });
  });
});
