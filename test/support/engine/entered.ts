import type { Deal, Entered } from './deal.ts';
import type { World } from './world.ts';

/**
 * A vendor record is gone with all that the vendor's users entered there, by deal and field and by deal: one that the connector had not
 * seen yet is made anew without it.
 */
export function forgetVendors(
  { number }: Deal,
  entered: Map<string, Entered>,
  others: readonly Map<number, unknown>[],
): void {
  for (const [key, { vendor: _, ...rest }] of entered)
    if (key.startsWith(`${number} `)) entered.set(key, rest);
  for (const known of others) known.delete(number);
}

/**
 * What people entered is settled; but of a record that a vendor user made by hand, and an opportunity that was not shared when it was
 * found, nothing is agreed yet: either side's value may stay when they meet.
 */
export async function forgetSettled(
  { ledger, tenant }: World,
  { entered, copies }: { readonly entered: Map<string, Entered>; readonly copies: ReadonlyMap<string, Deal> },
): Promise<void> {
  const unmet = new Set<number>();
  for (const { number, crmId } of copies.values()) {
    const link = await ledger.findLinkByIds(tenant, { crmId: String(crmId) });
    if (link?.state === 'detached' && link.base === null) unmet.add(number);
  }
  for (const key of entered.keys()) if (!unmet.has(Number(key.split(' ')[0]))) entered.delete(key);
}
