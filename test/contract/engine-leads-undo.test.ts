/** An undo gives back what Lockstep wrote to a lead, also after its conversion. The real workflow and engine on ledger and simulators. */
import { beforeEach, expect, it } from 'vitest';
import type { UndoRunOrder } from '../../src/domain/backfill/undo-run.ts';
import { workflowIds } from '../../temporal.config.ts';
import * as workflows from '../../workflows/index.ts';
import type { UndoStatus } from '../../workflows/messages.ts';
import type { Deals } from '../support/engine/deals.ts';
import { settle } from '../support/engine/settle.ts';
import { sharedLead } from '../support/engine/shared-lead.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const DAY_MS = 86_400_000;
const open = withWorlds(workflows);
let world: World;
let deals: Deals;
let leadId = '';

beforeEach(async () => {
  ({ world, deals } = await open({ leads: {} }));
  leadId = await sharedLead(world, { Description: 'first' });
  await settled();
  const [record] = await deals.leads();
  await world.vendor.edit(String(record?.['id']), { description: 'theirs' });
  await deals.poll();
  await settled();
});

async function settled(): Promise<void> {
  await deals.sweep();
  expect(await settle(world)).toEqual([]);
  await deals.time(120_000);
}

async function undo(order: Pick<UndoRunOrder, 'scope' | 'key'>): Promise<UndoStatus> {
  const id = workflowIds.undo(world.tenant);
  const whole: UndoRunOrder = { ...order, share: 0.5, fields: ['description'] };
  expect(world.scheduler.start(id, 'undo', { tenant: world.tenant, order: whole })).toBe(true);
  const untilMs = world.clock.readMs() + DAY_MS;
  while (world.scheduler.running().length > 0 && (await world.scheduler.step(untilMs))) {}
  expect(world.scheduler.failures).toEqual([]);
  return world.scheduler.takeResults().get(id) as UndoStatus;
}

const inCrm = async (object: string, id: string) => (await deals.row(object, id))['Description'];
const atVendor = async () => (await deals.leads())[0]?.['description'];

it('on the lead', async () => {
  expect([await inCrm('Lead', leadId), await atVendor()]).toEqual(['theirs', 'theirs']);

  const status = await undo({ scope: { of: 'last' }, key: leadId });

  expect(status).toMatchObject({ state: 'done', values: { back: 1, left: 0, waits: 0 } });
  expect([await inCrm('Lead', leadId), await atVendor()]).toEqual(['first', 'first']);
});

it('on the opportunity that the lead became, which nothing else changed', async () => {
  const opportunityId = String(await world.convert(leadId));
  await settled();
  const { key } = await deals.link(opportunityId);
  expect([await inCrm('Opportunity', opportunityId), await atVendor()]).toEqual(['theirs', 'theirs']);

  await undo({ scope: { of: 'since', since: '2027-01-01T00:00:00.000Z' }, key: null });

  expect([await inCrm('Opportunity', opportunityId), await atVendor()]).toEqual(['first', 'first']);
  expect(await deals.link(opportunityId)).toMatchObject({ key, state: 'in-sync' });
});
