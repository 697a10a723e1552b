/** Attacks by a sales person who enters vendor ids in opportunities: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { linkRecords } from '../../src/operator/records/link-records.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { Raw } from '../support/engine/http.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
const CLAIM = 'Lockstep_Claim_Vendor_Records';
const SECRET = 'What the other customer buys';
const DECOY = 'Decoy of a sales person';
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

/** An opportunity of a customer of its own, with this vendor id entered. */
async function decoy(vendorId: string, fields: Raw = {}, account: Raw = {}): Promise<string> {
  const customer = await deals.account({
    Name: 'Hooli',
    BillingCity: 'Lyon',
    BillingCountry: 'FR',
    Vendor_DUNS__c: '987654321',
    ...account,
  });
  const crmId = await deals.opportunity(customer, {
    Name: DECOY,
    Description: DECOY,
    Vendor_Id__c: vendorId,
    ...fields,
  });
  await deals.line(crmId, 500);
  return crmId;
}

/** The id that the vendor gives its next record. */
async function nextId(by = 1): Promise<string> {
  const probe = await deals.lead({ name: 'Probe', customerLegalEntity: { name: 'Probe', country: 'DE' } });
  await world.vendor.remove(probe);
  const [letters = '', digits = ''] = /^(\D*)(\d+)$/.exec(probe)?.slice(1) ?? [];
  return `${letters}${String(Number(digits) + by).padStart(digits.length, '0')}`;
}

/** Nothing of the decoy is at the vendor, and nothing of the vendor's records is at the decoy. */
async function expectApart(crmId: string): Promise<void> {
  expect(JSON.stringify(await deals.leads())).not.toContain(DECOY);
  expect(JSON.stringify(await deals.row('Opportunity', crmId))).not.toContain(SECRET);
  expect(JSON.stringify(await deals.syncRow(crmId))).not.toContain(SECRET);
  expect(await deals.link(crmId)).toMatchObject({ vendorId: null });
}

describe('a decoy with the id of a record', () => {
  it('of another customer that is there already receives and sends nothing, and says why it waits', async () => {
    const vendorId = await deals.lead({ description: SECRET });
    await deals.poll();
    const own = await deals.opportunities();
    const crmId = await decoy('LO-0', {});
    await world.crm.permit('Lockstep_Owned_Fields', 'edit');
    for (const row of own) await world.crm.edit(String(row['Id']), { Vendor_Id__c: null });
    await world.crm.edit(crmId, { Vendor_Id__c: vendorId });
    expect(await settle(world)).toEqual([]);
    await expectApart(crmId);
  });

  it('of another customer that nobody has imported yet', async () => {
    const vendorId = await deals.lead({ description: SECRET });
    const crmId = await decoy(vendorId);
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({
      state: 'parked',
      issues: [{ code: 'unproven-claim' }],
    });
    expect(String((await deals.syncRow(crmId))?.['Message__c'])).toContain('Vendor: id');
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    await expectApart(crmId);
    const record = await world.ledger.findLinkByIds(world.tenant, { vendorId });
    expect(record).toMatchObject({ crmId: null, state: 'parked', issues: [{ code: 'unproven-claim' }] });
  });

  it.each<[string, (id: string) => string]>([
    ['in small letters', (id) => id.toLowerCase()],
    ['between blanks', (id) => ` ${id} `],
    ['with a letter that nobody sees', (id) => `${id}\u200b`],
    ['as a path', (id) => `../leads-opportunities/${id}`],
    ['with a question', (id) => `${id}?top=1`],
    ['with an encoded sign', (id) => id.replace('-', '%2D')],
    ['as dots', () => '..'],
  ])('of another customer, written %s', async (_, written) => {
    const vendorId = await deals.lead({ description: SECRET });
    const crmId = await decoy(written(vendorId));
    await deals.sweep();
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    // What can be no id counts as none, and then the decoy is a deal of its own.
    expect((await deals.link(crmId))?.vendorId).not.toBe(vendorId);
    expect(JSON.stringify(await deals.row('Opportunity', crmId))).not.toContain(SECRET);
    const leads = (await deals.leads()).map((lead) => JSON.stringify(lead));
    expect(leads.filter((lead) => lead.includes(DECOY) && lead.includes(vendorId))).toEqual([]);
    expect(leads.some((lead) => lead.includes(SECRET) && lead.includes(vendorId))).toBe(true);
  });

  const SAME = { Name: 'Initech', Vendor_DUNS__c: '123456789' };
  it.each<readonly [string, { readonly isSwept?: false; readonly edited?: Raw }, Raw, Raw | undefined]>([
    ['seen by the sweep first', {}, {}, undefined],
    ['seen by the poll first', { isSwept: false }, {}, undefined],
    ['not shared', {}, { Vendor_Share__c: false }, undefined],
    ['with the same customer, entered before the record was there', {}, {}, SAME],
    ['with the same customer, seen by the poll first', { isSwept: false }, {}, SAME],
    ['with the same customer, and saved again afterwards', { edited: { NextStep: 'Call' } }, {}, SAME],
  ])('that the vendor makes later: %s', async (_, { isSwept = true, edited }, fields, account = {}) => {
    const ids = [await nextId(), await nextId(2)];
    const decoys = [];
    for (const id of ids) decoys.push(await decoy(id, fields, account));
    if (isSwept) await deals.sweep();
    else world.clock.advance(60_000);
    const [first, second] = [await deals.lead({ description: SECRET }), await deals.lead({ description: SECRET })];
    expect(ids.some((id) => [first, second].includes(id))).toBe(true);
    if (edited !== undefined) for (const crmId of decoys) await world.crm.edit(crmId, edited);
    await deals.sweep();
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    for (const crmId of decoys) {
      expect(JSON.stringify(await deals.leads())).not.toContain(DECOY);
      expect(JSON.stringify(await deals.row('Opportunity', crmId))).not.toContain(SECRET);
    }
  });
});

