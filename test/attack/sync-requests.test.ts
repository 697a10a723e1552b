/** Requests for a sync by CRM users: no value of the field keeps the requests of others from counting, or makes work without an end. */
import { describe, expect, it, vi } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';

vi.mock('@temporalio/workflow', () => import('../support/engine/workflow-runtime.ts'));

const openDeal = withDeal(workflows);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const at = (value: string | number, nowMs: number): string =>
  typeof value === 'string' ? value : new Date(nowMs + value).toISOString();

const TIMES: readonly [string, string | number][] = [
  ['the last day of Salesforce', '4000-12-31T00:00:00.000Z'],
  ['next year', 365 * DAY],
  ['tomorrow', DAY],
  ['in an hour', HOUR],
  ['in eleven minutes', 11 * MINUTE],
  ['now', 0],
  ['yesterday', -DAY],
  ['the first day of Salesforce', '1700-01-01T00:00:00.000Z'],
];

describe('a request with the time', () => {
  it.each(TIMES)('%s keeps no later request from counting', async (_, value) => {
    const { world, deals, crmId } = await openDeal();
    const ask = (time: string) => world.crm.edit(crmId, { Lockstep_Sync_Asked__c: time });
    await ask(at(value, world.clock.readMs()));
    await deals.sweep();
    await deals.time(5_000);
    const before = await deals.asked('readLeadOpportunity');
    await ask(world.clock.now());
    await deals.sweep();
    expect(await deals.asked('readLeadOpportunity')).toBeGreaterThan(before);
  });

  it.each(TIMES)('%s makes work once', async (_, value) => {
    const { world, deals, crmId } = await openDeal();
    await world.crm.edit(crmId, { Lockstep_Sync_Asked__c: at(value, world.clock.readMs()) });
    await deals.sweep();
    expect(await settle(world)).toEqual([]);
    const before = await deals.asked('readLeadOpportunity');
    for (let round = 0; round < 5; round += 1) await deals.sweep();
    expect(await deals.asked('readLeadOpportunity')).toBe(before);
  });
});

it('a request of the future that an earlier release has accepted keeps none from counting', async () => {
  const { world, deals, crmId } = await openDeal();
  const { ledger, tenant } = world;
  await ledger.acceptSyncRequest(tenant, crmId, '4000-12-31T00:00:00.000Z', world.clock.now());
  expect(await settle(world)).toEqual([]);
  await deals.time(5_000);
  expect(await ledger.acceptSyncRequest(tenant, crmId, world.clock.now(), world.clock.now())).toBe(true);
});
