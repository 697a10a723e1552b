import { setTimeout as delay } from 'node:timers/promises';
import { WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import { type Deal, inParts } from '../engine/bulk.ts';
import type { World } from '../engine/world.ts';

/** How changes arrive during sampling, whether the lane is enabled, and on which sides the changes are made. */
export const WAYS = {
  alone: { says: 'each alone', lane: 'on', most: 50, edit: oneByOne, sides: [inCrm, atVendor] },
  'by-workflows': { says: 'many, no lane', lane: 'off', most: Infinity, edit: together, sides: [inCrm, atVendor] },
  'by-lane': { says: 'many, lane', lane: 'on', most: Infinity, edit: together, sides: [inCrm, atVendor] },
  'by-lane-from-crm': { says: 'many from the CRM, lane', lane: 'on', most: Infinity, edit: together, sides: [inCrm] },
  'by-lane-from-vendor': {
    says: 'many from the vendor, lane',
    lane: 'on',
    most: Infinity,
    edit: together,
    sides: [atVendor],
  },
} as const;
export type Way = keyof typeof WAYS;
export const WAY_NAMES = Object.keys(WAYS) as readonly Way[];

const LIMIT_MS = 600_000;
/** The pause between two edits: long enough that each is a change of its own, short enough that the worker is always busy. */
const BETWEEN_MS = 50;
/** The pause before a poll: the next poll would find an edit of the second before a poll again, because stamps have whole seconds. */
const BEFORE_POLL_MS = 1_500;

/**
 * Changes each deal on one side and, when all work is done, on the other. Returns the number of changes. Lockstep writes the same record
 * only every few seconds, so this time passes before each edit.
 */
export async function changeAll(world: World, all: readonly Deal[], way: Way, value: string): Promise<number> {
  const { edit, most, sides } = WAYS[way];
  const deals = all.slice(0, most);
  for (const sideOf of sides) {
    await delay(WRITE_SPACING_MS);
    await edit(deals, sideOf(world, value));
    await world.quiet(LIMIT_MS);
  }
  // Reading back Lockstep's own writes is part of a change.
  await world.poll();
  await world.quiet(LIMIT_MS);
  return sides.length * deals.length;
}

/** The users of one side, and the signal that makes Lockstep notice their edits. */
type Side = { edit(deal: Deal): Promise<unknown>; report(): Promise<unknown> };

function inCrm({ crm }: World, value: string): Side {
  return {
    edit: ({ crmId }) => crm.edit(crmId, { Vendor_Campaign_Code__c: value }),
    report: () => delay(BETWEEN_MS),
  };
}

function atVendor({ vendor, poll }: World, value: string): Side {
  return {
    edit: ({ vendorId }) => vendor.edit(vendorId, { gtmTacticId: value }),
    report: () => delay(BEFORE_POLL_MS).then(poll),
  };
}

async function oneByOne(deals: readonly Deal[], side: Side): Promise<void> {
  for (const deal of deals) {
    await side.edit(deal);
    await side.report();
  }
}

async function together(deals: readonly Deal[], side: Side): Promise<void> {
  await inParts(deals, side.edit);
  await side.report();
}
