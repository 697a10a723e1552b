import { setTimeout as pause } from 'node:timers/promises';
import { DEFAULT_QUOTA } from 'lockstep-simulators/testing';
import { until } from '../../test/support/until.ts';
import { inParts, linked } from './bulk.ts';
import { counted } from './count.ts';
import type { Measured } from './table.ts';
import { openWorld, type VendorRecord, type World } from './world.ts';

const LIMIT_MS = 600_000;
/** Time in which the tenant is polled several more times, so that a second reading of a change counts. */
const AFTERWARDS_MS = 75_000;
const MOST_READS = 1.1;
/** The maximum time that many changes may take, as a multiple of the time in which the quota allows their requests at an even pace. */
const MOST_TIMES = 1.5;

/** Changes many records at once on each side, for a tenant that sets neither polls, overlap nor request rate, with the sandbox's quota. */
export async function shipped({ records }: World): Promise<readonly Measured[]> {
  const world = await openWorld({ records, shipped: true });
  try {
    await linked(world);
    return [...(await fromVendor(world)), ...(await fromCrm(world))];
  } finally {
    await world.stop();
  }
}

async function fromVendor(world: World): Promise<readonly Measured[]> {
  const deals = await linked(world);
  return measured(world, {
    scenario: `${deals.length} vendor changes, default settings`,
    edit: () => inParts(deals, ({ vendorId }) => world.vendor.edit(vendorId, { gtmTacticId: 'SHIPPED' })),
    wrong: async () => missing(await world.crm.records('Opportunity'), 'Name', ['Vendor_GTM_Tactic__c', 'SHIPPED']),
    // The time includes the wait for the next poll.
    most: { reads: MOST_READS, times: null },
  });
}

async function fromCrm(world: World): Promise<readonly Measured[]> {
  const deals = await linked(world);
  return measured(world, {
    scenario: `${deals.length} CRM edits, default settings`,
    edit: () => inParts(deals, ({ crmId }) => world.crm.edit(crmId, { Vendor_Campaign_Code__c: 'SHIPPED' })),
    wrong: async () => missing(await world.vendor.records('leadOpportunity'), 'name', ['cometCampaignCode', 'SHIPPED']),
    most: { reads: null, times: MOST_TIMES },
  });
}

/** How many records, by their name, do not have the value. */
function missing(
  records: readonly VendorRecord[],
  name: 'Name' | 'name',
  [field, value]: readonly [string, string],
): number {
  return records.filter(({ fields }) => String(fields[name]).startsWith('Bulk ') && fields[field] !== value).length;
}

type Course = {
  readonly scenario: string;
  edit(): Promise<void>;
  wrong(): Promise<number>;
  /** The limits; null if there is none. */
  readonly most: { readonly reads: number | null; readonly times: number | null };
};

async function measured(world: World, { scenario, edit, wrong, most }: Course): Promise<readonly Measured[]> {
  await world.quiet(LIMIT_MS);
  // Starts a new window, so that earlier requests do not count.
  await world.vendor.quota(DEFAULT_QUOTA.limit, DEFAULT_QUOTA.windowSeconds);
  const beganMs = performance.now();
  let seconds = 0;
  const counts = await counted(world, async () => {
    await edit();
    await until('the other side shows all of it', async () => ((await wrong()) === 0 ? true : null), LIMIT_MS);
    seconds = (performance.now() - beganMs) / 1_000;
    await pause(AFTERWARDS_MS);
    await world.quiet(LIMIT_MS);
  });
  const each = (count: number): number => count / world.records;
  const requests = counts.vendorReads + counts.vendorWrites;
  const atEvenPace = (requests * DEFAULT_QUOTA.windowSeconds) / DEFAULT_QUOTA.limit;
  return [
    { scenario, what: 'vendor reads a change', measured: each(counts.vendorReads), limit: most.reads },
    { scenario, what: 'vendor searches a change', measured: each(counts.vendorSearches), limit: null },
    { scenario, what: 'vendor writes a change', measured: each(counts.vendorWrites), limit: null },
    { scenario, what: 'seconds until all are there', measured: seconds, limit: null },
    {
      scenario,
      what: 'seconds ÷ those of the quota at an even pace',
      measured: seconds / atEvenPace,
      limit: most.times,
    },
    { scenario, what: 'wrong final states', measured: await wrong(), limit: 0 },
  ];
}
