/** Parts of a tenant that are out: the real engine on ledger and simulators. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OperationGroup } from '../../src/domain/loop/operation-groups.ts';
import { tenantMetrics } from '../../src/operator/metrics/tenant-metrics.ts';
import { readStatus } from '../../src/operator/status/status.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import { type Deals, dealsOf } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { openTestBed, openWorld, type TestBed, type World } from '../support/engine/world.ts';

let testBed: TestBed;
let world: World;
let deals: Deals;
let deal: string;

beforeAll(async () => {
  testBed = await openTestBed(workflows as never);
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

beforeEach(async () => {
  world = await openWorld(testBed, { arrays: 'replace', seed: 1, prefer: 'crm', giveUpMs: 2_000 });
  deals = dealsOf(world);
  deal = await deals.shared({ Name: 'Deal' });
  await deals.sweep();
});

afterEach(() => world.close());
afterAll(() => testBed.close());

/** Nobody in the CRM or at the vendor waits for the other side. */
async function expectBothWays(): Promise<void> {
  await world.crm.edit(deal, { Description: 'From the CRM' });
  await deals.sweep();
  expect(await deals.leadNamed(deal)).toMatchObject({ description: 'From the CRM' });
  await editAtVendor('From the vendor');
  await deals.poll();
  expect(await deals.row('Opportunity', deal)).toMatchObject({ Description: 'From the vendor' });
}

async function editAtVendor(description: string): Promise<void> {
  await deals.editAtVendor(deal, { description });
}

async function isDue(): Promise<boolean> {
  const { generation, observedGeneration } = await deals.link(deal);
  return generation > observedGeneration;
}

function pause(group: OperationGroup): Promise<boolean> {
  return world.ledger.pause(world.tenant, group, 'refused our sign-in or key', world.clock.now());
}

describe('while the vendor’s order operations are out', () => {
  it('opportunities go on both ways, and the guard drains nothing when it is over', async () => {
    await world.vendor.fault({ operation: 'searchOrders', status: 403 });
    await pause('vendor-order');
    const guard = workflowIds.guardTenant(world.tenant, 'vendor-order');
    world.scheduler.start(guard, 'guardTenant', { tenant: world.tenant, group: 'vendor-order' });
    await expectBothWays();
    expect(await world.ledger.pauses(world.tenant)).toMatchObject([{ group: 'vendor-order' }]);
    // A record that is due for a reason of its own.
    await world.ledger.markDue(world.tenant, [{ crmId: deal }], world.clock.now());
    await world.vendor.clearFaults();
    await deals.time(600_000);
    expect(world.scheduler.takeResults().get(guard)).toMatchObject({ drained: 0 });
    expect(await world.ledger.pauses(world.tenant)).toEqual([]);
  });
});

describe('while the CRM is out', () => {
  it('changes at the vendor are still found, and wait as due rows', async () => {
    await pause('salesforce');
    await editAtVendor('Meanwhile');
    await deals.poll();
    expect(await isDue()).toBe(true);
    expect(await deals.row('Opportunity', deal)).not.toMatchObject({ Description: 'Meanwhile' });
    expect(await settle(world)).toEqual([]);
    expect(await deals.row('Opportunity', deal)).toMatchObject({ Description: 'Meanwhile' });
  });
});

describe('while the vendor’s sales operations are out', () => {
  it('changes in the CRM are still found, and wait as due rows', async () => {
    await world.vendor.fault({ status: 401 });
    await pause('vendor-sales');
    await world.crm.edit(deal, { Description: 'Meanwhile' });
    await deals.sweep();
    expect(await isDue()).toBe(true);
    expect(await deals.leadNamed(deal)).not.toMatchObject({ description: 'Meanwhile' });
    expect(await settle(world)).toEqual([]);
    expect(await deals.leadNamed(deal)).toMatchObject({ description: 'Meanwhile' });
  });
});

describe('what is reported of a tenant in trouble', () => {
  const status = async () => {
    const { tenants } = await readStatus(world.ledger, [world.runtime.tenant], world.clock.now());
    return tenants[0];
  };
  const metrics = () => tenantMetrics(world.ledger, world.clock.now)();

  it('says of a key that is dead that it is, and of which tenant', async () => {
    await world.vendor.fault({ status: 403 });
    await deals.poll();
    expect(await status()).toMatchObject({
      paused: [
        {
          group: 'vendor-sales',
          reason: expect.stringMatching(/scope|403/),
          opens: expect.stringContaining('keys status'),
        },
      ],
      failing: [{ stream: 'pollVendor', remote: 'vendor', code: 'scope' }],
    });
    expect(await metrics()).toContain(`lockstep_paused{tenant="${world.tenant}",group="vendor-sales"} 1`);
  });

  it('says of a vendor that hangs that it does, until it answers', async () => {
    await deals.poll();
    expect(await status()).toMatchObject({ failing: [] });
    await world.vendor.fault({ hang: true });
    await deals.poll();
    expect(await status()).toMatchObject({
      paused: [],
      failing: [{ stream: 'pollVendor', remote: 'vendor', code: 'timeout' }],
    });
    await world.vendor.clearFaults();
    await deals.time(600_000);
    await deals.poll();
    expect(await status()).toMatchObject({ failing: [] });
  });
});

describe('while a person holds the tenant', () => {
  it.each(['whole-tenant', 'by-hand'] as const)('nothing is looked at (%s)', async (group) => {
    await pause(group);
    await world.crm.edit(deal, { Description: 'Meanwhile' });
    await editAtVendor('Meanwhile at the vendor');
    await deals.sweep();
    await deals.poll();
    expect(await isDue()).toBe(false);
  });
});
