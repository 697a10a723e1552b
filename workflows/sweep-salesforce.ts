import type { TenantInput } from './messages.ts';
import { readStream, type StreamResult } from './stream.ts';

/** Looks through the CRM's changes since the cursor, and wakes what a lost webhook left behind. */
export async function sweepSalesforce({ tenant }: TenantInput): Promise<StreamResult | null> {
  return readStream('sweepSalesforce', tenant);
}
