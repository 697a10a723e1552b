/** The audit finds changes that no message, sweep or poll has shown: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import { AUDIT_CURSOR } from '../../src/domain/audit/audit-result.ts';
import * as workflows from '../../workflows/index.ts';
import { audited } from '../support/engine/audits.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const HOUR_MS = 3_600_000;
const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let ids: readonly { readonly crmId: string; readonly vendorId: string }[];
let crmId = '';
let vendorId = '';

/** So many deals on which both sides agreed, some hours ago. */
async function agreed(count: number): Promise<void> {
  const account = await deals.account();
  const crmIds: string[] = [];
  for (let n = 0; n < count; n += 1) {
    crmIds.push(await deals.opportunity(account, { Name: `Deal ${n}`, Description: 'Agreed' }));
    await deals.line(crmIds[n] ?? '', 500);
  }
  await streams();
  ids = await Promise.all(crmIds.map(async (id) => ({ crmId: id, vendorId: (await deals.link(id)).vendorId ?? '' })));
  ({ crmId, vendorId } = ids[0] ?? { crmId: '', vendorId: '' });
  await hours(6);
}

/** Time passes in which nobody edits, and all streams read. */
async function hours(count: number): Promise<void> {
  world.clock.advance(count * HOUR_MS);
  await streams();
}

async function streams(): Promise<void> {
  await deals.sweep();
  await deals.poll();
  await deals.check();
}

const ago = (hoursAgo: number): string => new Date(world.clock.readMs() - hoursAgo * HOUR_MS).toISOString();
const lead = async (id = vendorId) => (await deals.leads()).find((one) => one['id'] === id);
const row = (id = crmId) => deals.row('Opportunity', id);

beforeEach(async () => {
  ({ world, deals } = await openWorld());
});

