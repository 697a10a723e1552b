/** The example of docs/design/own-writes.md: the answer to an update is lost, and a user of the vendor edits the field twice. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { settle } from '../support/engine/settle.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const openDeal = withDeal(workflows);

/** Whether Lockstep has sent the update. */
async function hasAsked({ vendor }: World): Promise<boolean> {
  return (await vendor.requests()).some(({ operation }) => operation === 'updateLeadOpportunity');
}

type Arrival = 'at once' | 'never' | number;

it.each<[string, Arrival, 'later' | 'crm', string]>([
  ['before both edits', 'at once', 'later', 'green'],
  ['never', 'never', 'later', 'green'],
  ['never, and the CRM is preferred', 'never', 'crm', 'ours'],
  ['after both edits, which nobody had read', 800, 'later', 'ours'],
  ['after Lockstep had read both edits', 120_000, 'later', 'green'],
  ['after a reading that did not show it after five minutes', 600_000, 'later', 'ours'],
])('the update reaches the vendor %s', async (_, arrival, prefer, both) => {
  const { world, deals, crmId } = await openDeal({ prefer });
  const vendorId = String((await deals.leadNamed(crmId))?.['id']);
  if (typeof arrival === 'number') world.planLateUpdate(arrival, async (_, arrive) => void (await arrive()));
  else
    await world.vendor.fault({
      operation: 'updateLeadOpportunity',
      cut: arrival === 'never' ? 'before' : 'after',
      times: 1,
    });
  await world.crm.edit(crmId, { Description: 'ours' });
  world.clock.advance(5_000);
  world.startStream('sweepSalesforce');
  while (!(await hasAsked(world))) expect(await world.scheduler.step(world.clock.readMs() + 10_000)).toBe(true);

  for (const description of ['blue', 'green']) await world.vendor.edit(vendorId, { description });
  for (const round of Array.from({ length: 10 }).keys()) {
    // Makes Lockstep read the record more than five minutes after the update was sent.
    if (round === 3) await world.vendor.edit(vendorId, { nextMilestone: 'Workshop' });
    await deals.poll();
    await deals.time(60_000);
  }
  expect(await settle(world)).toEqual([]);

  expect(await deals.row('Opportunity', crmId)).toMatchObject({ Description: both });
  expect(await deals.leadNamed(crmId)).toMatchObject({ description: both });
});
