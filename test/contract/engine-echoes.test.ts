/** The vendor's echo of what was sent to it, beside what people wait for: the real engine on ledger and simulators. */
import { describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import { dealsOf } from '../support/engine/deals.ts';
import { manyDeals } from '../support/engine/many-deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';

const DEALS = 12;
const [LIMIT, WINDOW_SECONDS] = [60, 60];
const openWorld = withWorlds(workflows);

/** Many deals whose updates have just left, in the first seconds of a window of the vendor's quota. */
async function justWritten(lane: { readonly takes: 'all'; readonly width: number } | undefined) {
  const { world } = await openWorld({ overlapMs: 10_000, ...(lane && { lane }) });
  const deals = dealsOf(world);
  const ids = await manyDeals(deals, DEALS);
  expect(await settle(world)).toEqual([]);
  await world.vendor.quota(LIMIT, WINDOW_SECONDS);
  const edit = async (edited: readonly string[], value: string): Promise<void> => {
    for (const id of edited) await world.crm.edit(id, { Vendor_Campaign_Code__c: value });
    world.clock.advance(1_000);
    await deals.message(...edited);
  };
  const operations = async (from: number) =>
    (await world.vendor.requests()).filter(({ seq }) => seq > from).map(({ operation }) => operation);
  const last = async () => (await world.vendor.requests()).at(-1)?.seq ?? 0;
  await edit(ids, 'TOGETHER');
  await deals.time(5_000);
  return { world, deals, ids, edit, operations, last };
}

describe.each([
  ['by the records’ own workflows', undefined],
  ['by the lane', { takes: 'all', width: 16 } as const],
])('the echo of %s', (_, lane) => {
  it('is read at the pace at which requests are spare, once, and never refused by the vendor', async () => {
    const { world, deals, operations, last } = await justWritten(lane);
    const before = await last();
    world.startStream('pollVendor');
    await deals.time(3_000);
    const atFirst = (await operations(before)).filter((operation) => operation === 'readLeadOpportunity');
    expect(atFirst.length).toBeLessThan(DEALS);
    await deals.time(WINDOW_SECONDS * 1_000);
    const reads = (await operations(before)).filter((operation) => operation === 'readLeadOpportunity');
    expect(reads).toHaveLength(DEALS);
    expect(await world.ledger.dueKeys(world.tenant, 100)).toEqual([]);
    const statuses = (await world.vendor.requests()).map(({ status }) => status);
    expect(statuses).not.toContain(429);
  });

  it('gives way at once to an edit of its record', async () => {
    const { world, deals, ids, edit, last, operations } = await justWritten(lane);
    world.startStream('pollVendor');
    await deals.time(3_000);
    const waiting = await world.ledger.dueKeys(world.tenant, 100);
    const awaited = ids.findLast((id) => waiting.includes(id)) ?? '';
    expect(awaited).not.toBe('');
    const before = await last();
    await edit([awaited], 'AT ONCE');
    await deals.time(5_000);
    expect(await operations(before)).toContain('updateLeadOpportunity');
    expect((await deals.leadNamed(awaited))?.['cometCampaignCode']).toBe('AT ONCE');
    expect(await settle(world)).toEqual([]);
  });
});
