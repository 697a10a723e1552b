import type { Deal, Entered } from './deal.ts';

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
