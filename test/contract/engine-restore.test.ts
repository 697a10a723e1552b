import { describe, expect, it } from 'vitest';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

/** A ledger that was brought back from an hour ago, and a namespace of Temporal that was lost. */

const openDeal = withDeal(workflows);
const HOUR_MS = 3_600_000;

describe('a ledger from an hour ago', () => {
  it('takes up what was linked and is forgotten, without a duplicate', async () => {
    const { world, deals, crmId } = await openDeal();
    const copy = await world.backUp();
    const other = await deals.opportunity(await deals.account({ Name: 'Hooli' }), { Name: 'Routers' });
    await deals.line(other, 700);
    await deals.lead({ name: 'Theirs' });
    expect(await settle(world)).toEqual([]);
    const before = [(await deals.leads()).length, (await deals.opportunities()).length];
    await deals.time(HOUR_MS);
    await copy.restore();
    await world.ledger.noteRestored(world.clock.now());
    expect(await settle(world)).toEqual([]);
    expect([(await deals.leads()).length, (await deals.opportunities()).length]).toEqual(before);
    for (const id of [crmId, other]) expect(await deals.link(id)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('keeps what both sides had agreed on, without a write', async () => {
    const { world, deals, crmId } = await openDeal();
    const copy = await world.backUp();
    await world.crm.edit(crmId, { Description: 'new' });
    await deals.sweep();
    await deals.editAtVendor(crmId, { nextMilestone: 'newer' });
    expect(await settle(world)).toEqual([]);
    await deals.time(HOUR_MS);
    const writes = await deals.vendorWrites();
    await copy.restore();
    await world.ledger.noteRestored(world.clock.now());
    expect(await settle(world)).toEqual([]);
    expect(await deals.vendorWrites()).toBe(writes);
    expect(await deals.row('Opportunity', crmId)).toMatchObject({
      ...{ Description: 'new', Vendor_Next_Milestone__c: 'newer' },
    });
    expect(await deals.link(crmId)).toMatchObject({ state: 'in-sync', issues: [] });
  });

  it('goes on with what is under way in Temporal, of links that it has forgotten too', async () => {
    const { world, deals, crmId } = await openDeal();
    const copy = await world.backUp();
    const other = await deals.opportunity(await deals.account({ Name: 'Hooli' }), { Name: 'Routers' });
    await deals.line(other, 700);
    await world.crm.edit(crmId, { Description: 'new' });
    await underWay(world, other);
    await copy.restore();
    await world.ledger.noteRestored(world.clock.now());
    expect(await settle(world)).toEqual([]);
    expect(await deals.leads()).toHaveLength(2);
    expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new' });
    expect(await deals.link(other)).toMatchObject({ state: 'in-sync', issues: [] });
  });
});

/** A sweep, and what follows up to where the record's workflow runs. */
async function underWay(world: World, crmId: string): Promise<void> {
  world.startStream('sweepSalesforce');
  const id = workflowIds.syncOpportunity(world.tenant, crmId);
  while (!world.scheduler.running().includes(id))
    expect(await world.scheduler.step(world.clock.readMs() + 1_000)).toBe(true);
}

it('goes on with an intact ledger where Temporal has lost all that was under way', async () => {
  const { world, deals, crmId } = await openDeal();
  const other = await deals.opportunity(await deals.account({ Name: 'Hooli' }), { Name: 'Routers' });
  await deals.line(other, 700);
  await world.crm.edit(crmId, { Description: 'new' });
  await underWay(world, other);
  world.scheduler.forget();
  expect(await settle(world)).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'new' });
  expect(await deals.leadNamed(other)).toBeDefined();
  expect(await deals.leads()).toHaveLength(2);
});

it('ends a pause whose guard Temporal has lost', async () => {
  const { world, deals } = await openDeal();
  await world.vendor.fault({ status: 401 });
  await deals.poll();
  expect(await world.ledger.pauses(world.tenant)).not.toEqual([]);
  world.scheduler.forget();
  expect(await settle(world)).toEqual([]);
  expect(await world.ledger.pauses(world.tenant)).toEqual([]);
});
