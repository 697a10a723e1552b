import type { Deal, Entered } from './deal.ts';
import type { World } from './world.ts';

/** Forgets vendor users' entries of a deleted vendor record, because the connector may create the record again without having seen them. */
export function forgetVendors(
  { number }: Deal,
  entered: Map<string, Entered>,
  others: readonly Map<number, unknown>[],
): void {
  for (const [key, { vendor: _, ...rest }] of entered) if (key.startsWith(`${number} `)) entered.set(key, rest);
  for (const known of others) known.delete(number);
}

/**
 * Forgets settled entries. Entries of a detached deal stay, because nothing compared its sides: both sides' entries meet when the deal is
 * shared again, or for the first time if a vendor user made its record by hand.
 */
export async function forgetSettled(
  { ledger, tenant }: World,
  {
    entered,
    deals,
    trailOf,
  }: {
    readonly entered: Map<string, Entered>;
    readonly deals: readonly Deal[];
    trailOf(deal: Deal): Promise<readonly string[]>;
  },
): Promise<void> {
  const detached = new Set<number>();
  for (const deal of deals) {
    const { number, vendorId } = deal;
    const crmId = (await trailOf(deal)).at(-1);
    const link = await ledger.findLinkByIds(tenant, crmId === undefined ? { vendorId: String(vendorId) } : { crmId });
    if (link?.state === 'detached') detached.add(number);
  }
  for (const key of entered.keys()) if (!detached.has(Number(key.split(' ')[0]))) entered.delete(key);
}
