/** What would be done, foretold: the real decision over both simulators by reads alone, then the real engine. */

import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import type { ObservePorts } from '../../src/observe/observe-deal.ts';
import type { ReadableTenant } from '../../src/observe/remotes.ts';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import type { Explanation } from '../../src/operator/explain/explanation.ts';
import type { PlanOrder } from '../../src/operator/plan/make-plan.ts';
import { planRecord } from '../../src/operator/plan/plan-record.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { type Planned, planned } from '../support/engine/plans.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

const plan = (change: Partial<PlanOrder> = {}): Promise<Planned> => planned(world, change);

const ofCrm = ({ records }: Planned, crmId: string) => records.filter((record) => record.crmId === crmId);
const ofVendor = ({ records }: Planned, vendorId: string) => records.filter((record) => record.vendorId === vendorId);

async function everything(): Promise<unknown> {
  return {
    leads: await deals.leads(),
    opportunities: await deals.opportunities(),
    links: await world.ledger.listLinks(world.tenant, { limit: 1000 }),
    writes: await deals.vendorWrites(),
  };
}

describe('a plan before the first connection', () => {
  it('tells of each record what would be made where, linked by which proof, or why it waits', async () => {
    const known = await deals.account({ Vendor_DUNS__c: '123456789' });
    const other = await deals.account({ Name: 'Other', Vendor_DUNS__c: '987654321' });
    const keyed = await deals.opportunity(known, { Description: 'From the CRM' });
    const keyedLead = await deals.lead({ nextMilestone: 'From the vendor' });
    const fresh = await deals.opportunity(other, { Name: 'Only in the CRM' });
    await deals.line(fresh, 500);
    const poor = await deals.opportunity(other, { Name: 'Without a line' });
    const named = await deals.opportunity(other, { Name: 'Named by the vendor' });
    await deals.line(named, 500);
    const namedLead = await deals.lead({ name: 'Renamed', partnerLeadOpportunityId: named });
    const foreign = await deals.lead({
      name: 'Only at the vendor',
      customerLegalEntity: { name: 'Elsewhere', country: 'DE', dunsNumber: '555555555' },
    });
    const before = await everything();
    const made = await plan();
    expect(await everything()).toEqual(before);
    expect(ofCrm(made, keyed)).toMatchObject([{ vendorId: keyedLead, linkBy: 'keys', action: 'update-both' }]);
    expect(ofCrm(made, named)).toMatchObject([{ vendorId: namedLead, linkBy: 'reference' }]);
    expect(ofCrm(made, fresh)).toMatchObject([{ vendorId: null, linkBy: null, action: 'create-at-vendor' }]);
    expect(ofCrm(made, poor)).toMatchObject([
      { action: 'park', issues: [{ code: 'required-on-create', field: 'offerLines' }] },
    ]);
    expect(ofVendor(made, foreign)).toMatchObject([{ crmId: null, action: 'create-in-crm' }]);
    expect(made.records).toHaveLength(5);
    expect(made.summary.totals.records).toBe(5);
    expect(made.summary.totals.linkBy).toEqual({ keys: 1, reference: 1 });
  });
});

