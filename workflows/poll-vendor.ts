import type { TenantInput } from './messages.ts';
import { upkeep } from './proxies.ts';
import { readStream, type StreamResult } from './stream.ts';

/**
 * Wakes the workflows of lead-opportunities (the vendor's records of deals) that changed at the vendor since the cursor's position.
 * Afterwards wakes the workflows of all records that have been due for too long, for whatever reason.
 */
export async function pollVendor({ tenant }: TenantInput): Promise<(StreamResult & { readonly woken: number }) | null> {
  const result = await readStream('pollVendor', tenant);
  const { woken } = await upkeep.wakeOverdue({ tenant });
  return result === null ? null : { ...result, woken };
}
