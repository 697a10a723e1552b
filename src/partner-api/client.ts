import type { PartnerApi } from './api.ts';
import { warnDeprecated } from './deprecation.ts';
import { type PartnerApiOptions, resolveOptions } from './options.ts';
import { orderOperations } from './order/operations.ts';
import { never, repeatReads } from './repeat-reads.ts';
import { salesOperations } from './sales/operations.ts';
import { createTransport } from './transport.ts';

/**
 * Creates a client of the vendor's API. It has no state besides the dispatcher's connections, repeats no write, follows no redirect, and
 * rejects with no other error than PartnerApiError. Throws a TypeError for invalid options.
 */
export function createPartnerApi(options: PartnerApiOptions): PartnerApi {
  const context = {
    transport: createTransport(resolveOptions(options)),
    repeat: options.repeatReads ? repeatReads(options.repeatReads) : never,
    onDeprecated: options.onDeprecated ?? warnDeprecated,
    now: options.now ?? (() => new Date()),
  };
  return { ...salesOperations(context), ...orderOperations(context) };
}
