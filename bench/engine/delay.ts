import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../test/support/until.ts';
import { linked } from './bulk.ts';
import { pullOneByOne } from './plain-scripts.ts';
import { plainScript } from './scripts.ts';
import type { Measured } from './table.ts';
import { openWorld, type World } from './world.ts';

const EDITS = 12;
/** The pauses between two edits grow by a part that has no common rhythm with the polls. */
const [PAUSE_MS, MORE_MS] = [14_000, 1_300];
const MINUTE = 60_000;
/** The maximum delay of a lone vendor edit, as a fraction of the delay with a script that runs each minute. */
const MOST_PART = 0.2;

/** How long lone vendor edits take to the CRM while somebody works, by Lockstep with its default settings and by a script each minute. */
export async function delay(): Promise<readonly Measured[]> {
  const scenario = 'lone vendor edits, default settings';
  const world = await openWorld({ records: EDITS, shipped: true });
  try {
    const own = await byLockstep(world);
    await Promise.all([world.worker.end(), world.receiver.end()]);
    const script = await byScript(world);
    return [
      { scenario, what: 'vendor → CRM median, s', measured: median(own), limit: null },
      { scenario, what: 'slowest, s', measured: Math.max(...own), limit: null },
      { scenario, what: 'median of a script each minute, s', measured: median(script), limit: null },
      { scenario, what: 'median ÷ that of the script', measured: median(own) / median(script), limit: MOST_PART },
    ];
  } finally {
    await world.stop();
  }
}

/** Edits one deal after the other, each some time after the last one arrived. */
async function byLockstep(world: World): Promise<readonly number[]> {
  const seconds: number[] = [];
  for (const [place, { crmId, vendorId }] of (await linked(world)).entries()) {
    await pause(PAUSE_MS + place * MORE_MS);
    const beganMs = performance.now();
    await world.vendor.edit(vendorId, { gtmTacticId: 'DELAY' });
    await until(
      'the CRM has the value',
      async () => {
        const row = await world.user.read<Readonly<Record<string, unknown>>>('Opportunity', crmId);
        return row['Vendor_GTM_Tactic__c'] === 'DELAY';
      },
      2 * MINUTE,
    );
    seconds.push((performance.now() - beganMs) / 1_000);
  }
  return seconds;
}

/** Edits the deals at times spread evenly over a minute, at whose end the script runs. It carries each edit as if it were the only one. */
async function byScript(world: World): Promise<readonly number[]> {
  const deals = await linked(world);
  const script = await plainScript(world);
  const since = new Date().toISOString();
  const startMs = performance.now();
  const edited: number[] = [];
  for (const [place, { vendorId }] of deals.entries()) {
    await pause(Math.max(0, startMs + ((place + 0.5) * MINUTE) / deals.length - performance.now()));
    await world.vendor.edit(vendorId, { gtmTacticId: 'SCRIPT' });
    edited.push(performance.now());
  }
  await pause(Math.max(0, startMs + MINUTE - performance.now()));
  const runMs = performance.now();
  await pullOneByOne(script, since);
  const eachMs = (performance.now() - runMs) / deals.length;
  return edited.map((atMs) => (runMs - atMs + eachMs) / 1_000);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
