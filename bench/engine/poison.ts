import { until } from '../../test/support/until.ts';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

const NEIGHBOURS = 12;
/** The numbers of failing records: one must not affect others; as many as the healthy ones show the cost of many failures. */
const FAILING = [1, NEIGHBOURS] as const;
const ROUNDS = 3;
/** The maximum difference of two equal measurements on a shared machine, as a factor. */
const NOISE = 1.5;

/** A record whose create is always refused, next to healthy records: they must take no longer than without it. */
export async function poison(world: World): Promise<readonly Measured[]> {
  const ids = [];
  for (let n = 0; n < NEIGHBOURS; n += 1) ids.push(await world.user.deal(`Neighbour ${n}`));
  await world.quiet();
  const rows: Measured[] = [];
  for (const failing of FAILING) rows.push(await besideFailing(world, ids, failing));
  return rows;
}

async function besideFailing(world: World, ids: readonly string[], count: number): Promise<Measured> {
  const alone = [];
  const beside = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await timeOf(world, ids, `ALONE-${count}-${round}`));
    await world.quiet();
    const before = await refused(world);
    await world.vendor.fault({ operation: 'createLeadOpportunity', status: 503 });
    for (let n = 0; n < count; n += 1) await world.user.deal(`Failing ${count} ${round} ${n}`);
    await until('all of them have failed', async () => (await refused(world)) >= before + count);
    beside.push(await timeOf(world, ids, `BESIDE-${count}-${round}`));
    await world.vendor.clearFaults();
    await world.quiet(180_000);
  }
  return {
    scenario: count === 1 ? 'a record that always fails' : `${count} records that always fail`,
    what: 'time of their neighbours, ratio',
    measured: median(beside) / median(alone),
    limit: count === 1 ? NOISE : null,
  };
}

/** The number of refused creates so far. Waits for the first refusal of each record, because its start is extra work. */
async function refused({ vendor }: World): Promise<number> {
  return (await vendor.requests('createLeadOpportunity')).filter(({ status }) => status === 503).length;
}

async function timeOf(world: World, ids: readonly string[], value: string): Promise<number> {
  const start = performance.now();
  await Promise.all(ids.map((id) => world.user.update('Opportunity', id, { Vendor_Campaign_Code__c: value })));
  await until('the vendor has all', async () => {
    const records = await world.vendor.records<{ readonly fields: Readonly<Record<string, unknown>> }>(
      'leadOpportunity',
    );
    return records.filter(({ fields }) => fields['cometCampaignCode'] === value).length === ids.length;
  });
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