describe('what no stream has found', () => {
  beforeEach(() => agreed(3));

  type Kind = {
    readonly act: () => Promise<unknown>;
    readonly cause: string;
    readonly fields: readonly string[];
    /** As it is while nobody has found it. */
    readonly missed: () => Promise<void>;
    readonly repaired: () => Promise<void>;
  };
  const isBoth = async (description: string): Promise<void> => {
    expect(await lead()).toMatchObject({ description });
    expect(await row()).toMatchObject({ Description: description });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  };

  const KINDS: readonly (readonly [string, Kind])[] = [
    [
      'an edit at the vendor that its search showed too late',
      {
        act: () => world.vendor.edit(vendorId, { description: 'Late' }, ago(1)),
        cause: 'vendor-change-unseen',
        fields: ['description'],
        missed: async () => expect(await row()).toMatchObject({ Description: 'Agreed' }),
        repaired: () => isBoth('Late'),
      },
    ],
    [
      'an opportunity that a restore brought back to what it was, with its old stamp',
      {
        act: () => world.crm.edit(crmId, { Description: 'Restored' }, ago(4)),
        cause: 'crm-change-unseen',
        fields: ['description'],
        missed: async () => expect(await lead()).toMatchObject({ description: 'Agreed' }),
        repaired: () => isBoth('Restored'),
      },
    ],
    [
      'a vendor record that a restore brought back to what it was, with its old date',
      {
        act: () => world.vendor.edit(vendorId, { description: 'Restored' }, ago(200)),
        cause: 'vendor-record-restored',
        fields: ['description'],
        missed: async () => expect(await row()).toMatchObject({ Description: 'Agreed' }),
        repaired: () => isBoth('Restored'),
      },
    ],
    [
      'a value that Lockstep wrote, and that a long transaction overwrote with the stamp of its begin',
      {
        act: async () => {
          await world.vendor.edit(vendorId, { description: 'Inbound' });
          await deals.poll();
          await isBoth('Inbound');
          await world.crm.edit(crmId, { Description: 'Overwritten' }, ago(1));
        },
        cause: 'crm-change-unseen',
        fields: ['description'],
        missed: async () => expect(await lead()).toMatchObject({ description: 'Inbound' }),
        repaired: () => isBoth('Overwritten'),
      },
    ],
    [
      'a linked record that is gone at the vendor, and that no reference finds',
      {
        act: async () => {
          // Our reference is sent again once; a record without any is passed over by the slow look.
          for (const _ of ['once', 'again']) {
            await world.vendor.edit(vendorId, { partnerLeadOpportunityId: null });
            await deals.poll();
          }
          await world.vendor.remove(vendorId);
        },
        cause: 'vendor-record-gone',
        fields: [],
        missed: async () => expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' }),
        repaired: async () =>
          expect(await deals.link(crmId)).toMatchObject({
            state: 'vendor-missing',
            issues: [{ code: 'vendor-missing' }],
          }),
      },
    ],
  ];

  it.each(KINDS)('is found and repaired: %s', async (_, { act, cause, fields, missed, repaired }) => {
    await act();
    await hours(2);
    await missed();
    const answer = await audited(world, deals, { repairs: false });
    expect(answer).toMatchObject({ pairs: 3, differing: 1, causes: { [cause]: 1 }, repaired: 0, left: 1 });
    expect(answer.examples).toEqual([{ cause, crmId, vendorId, fields }]);
    await hours(1);
    await missed();
    const repairing = await audited(world, deals);
    expect(repairing).toMatchObject({ differing: 1, causes: { [cause]: 1 }, repaired: 1, left: 0 });
    await streams();
    await repaired();
    await hours(2);
    expect(await audited(world, deals)).toMatchObject({ differing: 0, repaired: 0, left: 0 });
    expect(await world.violations()).toEqual([]);
  });

  it('is repaired up to the cap, and the rest with the next audit', async () => {
    for (const { crmId: id } of ids) await world.crm.edit(id, { Description: 'Restored' }, ago(4));
    await hours(1);
    expect(await audited(world, deals, { cap: 2 })).toMatchObject({ differing: 3, repaired: 2, left: 1 });
    await hours(1);
    expect(await audited(world, deals, { cap: 2 })).toMatchObject({ differing: 1, repaired: 1, left: 0 });
    for (const { vendorId: id } of ids) expect(await lead(id)).toMatchObject({ description: 'Restored' });
  });

  it('is reported where both sides of one record differ as one record', async () => {
    await world.crm.edit(crmId, { Description: 'Restored' }, ago(4));
    await world.vendor.edit(vendorId, { nextMilestone: 'Late' }, ago(1));
    await hours(1);
    const answer = await audited(world, deals, { repairs: false });
    expect(answer).toMatchObject({
      differing: 1,
      causes: { 'crm-change-unseen': 1, 'vendor-change-unseen': 1 },
    });
    expect(answer.fields).toEqual({ description: 1, nextMilestone: 1 });
  });

  it('is sharing too', async () => {
    await world.crm.edit(crmId, { Vendor_Share__c: false }, ago(4));
    await hours(1);
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync' });
    expect(await audited(world, deals)).toMatchObject({ differing: 1, fields: { Vendor_Share__c: 1 } });
    expect(await deals.link(crmId)).toMatchObject({ state: 'detached' });
  });

  it('is no difference that something open explains', async () => {
    await world.crm.edit(crmId, { Vendor_Next_Milestone_Date__c: '2027-06-30' });
    await hours(1);
    await world.crm.edit(crmId, { Vendor_Next_Milestone_Date__c: null });
    await hours(1);
    expect(await deals.link(crmId)).toMatchObject({ state: 'parked' });
    expect(await audited(world, deals)).toMatchObject({ differing: 0, repaired: 0 });
  });

  it('is no difference that a stream may still tell of', async () => {
    await world.crm.edit(crmId, { Description: 'Just now' });
    expect(await audited(world, deals)).toMatchObject({ differing: 0, underWay: 1 });
  });

  it('keeps what it came to', async () => {
    const result = await audited(world, deals);
    expect(await world.ledger.cursor(world.tenant, AUDIT_CURSOR)).toEqual({
      last: result,
      proven: result.startedAt,
    });
  });

  it.each(['worker', 'run'] as const)(
    'is found whenever the %s dies',
    async (what) => {
      for (const point of [1, 3, 5, 8]) {
        ({ world, deals } = await openWorld({ seed: point }));
        await agreed(1);
        await world.crm.edit(crmId, { Description: 'Restored' }, ago(4));
        world.clock.advance(HOUR_MS);
        world.interruptions.plan(point, what);
        // A run that is ended by force leaves what it had not done to the next.
        const ended = await audited(world, deals).catch(() => null);
        if (ended === null) expect([what, await audited(world, deals)]).toMatchObject(['run', { left: 0 }]);
        await streams();
        await isBoth('Restored');
      }
    },
    120_000,
  );
});
