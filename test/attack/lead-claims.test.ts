/** Attacks by a sales person with leads, by vendor ids and in the sync rows of others: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
const SECRET = 'What the other customer buys';
const DECOY = 'Decoy of a sales person';
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld({ leads: { convert: true } }));
});

const decoy = (vendorId: string, fields: Raw = {}): Promise<string> =>
  sharedLead(world, {
    Company: 'Hooli',
    Vendor_Deal_Name__c: DECOY,
    Description: DECOY,
    Vendor_Id__c: vendorId,
    ...fields,
  });

/** The id that the vendor gives its next record. */
async function nextId(): Promise<string> {
  const probe = await deals.lead({ name: 'Probe', customerLegalEntity: { name: 'Probe', country: 'DE' } });
  await world.vendor.remove(probe);
  const [letters = '', digits = ''] = /^(\D*)(\d+)$/.exec(probe)?.slice(1) ?? [];
  return `${letters}${String(Number(digits) + 1).padStart(digits.length, '0')}`;
}

/** Nothing of the decoy is in the vendor's record, and nothing of the record is in the org's lead. */
async function expectApart(leadId: string, vendorId: string): Promise<void> {
  const record = (await deals.leads()).find(({ id }) => id === vendorId);
  expect(JSON.stringify(record)).toContain(SECRET);
  expect(JSON.stringify(record)).not.toContain(DECOY);
  expect(JSON.stringify(await deals.row('Lead', leadId))).not.toContain(SECRET);
  expect(JSON.stringify(await world.crm.list('Lockstep_Lead_Sync__c'))).not.toContain(SECRET);
  expect((await deals.link(leadId))?.vendorId ?? null).not.toBe(vendorId);
}

const SAME = { Company: 'Initech', Vendor_DUNS__c: '123456789' };

describe('a decoy lead with the id of a record', () => {
  it.each<readonly [string, string]>([
    ['that is there', 'OPPY_OPEN'],
    ['that the vendor has as a lead', 'LEAD_OPEN'],
  ])('of another customer %s receives and sends nothing', async (_, status) => {
    const vendorId = await deals.lead({ description: SECRET, status });
    const leadId = await decoy(vendorId);
    await deals.sweep();
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    await expectApart(leadId, vendorId);
    expect(await deals.row('Lead', leadId)).toMatchObject({ IsConverted: false });
  });

  it.each<readonly [string, Raw, boolean]>([
    ['of another customer', {}, true],
    ['of the same customer', SAME, true],
    ['of the same customer, seen by the poll first', SAME, false],
  ])('%s that the vendor makes later receives and sends nothing', async (_, fields, isSwept) => {
    const leadId = await decoy(await nextId(), fields);
    if (isSwept) await deals.sweep();
    else world.clock.advance(60_000);
    const vendorId = await deals.lead({ description: SECRET });
    expect(await deals.row('Lead', leadId)).toMatchObject({ Vendor_Id__c: vendorId });
    await deals.sweep();
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    await expectApart(leadId, vendorId);
  });

  it('is no proof of a permission that the user lacks', async () => {
    const vendorId = await deals.lead({ description: SECRET });
    const leadId = await decoy(vendorId, { Vendor_Id_Claim__c: vendorId });
    await world.crm.edit(leadId, { Vendor_Id_Claim__c: vendorId });
    expect(await deals.row('Lead', leadId)).toMatchObject({ Vendor_Id_Claim__c: null });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    await expectApart(leadId, vendorId);
  });
});

it('a user decides no conflict of a lead that another user owns', async () => {
  const leadId = await sharedLead(world);
  await deals.sweep();
  const [sync] = await world.crm.list('Lockstep_Lead_Sync__c');
  const [row, another] = [String(sync?.['Id'] ?? sync?.['id']), sync?.['CreatedById']];
  const decide = () => world.crm.edit(row, { Resolve__c: "Take the vendor's" });
  const { OwnerId: own } = await deals.row('Lead', leadId);
  expect(another).not.toBe(own);
  await world.crm.edit(leadId, { OwnerId: another });
  await expect(decide()).rejects.toThrow('Only the owner of the lead');
  await world.crm.edit(leadId, { OwnerId: own });
  await decide();
});
