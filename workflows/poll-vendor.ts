import type { TenantInput } from './messages.ts';
import { outageReported } from './outage.ts';
import { upkeep, vendorRead, vendorReads } from './proxies.ts';

export type PollResult = { readonly windows: number; readonly found: number; readonly woken: number };

/**
 * Asks the vendor which records changed since the cursor and wakes them; windows follow each other until the
 * present is reached. Then wakes again what has been due for long, whoever noticed it.
 */
export async function pollVendor({ tenant }: TenantInput): Promise<PollResult | null> {
  return outageReported(tenant, async () => {
    let windows = 0;
    let found = 0;
    let page = { found: 0, more: true, overlapDue: false };
    while (page.more) {
      page = await vendorReads.searchVendorChanges.executeWithOptions(
        vendorRead(tenant, 'search changed records'),
        [{ tenant }],
      );
      windows += 1;
      found += page.found;
    }
    if (page.overlapDue) {
      const late = await vendorReads.searchVendorOverlap.executeWithOptions(
        vendorRead(tenant, 'search again what may have become visible late'),
        [{ tenant }],
      );
      found += late.found;
    }
    const { woken } = await upkeep.wakeOverdue({ tenant });
    return { windows, found, woken };
  });
}
