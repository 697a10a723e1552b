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
  for (const [key, { vendor: _, ...rest }] of entered) if (key.startsWith(`${number} `)) entered.set(key, rest);
  for (const known of others) known.delete(number);
}

/**
 * What people entered is settled; but of a deal that is detached nothing travels, and nobody has compared its sides: what either side's
 * users entered is to meet when it is shared again, or for the first time where a vendor user has made its record by hand.
 */
export async function forgetSettled(
  { ledger, tenant }: World,
  { entered, deals }: { readonly entered: Map<string, Entered>; readonly deals: readonly Deal[] },
): Promise<void> {
  const detached = new Set<number>();
  for (const { number, crmId, vendorId } of deals) {
    const link = await ledger.findLinkByIds(tenant, crmId === null ? { vendorId: String(vendorId) } : { crmId });
    if (link?.state === 'detached') detached.add(number);
  }
  for (const key of entered.keys()) if (!detached.has(Number(key.split(' ')[0]))) entered.delete(key);
}
