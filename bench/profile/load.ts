import { inParts, linked } from '../engine/bulk.ts';
import type { World } from '../engine/world.ts';

const LIMIT_MS = 600_000;

/** Deals that both sides have, on which both have agreed. */
export type Deals = readonly { readonly crmId: string; readonly vendorId: string }[];

export async function openDeals(world: World): Promise<Deals> {
  return linked(world);
}

/**
 * What is done while samples are taken: one edit of each deal in the CRM, one after the other as people make them, and one of each at the
 * vendor, found by polls. Gives the number of changes.
 */
export async function changeAll(world: World, deals: Deals, round: string): Promise<number> {
  for (const { crmId } of deals) {
    await world.user.update('Opportunity', crmId, { Vendor_Campaign_Code__c: round });
    await new Promise((settle) => setTimeout(settle, BETWEEN_MS));
  }
  await world.quiet(LIMIT_MS);
  await inParts(deals, ({ vendorId }) => world.vendor.edit(vendorId, { gtmTacticId: round }));
  await world.poll();
  await world.quiet(LIMIT_MS);
  return 2 * deals.length;
}

/** Far enough apart that each is a change of its own, and near enough that the worker is at work all the time. */
const BETWEEN_MS = 50;