describe('a plan of linked records', () => {
  let crmId = '';
  let vendorId = '';

  beforeEach(async () => {
    crmId = await deals.shared();
    await deals.poll();
    expect(await settle(world)).toEqual([]);
    vendorId = String((await deals.link(crmId)).vendorId);
  });

  it('tells which fields go which way by which rule, and what agrees', async () => {
    expect((await plan()).summary.totals.actions).toEqual({ nothing: 1 });
    await deals.time(5_000);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    await world.vendor.edit(vendorId, { nextMilestone: 'By the vendor' });
    expect(ofCrm(await plan(), crmId)).toMatchObject([
      {
        action: 'update-both',
        linkBy: null,
        fields: [
          { field: 'description', way: 'to-vendor', rule: 'changed in the CRM' },
          { field: 'nextMilestone', way: 'to-crm', rule: 'changed at the vendor' },
        ],
      },
    ]);
  });

  it('reads no record at the vendor that no search shows as changed since it was read', async () => {
    await deals.time(900_000);
    await deals.poll();
    await deals.time(900_000);
    await deals.poll();
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    const reads = () => deals.asked('readLeadOpportunity');
    const before = await reads();
    const since = new Date(world.clock.readMs() - 60_000).toISOString();
    const made = await plan({ since });
    expect(ofCrm(made, crmId)).toMatchObject([{ action: 'update-at-vendor' }]);
    expect(await reads()).toBe(before);
  });

  it('tells what another mapping would change, and nothing else', async () => {
    await deals.time(5_000);
    const second = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'As before' });
    await deals.line(second, 100);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    await world.vendor.edit(vendorId, { description: 'By the vendor' });
    const { mapping } = world.runtime.tenant;
    const made = await plan({ mapping: { ...mapping, rules: { description: 'manual' } } });
    expect(made.records).toMatchObject([{ crmId, action: 'conflict', before: { action: 'update-at-vendor' } }]);
    expect(made.summary.totals.records).toBe(1);
  });

  it('foretells one record by any of its ids', async () => {
    await deals.time(5_000);
    await world.crm.edit(crmId, { Description: 'By the CRM' });
    const ports = { observer: observerOf(world), ledger: readOnly(world).ledger, now: world.clock.now };
    for (const id of [crmId, vendorId])
      expect(await planRecord(ports, world.tenant, id)).toMatchObject({ crmId, action: 'update-at-vendor' });
    await expect(planRecord(ports, world.tenant, 'LO-9999')).rejects.toThrow('neither side shows it');
  });
});

/** Why a record is as it is: the real decision over both simulators, by ports that can do nothing but read. */
/** A deal that both sides have, and agree on. */
async function agreed(): Promise<{ readonly crmId: string; readonly vendorId: string }> {
  const account = await deals.account();
  const crmId = await deals.opportunity(account, { Description: 'First' });
  await deals.line(crmId, 500);
  await deals.sweep();
  const { vendorId } = await deals.link(crmId);
  return { crmId, vendorId: String(vendorId) };
}

function explain(id: string, field: FieldName | null = null): Promise<Explanation> {
  const { remotes, ledger } = readOnly(world);
  const ports = {
    observer: observerOf(world),
    crm: remotes.crm,
    ledger,
    addresses: { crm: 'https://org', vendor: 'https://vendor', temporal: null },
    runs: async () => [],
    now: world.clock.now,
  };
  return explainRecord(ports, world.runtime.tenant, { id, field, withValues: false });
}

const fieldOf = ({ fields }: Explanation, name: FieldName) => fields.find(({ field }) => field === name);

/** What a look must leave as it is: both sides, and all that the ledger has of the deal. */
async function allOf(key: string): Promise<unknown> {
  return {
    leads: await deals.leads(),
    opportunities: await deals.opportunities(),
    link: await world.ledger.findLink(world.tenant, key),
    journal: await world.ledger.journal(world.tenant, key, 1000),
    writes: await deals.vendorWrites(),
  };
}

