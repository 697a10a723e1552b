/** One record that a firewall of the vendor refuses, and how late its neighbours' changes arrive meanwhile. On ledger and simulators. */
import { expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import { withDeal } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const NEIGHBOURS = 12;
const EDIT_EVERY_MS = 10_000;
/** How often it is looked whether an edit has arrived, and for how long. */
const [STEP_MS, LONGEST_MS] = [500, 60_000];
const WORDS = 'union select';

const openDeal = withDeal(workflows);

async function neighboursOf(deals: Deals): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let n = 0; n < NEIGHBOURS; n += 1) {
    const id = await deals.opportunity(await deals.account({ Name: `N${n}` }), { Name: `N${n}` });
    await deals.line(id, 100);
    ids.push(id);
  }
  await deals.sweep();
  await deals.poll();
  return ids;
}

/** How long the edits of neighbours take to arrive at the other side, in milliseconds, where their neighbour is refused with `body`. */
async function delays(refusal: object | null): Promise<readonly number[]> {
  const { world, deals, crmId } = await openDeal();
  const neighbours = await neighboursOf(deals);
  if (refusal !== null)
    await world.vendor.fault({ operation: 'updateLeadOpportunity', status: 403, words: WORDS, ...refusal });
  const found: number[] = [];
  for (const [n, id] of neighbours.entries()) {
    const from = world.clock.readMs();
    // The refused record is saved again a moment before each neighbour.
    await world.crm.edit(crmId, { Description: `${WORDS} ${n}` });
    world.startStream('sweepSalesforce');
    await deals.time(STEP_MS);
    found.push(await arrival(world, deals, id, n % 2 === 0 ? 'vendor' : 'crm'));
    await deals.time(Math.max(0, from + EDIT_EVERY_MS - world.clock.readMs()));
  }
  return found.sort((a, b) => a - b);
}

async function arrival(world: World, deals: Deals, id: string, to: 'vendor' | 'crm'): Promise<number> {
  const lead = await deals.leadNamed(id);
  const text = `edit of ${id}`;
  if (to === 'vendor') await world.crm.edit(id, { Description: text });
  else await world.vendor.edit(String(lead?.['id']), { description: text });
  const from = world.clock.readMs();
  world.startStream(to === 'vendor' ? 'sweepSalesforce' : 'pollVendor');
  const shown = async () =>
    to === 'vendor'
      ? (await deals.leadNamed(id))?.['description']
      : (await deals.row('Opportunity', id))?.['Description'];
  for (let waited = 0; waited < LONGEST_MS; waited += STEP_MS) {
    await deals.time(STEP_MS);
    if ((await shown()) === text) break;
  }
  return world.clock.readMs() - from;
}

const median = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;

it.each([
  ['in the words of a dead key', {}],
  ['with a page of a firewall', { body: '<html><body>Request blocked. Support ID 4711</body></html>' }],
])(
  'neighbours of a record that is refused %s are in the median no later than twice what they need alone',
  async (_, refusal) => {
    const alone = await delays(null);
    const beside = await delays(refusal);
    const figures = JSON.stringify({ alone, beside });
    expect(median(alone), figures).toBeLessThan(5_000);
    expect(median(beside), figures).toBeLessThanOrEqual(2 * median(alone));
  },
);
