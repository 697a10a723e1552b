import { type Deal, inParts } from '../engine/bulk.ts';
import type { World } from '../engine/world.ts';

/** How changes come while samples are taken, and whether the lane may carry them. */
export const WAYS = {
  alone: { says: 'each alone', lane: 'on', most: 50, edit: oneByOne },
  'by-workflows': { says: 'many, no lane', lane: 'off', most: Infinity, edit: together },
  'by-lane': { says: 'many, lane', lane: 'on', most: Infinity, edit: together },
} as const;
export type Way = keyof typeof WAYS;
export const WAY_NAMES = Object.keys(WAYS) as readonly Way[];

const LIMIT_MS = 600_000;
/** Between two edits of people: far enough apart that each is a change of its own, near enough that the worker is at work all the time. */
const BETWEEN_MS = 50;

/** Each deal is changed in the CRM, and when all is quiet at the vendor. Gives the number of changes. */
export async function changeAll(world: World, all: readonly Deal[], way: Way, value: string): Promise<number> {
  const { edit, most } = WAYS[way];
  const deals = all.slice(0, most);
  for (const side of [inCrm(world, value), atVendor(world, value)]) {
    await edit(deals, side);
    await world.quiet(LIMIT_MS);
  }
  // What is read back of our own writes is a part of a change.
  await world.poll();
  await world.quiet(LIMIT_MS);
  return 2 * deals.length;
}

/** One side's users, and what makes Lockstep hear of their edits. */
type Side = { edit(deal: Deal): Promise<unknown>; tell(): Promise<unknown> };

function inCrm({ crm }: World, value: string): Side {
  return {
    edit: ({ crmId }) => crm.edit(crmId, { Vendor_Campaign_Code__c: value }),
    tell: () => new Promise((settle) => setTimeout(settle, BETWEEN_MS)),
  };
}

function atVendor({ vendor, poll }: World, value: string): Side {
  return { edit: ({ vendorId }) => vendor.edit(vendorId, { gtmTacticId: value }), tell: poll };
}

async function oneByOne(deals: readonly Deal[], side: Side): Promise<void> {
  for (const deal of deals) {
    await side.edit(deal);
    await side.tell();
  }
}

async function together(deals: readonly Deal[], side: Side): Promise<void> {
  await inParts(deals, side.edit);
  await side.tell();
}
