import type { TenantInput } from './messages.ts';
import { upkeep } from './proxies.ts';
import { readStream, type StreamResult } from './stream.ts';

/**
 * Finds the lead-opportunities (the vendor's records of deals) that changed at the vendor since the last poll, and syncs them or wakes
 * (signals or starts) their workflows. Afterwards runs the tenant's upkeep, which wakes the workflows of records that have been due for a
 * sync for too long. `woken`: how many workflows the upkeep woke. Null if an outage ended the poll.
 */
export async function pollVendor({ tenant }: TenantInput): Promise<(StreamResult & { readonly woken: number }) | null> {
  const result = await readStream('pollVendor', tenant);
  const { woken } = await upkeep.wakeOverdue({ tenant });
  return result === null ? null : { ...result, woken };
}
