/** Many records that the CRM's users changed together: the real engine on ledger and simulators. */
import { beforeEach, describe, expect, it } from 'vitest';
import * as workflows from '../../workflows/index.ts';
import type { Deals } from '../support/engine/deals.ts';
import type { LoggedRequest } from '../support/engine/http.ts';
import { manyDeals } from '../support/engine/many-deals.ts';
import { settle } from '../support/engine/settle.ts';
import { withWorlds } from '../support/engine/with-test-bed.ts';
import type { World } from '../support/engine/world.ts';

const DEALS = 16;
const OVERLAP_MS = 10_000;

const openWorld = withWorlds(workflows);
let world: World;
let deals: Deals;
let ids: string[];

beforeEach(async () => {
  ({ world, deals } = await openWorld({ overlapMs: OVERLAP_MS }));
  ids = await manyDeals(deals, DEALS);
  expect(await settle(world)).toEqual([]);
});

/** One message of the org tells of them all. */
async function editInCrm(edited: readonly string[], value: string): Promise<void> {
  for (const id of edited) await world.crm.edit(id, { Vendor_Campaign_Code__c: value });
  // What is read in the second of its own edit is read once more before it is written to.
  world.clock.advance(1_000);
  await deals.message(...edited);
}

/** What the vendor is asked for while something goes on, by operation. */
async function asked(work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const last = (await world.vendor.requests()).at(-1)?.seq ?? 0;
  await work();
  const fresh = (await world.vendor.requests()).filter(({ seq }) => seq > last);
  const counts: Record<string, number> = {};
  for (const { operation } of fresh as readonly LoggedRequest[]) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

async function edit(edited: readonly string[], value: string) {
  return asked(async () => {
    await editInCrm(edited, value);
    await deals.time(30_000);
  });
}

async function campaigns(): Promise<readonly unknown[]> {
  return (await deals.leads()).map((lead) => lead['cometCampaignCode']);
}

describe(`${DEALS} deals that the CRM's users changed together`, () => {
  it('are written without a reading of each, and one alone is read before it is written', async () => {
    const { updateLeadOpportunity: writes, ...others } = await edit(ids, 'TOGETHER');
    expect(await campaigns()).toEqual(ids.map(() => 'TOGETHER'));
    expect(writes).toBe(DEALS);
    expect(others).toEqual({ searchLeadOpportunities: 1 });
    expect((await asked(deals.poll))['readLeadOpportunity']).toBe(DEALS);
    expect((await asked(deals.poll))['readLeadOpportunity']).toBeUndefined();
    expect(await edit(ids.slice(0, 1), 'ALONE')).toEqual({
      readLeadOpportunity: 1,
      updateLeadOpportunity: 1,
    });
  });

  it('are read where the vendor may have changed them, and what lost there is reported', async () => {
    const [changed, alsoChanged] = await deals.leads();
    await world.vendor.edit(String(changed?.['id']), { cometCampaignCode: 'THEIRS' });
    await world.vendor.edit(String(alsoChanged?.['id']), { gtmTacticId: 'TACTIC-9' });
    await deals.time(120_000);
    const counts = await edit(ids, 'OURS');
    expect(counts).toEqual({
      searchLeadOpportunities: 1,
      readLeadOpportunity: 2,
      updateLeadOpportunity: DEALS,
    });
    expect(await settle(world)).toEqual([]);
    const tactics = (await deals.opportunities()).map((row) => row['Vendor_GTM_Tactic__c']);
    expect(tactics.filter((tactic) => tactic === 'TACTIC-9')).toHaveLength(1);
    const { key } = await deals.link(String(changed?.['partnerLeadOpportunityId']));
    const journal = await world.ledger.journal(world.tenant, key, 100);
    expect(journal.flatMap(({ decisions }) => decisions)).toContainEqual(
      expect.objectContaining({ field: 'cometCampaignCode', vendor: 'THEIRS' }),
    );
  });
});
