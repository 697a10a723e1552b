/** Keys that may do some things and not others: the pause lasts as long as the fault, and asks little. On ledger and simulators. */
import { beforeEach, expect, it, vi } from 'vitest';
import { resumeTenant } from '../../src/operator/resume-tenant.ts';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const HOUR_MS = 3_600_000;
const SALES = 'vendor-sales';

const openDeal = withDeal(workflows);
let world: World;
let deals: Deals;
let crmId: string;

beforeEach(async () => {
  ({ world, deals, crmId } = await openDeal());
});

/** Requests of each operation since the world began. */
async function asked(operation: string): Promise<number> {
  return (await world.vendor.requests()).filter((one) => one.operation === operation).length;
}

async function pauses(): Promise<readonly string[]> {
  return (await world.ledger.pauses(world.tenant)).map(({ group, reason }) => `${group}: ${reason}`);
}

it('a key that may search and not write is not taken for one that works', async () => {
  await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403 });
  await world.crm.edit(crmId, { Description: 'ours' });
  await deals.sweep();
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const [updates, reads] = [await asked('updateLeadOpportunity'), await asked('readLeadOpportunity')];
  await deals.time(6 * HOUR_MS);
  const probes = (await asked('updateLeadOpportunity')) - updates;
  // Doubling from five seconds to five minutes; each reads once as well, and the record itself is not looked at.
  expect(probes).toBeGreaterThan(60);
  expect(probes).toBeLessThan(90);
  expect((await asked('readLeadOpportunity')) - reads).toBe(probes);
  expect(await pauses()).toEqual([
    expect.stringMatching(new RegExp(`^${SALES}: refused our sign-in or key \\(.*scope`)),
  ]);
  const leads = (await deals.leads()).length;
  await world.vendor.clearFaults();
  await deals.time(10 * 60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: 'ours' });
  expect((await deals.leads()).length).toBe(leads);
});

it('a key that fails where no probe can tell is left alone longer each time, until a person says otherwise', async () => {
  await world.vendor.fault({ operation: 'createLeadOpportunity', status: 403 });
  const other = await deals.opportunity(await deals.account({ Name: 'Other' }), { Name: 'Other' });
  await deals.line(other, 100);
  await deals.sweep();
  await deals.time(24 * HOUR_MS);
  const creates = (await asked('createLeadOpportunity')) - 1;
  expect(creates).toBeGreaterThan(5);
  expect(creates).toBeLessThan(20);
  expect(await pauses()).toEqual([
    expect.stringMatching(
      /^vendor-sales: refused .* again soon after it answered: it is asked no more before 20/,
    ),
  ]);
  const guards = { maxDetachShare: 0.2, minimum: 20, windowMs: HOUR_MS };
  await world.vendor.clearFaults();
  const watching = async () => ({ probeNow: async () => {} });
  await resumeTenant(world.ledger, { tenant: world.tenant, guards }, world.clock.now(), watching);
  await deals.time(10 * 60_000);
  expect(await pauses()).toEqual([]);
  expect(await deals.leadNamed(other)).toMatchObject({ name: 'Other' });
});