describe('a vendor id that a user enters rightly', () => {
  const CUSTOMER = { Name: 'Initech', BillingCountry: 'DE', Vendor_DUNS__c: '123456789' };

  it.each<[string, Raw, Raw, boolean]>([
    ['the customer has the same number', CUSTOMER, {}, true],
    ['the customer has the same name, and no number on one side', { ...CUSTOMER, Vendor_DUNS__c: null }, {}, true],
    ['the customer has another number', { ...CUSTOMER, Vendor_DUNS__c: '987654321' }, {}, false],
    ['the record names another opportunity', CUSTOMER, { partnerLeadOpportunityId: 'another' }, false],
    ['the record names no customer', CUSTOMER, { customerLegalEntity: {} }, false],
  ])('links where %s', async (_, account, lead, isLinked) => {
    const another = await deals.opportunity(await deals.account(), { Vendor_Share__c: false });
    const named = lead['partnerLeadOpportunityId'] === undefined ? {} : { partnerLeadOpportunityId: another };
    const vendorId = await deals.lead({ name: 'Theirs', ...lead, ...named });
    const crmId = await decoy(vendorId, { Name: 'Ours' }, account);
    await deals.sweep();
    expect((await deals.link(crmId)).vendorId).toBe(isLinked ? vendorId : null);
    expect(await settle(world)).toEqual([]);
  });

  it('links whichever customer has it where the user has the permission', async () => {
    const vendorId = await deals.lead({ name: 'Theirs' });
    await world.crm.permit(CLAIM, 'edit');
    const crmId = await decoy(vendorId, { Name: 'Ours' });
    await deals.sweep();
    expect(await deals.link(crmId)).toMatchObject({ vendorId, state: 'in-sync' });
    expect(await settle(world)).toEqual([]);
  });

  it('links once a user with the permission enters it again, or an operator links the two', async () => {
    const ids = [await deals.lead({ name: 'One' }), await deals.lead({ name: 'Two' })];
    const crmIds = [await decoy(ids[0] ?? ''), await decoy(ids[1] ?? '')];
    await deals.sweep();
    for (const crmId of crmIds) expect(await deals.link(crmId)).toMatchObject({ vendorId: null });
    const [first = '', second = ''] = crmIds;
    await world.crm.edit(first, { Vendor_Id__c: null });
    await world.crm.permit(CLAIM, 'edit');
    await world.crm.edit(first, { Vendor_Id__c: ids[0] });
    await deals.sweep();
    expect(await deals.link(first)).toMatchObject({ vendorId: ids[0], state: 'in-sync' });
    const remote = {
      opportunity: async () => ({ Vendor_Share__c: true }),
      hasVendorRecord: async () => true,
    };
    const requestSync = async (_: string, wanted: Parameters<World['requestSync']>[0]) => {
      await world.requestSync(wanted);
      return { workflowId: 'w' };
    };
    const ports = { ledger: world.ledger, intake: { requestSync }, remote };
    await linkRecords(ports, world.tenant, { crmId: second, vendorId: ids[1] ?? '' }, null, world.clock.now());
    await deals.time(60_000);
    expect(await deals.link(second)).toMatchObject({ vendorId: ids[1], state: 'in-sync' });
    expect(await settle(world)).toEqual([]);
  });

  it('leaves both to themselves once it is taken out', async () => {
    const vendorId = await deals.lead({ description: SECRET });
    const crmId = await decoy(vendorId);
    await deals.sweep();
    await deals.poll();
    await world.crm.edit(crmId, { Vendor_Id__c: null });
    expect(await settle(world)).toEqual([]);
    expect((await deals.link(crmId)).vendorId).not.toBe(vendorId);
    const record = await world.ledger.findLinkByIds(world.tenant, { vendorId });
    expect(record).toMatchObject({ state: 'in-sync', crmId: expect.any(String) });
    expect(await deals.opportunities()).toHaveLength(2);
  });
});

describe('the proof that a user may claim', () => {
  it.each([
    ['on an edit', 'LO-2', {}, { Vendor_Id__c: 'LO-1', Vendor_Id_Claim__c: 'LO-1' }],
    ['on an edit of it alone', 'LO-1', {}, { Vendor_Id_Claim__c: 'LO-1' }],
    ['on a new opportunity', 'LO-1', { Vendor_Id_Claim__c: 'LO-1' }, {}],
  ])('is no field that others can fill: %s', async (_, vendorId, made, edited) => {
    const crmId = await decoy(vendorId, made);
    if (Object.keys(edited).length > 0) await world.crm.edit(crmId, edited);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      Vendor_Id__c: 'LO-1',
      Vendor_Id_Claim__c: null,
    });
  });

  it('is of the id that its holder entered, and ends when another user enters another', async () => {
    await world.crm.permit(CLAIM, 'edit');
    const crmId = await decoy('LO-1');
    const claim = async () => (await deals.row('Opportunity', crmId))['Vendor_Id_Claim__c'];
    expect(await claim()).toBe('LO-1');
    await world.crm.permit(CLAIM, 'none');
    await world.crm.edit(crmId, { Description: 'By another' });
    expect(await claim()).toBe('LO-1');
    await world.crm.edit(crmId, { Vendor_Id__c: 'LO-2' });
    expect(await claim()).toBeNull();
  });
});
