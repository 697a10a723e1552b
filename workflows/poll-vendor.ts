import type { TenantInput } from './messages.ts';
import { reads, vendorRead } from './proxies.ts';

/**
 * Asks the vendor which records changed since the cursor and pokes them; windows follow each other until the
 * present is reached. Then pokes again what has been due for long, whoever noticed it.
 */
export async function pollVendor({
  tenant,
}: TenantInput): Promise<{ windows: number; found: number; poked: number }> {
  let windows = 0;
  let found = 0;
  let more = true;
  let overlapDue = false;
  while (more) {
    const page = await reads.searchVendorChanges.executeWithOptions(
      vendorRead(tenant, 'search changed records'),
      [{ tenant }],
    );
    windows += 1;
    found += page.found;
    more = page.more;
    overlapDue = page.overlapDue;
  }
  if (overlapDue) {
    const late = await reads.searchVendorOverlap.executeWithOptions(
      vendorRead(tenant, 'search again what may have become visible late'),
      [{ tenant }],
    );
    found += late.found;
  }
  const { poked } = await reads.pokeOverdue({ tenant });
  return { windows, found, poked };
}
