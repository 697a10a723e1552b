import { warnDeprecated } from './deprecation.ts';
import { type PartnerApiOptions, resolveOptions } from './options.ts';
import { orderOperations } from './order/operations.ts';
import { salesOperations } from './sales/operations.ts';
import { createTransport } from './transport.ts';

/** The vendor's API, one method per operation. Methods do not use `this`. */
export type PartnerApi = ReturnType<typeof createPartnerApi>;

/**
 * A client of the vendor's API. It holds no state but the dispatcher's connections, never retries, never follows a
 * redirect, and rejects with PartnerApiError only. Throws a TypeError for options that cannot be used.
 */
export function createPartnerApi(options: PartnerApiOptions) {
  const context = {
    transport: createTransport(resolveOptions(options)),
    onDeprecated: options.onDeprecated ?? warnDeprecated,
    now: options.now ?? (() => new Date()),
  };
  return { ...salesOperations(context), ...orderOperations(context) };
}
