import { until } from '../../test/support/until.ts';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

const NEIGHBOURS = 12;
const FAILING = 12;
const ROUNDS = 3;
/** Two measurements of the same thing on a shared machine differ by this much at most. */
const NOISE = 1.5;

/** Records whose create is refused every time, beside healthy ones: the healthy ones take as long as without them. */
export async function poison(world: World): Promise<readonly Measured[]> {
  const ids = [];
  for (let n = 0; n < NEIGHBOURS; n += 1) ids.push(await world.user.deal(`Neighbour ${n}`));
  await world.quiet();
  const alone = [];
  const beside = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await timeOf(world, ids, `ALONE-${round}`));
    await world.vendor.fault({ operation: 'createLeadOpportunity', status: 503 });
    const failing = [];
    for (let n = 0; n < FAILING; n += 1) failing.push(await world.user.deal(`Failing ${round} ${n}`));
    await until('all of them have failed', async () => (await refused(world)) >= (round + 1) * FAILING);
    beside.push(await timeOf(world, ids, `BESIDE-${round}`));
    await world.vendor.clearFaults();
    await world.quiet(180_000);
  }
  const measured = median(beside) / median(alone);
  return [
    {
      scenario: `${FAILING} records that always fail`,
      what: 'time of their neighbours, ratio',
      measured,
      limit: NOISE,
    },
  ];
}

/** Creates that were refused so far. Each record's first one is waited for: its start is work of its own. */
async function refused({ vendor }: World): Promise<number> {
  return (await vendor.requests('createLeadOpportunity')).filter(({ status }) => status === 503).length;
}

async function timeOf(world: World, ids: readonly string[], value: string): Promise<number> {
  const start = performance.now();
  await Promise.all(
    ids.map((id) => world.user.update('Opportunity', id, { Vendor_Campaign_Code__c: value })),
  );
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
