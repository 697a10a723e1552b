import type { TenantInput } from './messages.ts';
import { upkeep } from './proxies.ts';
import { readStream, type StreamResult } from './stream.ts';

/**
 * Asks the vendor which lead-opportunities changed since the cursor, and wakes them. Then wakes again what has been due
 * for long, whoever noticed it.
 */
export async function pollVendor({
  tenant,
}: TenantInput): Promise<(StreamResult & { readonly woken: number }) | null> {
  const result = await readStream('pollVendor', tenant);
  const { woken } = await upkeep.wakeOverdue({ tenant });
  return result === null ? null : { ...result, woken };
}
