import type { TenantInput } from './messages.ts';
import { readStream, type StreamResult } from './stream.ts';

/** Asks the vendor for the next of the linked records, and wakes those that it does not find. */
export async function checkVendorRecords({ tenant }: TenantInput): Promise<StreamResult | null> {
  return readStream('checkVendorRecords', tenant);
}