describe('an explanation', () => {
  it('says that a record is in sync, by any of its ids, and leaves allOf as it was', async () => {
    const { crmId, vendorId } = await agreed();
    await deals.poll();
    const before = await allOf(crmId);
    for (const id of [crmId, vendorId]) {
      const result = await explain(id);
      expect(result).toMatchObject({ crmId, vendorId, state: 'in-sync', linkedBy: 'created-at-vendor', gates: [] });
      expect(result.sentence).toBe('In sync: both sides agree on all synced fields.');
      expect(fieldOf(result, 'description')?.lastWrite).toMatchObject({ step: 'create-at-vendor' });
    }
    expect(await allOf(crmId)).toEqual(before);
  });

  it('shows the decision that the record’s workflow then makes, by the same rule', async () => {
    const { crmId, vendorId } = await agreed();
    await deals.poll();
    world.clock.advance(60_000);
    await world.crm.edit(crmId, { Description: 'By the CRM', Vendor_Next_Milestone__c: 'Call' });
    world.clock.advance(60_000);
    await world.vendor.edit(vendorId, { description: 'By the vendor' });
    world.clock.advance(1_000);
    const before = await allOf(crmId);
    const result = await explain(crmId);
    expect(await allOf(crmId)).toEqual(before);
    expect(result.gates).toMatchObject([{ gate: 'not-yet-seen', field: null }]);
    const [description, milestone] = [fieldOf(result, 'description'), fieldOf(result, 'nextMilestone')];
    expect(description).toMatchObject({ crm: { changed: true }, vendor: { changed: true } });
    expect(milestone).toMatchObject({
      verdict: 'to-vendor',
      crm: { changed: true },
      vendor: { changed: false },
    });
    await world.requestSync({ crmId });
    await deals.time(30_000);
    const [decided] = (await world.ledger.journal(world.tenant, crmId, 100)).filter(({ decisions }) =>
      decisions.some(({ field }) => field === 'nextMilestone'),
    );
    const made = decided?.decisions.map(({ field, verdict, rule }) => ({ field, verdict, rule }));
    const foretold = result.fields.flatMap(({ field, verdict, decidedBy: rule }) =>
      verdict === 'unchanged' ? [] : [{ field, verdict, rule }],
    );
    expect(foretold).toEqual(made);
  });

  it('does not say that both agree where the vendor shows an older state than was read before', async () => {
    const { crmId, vendorId } = await agreed();
    await world.vendor.edit(vendorId, { description: 'Later' });
    await deals.poll();
    const before = new Date(world.clock.readMs() - 3_600_000).toISOString();
    await world.vendor.edit(vendorId, { description: 'Restored' }, before);
    const { sentence, gates } = await explain(crmId);
    expect(sentence).toBe(
      'The vendor shows an older version than Lockstep has read before; nothing has reported the change yet (vendor-older).',
    );
    expect(gates).toMatchObject([{ gate: 'not-yet-seen', opens: expect.stringContaining('lockstep audit --repair') }]);
  });

  it('recognises a vendor record by its keys, and names its opportunity as proof', async () => {
    const account = await deals.account({ Vendor_DUNS__c: '123456789' });
    const crmId = await deals.opportunity(account, { Description: 'From the CRM' });
    const vendorId = await deals.lead();
    const result = await explain(vendorId);
    expect(result).toMatchObject({ crmId, vendorId, linkedBy: 'keys', state: 'unseen' });
    expect(result.next?.step).toBe('update-at-vendor');
    const second = await deals.opportunity(account);
    const both = await explain(vendorId);
    expect(both.gates).toMatchObject([{ gate: 'park', code: 'several-candidates' }]);
    expect(both.gates[0]?.what).toContain(second);
  });

  it('says of one with two vendor records that it is not shared, where that is so', async () => {
    const { crmId } = await agreed();
    await deals.lead({ partnerLeadOpportunityId: crmId.slice(0, 15) });
    await deals.poll();
    expect((await explain(crmId)).gates).toMatchObject([{ gate: 'park', code: 'several-candidates' }]);
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    expect((await explain(crmId)).gates).toMatchObject([{ gate: 'scope', code: 'detached' }, {}]);
  });
});

describe('looking', () => {
  it('has nothing to write with', () => {
    expectTypeOf<keyof ReadableTenant['crm']>().toEqualTypeOf<
      | ('readGraph' | 'leadsConvertedInto' | 'fieldChanges' | 'isMergedInto' | 'hasMadeSuch')
      | ('knownOffers' | 'limits' | 'findCandidates')
    >();
    expectTypeOf<keyof ReadableTenant['vendor']>().toEqualTypeOf<'readLeadOpportunity' | 'searchLeadOpportunities'>();
    expectTypeOf<keyof ObservePorts['ledger']>().toEqualTypeOf<'findLinkByIds' | 'waitingFor' | 'barredFrom'>();
  });
});
