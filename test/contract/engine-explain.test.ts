/** Why a record is as it is: the real decision over both simulators, by ports that can do nothing but read. */
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { FieldName } from '../../src/domain/record/canonical.ts';
import type { ObservePorts } from '../../src/observe/observe-deal.ts';
import type { ReadableTenant } from '../../src/observe/remotes.ts';
import { explainRecord } from '../../src/operator/explain/explain-record.ts';
import type { Explanation } from '../../src/operator/explain/explanation.ts';
import { readInbox } from '../../src/operator/status/inbox.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { observerOf, readOnly } from '../support/engine/operator.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

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
    now: world.clock.now,
  };
  return explainRecord(ports, world.runtime.tenant, { id, field, withValues: false });
}

const fieldOf = ({ fields }: Explanation, name: FieldName) => fields.find(({ field }) => field === name);

/** What a look must leave as it is: both sides, and all that the ledger has of the deal. */
async function everything(key: string): Promise<unknown> {
  return {
    leads: await deals.leads(),
    opportunities: await deals.opportunities(),
    link: await world.ledger.findLink(world.tenant, key),
    journal: await world.ledger.journal(world.tenant, key, 1000),
    writes: await deals.vendorWrites(),
  };
}

describe('an explanation', () => {
  it('says that a record is in sync, by any of its ids, and leaves everything as it was', async () => {
    const { crmId, vendorId } = await agreed();
    await deals.poll();
    const before = await everything(crmId);
    for (const id of [crmId, vendorId]) {
      const result = await explain(id);
      expect(result).toMatchObject({ crmId, vendorId, state: 'in-sync', linkedBy: 'linked', gates: [] });
      expect(result.sentence).toBe('In sync: both sides agree in all that travels.');
      expect(fieldOf(result, 'description')?.lastWrite).toMatchObject({ step: 'create-at-vendor' });
    }
    expect(await everything(crmId)).toEqual(before);
  });

  it('shows the decision that the record’s workflow then makes, by the same rule', async () => {
    const { crmId, vendorId } = await agreed();
    await deals.poll();
    world.clock.advance(60_000);
    await world.crm.edit(crmId, { Description: 'By the CRM', Vendor_Next_Milestone__c: 'Call' });
    world.clock.advance(60_000);
    await world.vendor.edit(vendorId, { description: 'By the vendor' });
    world.clock.advance(1_000);
    const before = await everything(crmId);
    const result = await explain(crmId);
    expect(await everything(crmId)).toEqual(before);
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
      'What the vendor shows is older than what was read of it; nothing has reported the change yet (vendor-older).',
    );
    expect(gates).toMatchObject([
      { gate: 'not-yet-seen', opens: expect.stringContaining('lockstep audit --repair') },
    ]);
  });

  it('says that a record is not shared, and what opens that', async () => {
    const { crmId } = await agreed();
    await world.crm.edit(crmId, { Vendor_Share__c: false });
    const result = await explain(crmId);
    expect(result.next?.step).toBe('detached');
    expect(result.gates).toMatchObject([
      { gate: 'scope', opens: expect.stringContaining('tick Vendor_Share__c') },
    ]);
  });

  it('foretells a create of what nothing has told of yet', async () => {
    const account = await deals.account();
    const crmId = await deals.opportunity(account);
    await deals.line(crmId, 500);
    const result = await explain(crmId);
    expect(result).toMatchObject({ state: 'unseen', next: { step: 'create-at-vendor' }, linkedBy: null });
    expect(fieldOf(result, 'name')?.verdict).toBe('sent');
    expect(await world.ledger.findLinkByIds(world.tenant, { crmId })).toBeNull();
  });

  it('names the field that waits, the reason and the repair', async () => {
    const account = await deals.account();
    const crmId = await deals.opportunity(account);
    await deals.sweep();
    const result = await explain(crmId);
    expect(result.state).toBe('parked');
    expect(result.gates).toMatchObject([{ gate: 'park', code: 'required-on-create', needsSomebody: true }]);
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

  it('says that the vendor shows a record no more', async () => {
    const { crmId, vendorId } = await agreed();
    await world.vendor.remove(vendorId);
    const result = await explain(crmId);
    expect(result.sentence).toMatch(/^The vendor no longer shows its record/);
    expect((await deals.link(crmId)).state).toBe('in-sync');
  });

  it('refuses an id that neither side has', async () => {
    await expect(explain('LO-9999')).rejects.toThrow('neither side shows it');
    await expect(explain('006000000000001AAA')).rejects.toThrow('neither side shows it');
  });
});

describe('looking', () => {
  it('has nothing to write with', () => {
    expectTypeOf<keyof ReadableTenant['crm']>().toEqualTypeOf<
      'readGraph' | 'fieldChanges' | 'isMergedInto' | 'knownOffers' | 'limits' | 'findCandidates'
    >();
    expectTypeOf<keyof ReadableTenant['vendor']>().toEqualTypeOf<
      'readLeadOpportunity' | 'searchLeadOpportunities'
    >();
    expectTypeOf<keyof ObservePorts['ledger']>().toEqualTypeOf<
      'findLinkByIds' | 'waitingFor' | 'barredFrom'
    >();
  });
});

describe('what waits is named as in the inbox', () => {
  const waiting = async () =>
    (await readInbox(world.ledger, world.tenant, { codes: null, limit: 10 })).records;

  it('of a refused import', async () => {
    await world.crm.fault({
      operation: 'sobject.create',
      status: 400,
      errorCode: 'FIELD_CUSTOM_VALIDATION_EXCEPTION',
      times: 1,
    });
    const vendorId = String(await deals.lead());
    await deals.poll();
    const [record] = await waiting();
    expect(record).toMatchObject({ vendorId, state: 'parked', issues: [{ code: 'crm-refused' }] });
    const { gates, sentence, next } = await explain(vendorId);
    expect(next?.step).toBe('create-in-crm');
    expect(gates).toMatchObject([
      { gate: 'park', code: 'crm-refused', what: record?.issues[0]?.message, needsSomebody: true },
    ]);
    expect(sentence).toContain('it waits for somebody (crm-refused)');
  });

  it('of an update that is tried again later', async () => {
    const { crmId } = await agreed();
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 423, times: 1 });
    await world.crm.edit(crmId, { Description: 'ours' });
    world.startStream('sweepSalesforce');
    await deals.time(20_000);
    const { gates, next } = await explain(crmId);
    expect(next?.step).toBe('update-at-vendor');
    expect(gates).toMatchObject([{ code: 'tried-again', needsSomebody: false }]);
  });
});
