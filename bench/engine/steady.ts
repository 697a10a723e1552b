import { until } from '../../test/support/until.ts';
import type { Measured } from './table.ts';
import type { World } from './world.ts';

const DEALS = 12;
const EVERY_MS = 1_000;
/** The maximum difference of two equal measurements on a shared machine, as a factor. */
const NOISE = 1.5;

/** Edits one deal per second in the CRM: each must reach the vendor as soon as a lone edit does. */
export async function steady(world: World): Promise<readonly Measured[]> {
  const scenario = 'a CRM edit a second';
  const ids: string[] = [];
  for (let n = 0; n < DEALS; n += 1) ids.push(await world.user.deal(`Steady ${n}`));
  await world.quiet();
  const alone: number[] = [];
  for (const id of ids) {
    alone.push(await delayOf(world, id, 'ALONE'));
    await world.quiet();
  }
  const beside = await Promise.all(
    ids.map(async (id, place) => {
      await new Promise((settle) => setTimeout(settle, place * EVERY_MS));
      return delayOf(world, id, 'STEADY');
    }),
  );
  return [
    { scenario, what: 'median delay, ms', measured: Math.round(median(beside)), limit: null },
    { scenario, what: 'median delay of a lone edit, ms', measured: Math.round(median(alone)), limit: null },
    { scenario, what: 'delay ÷ that of a lone edit', measured: median(beside) / median(alone), limit: NOISE },
  ];
}

/** The time from saving until the vendor has the value. */
async function delayOf(world: World, crmId: string, value: string): Promise<number> {
  await world.user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: value });
  const start = performance.now();
  await until(
    'the vendor has the edit',
    async () => (await world.atVendor(crmId))?.fields['cometCampaignCode'] === value,
  );
  return performance.now() - start;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
