import { cancellationSignal } from '@temporalio/activity';
import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { QuotaUsedUp, throughGate } from '../../src/observe/quota-gate.ts';
import type { RateLimit } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';
import { failure } from './to-failure.ts';

/**
 * One request to the vendor, behind the quota gate of its group: while the known quota is used up it fails as
 * THROTTLED without calling. `beforeSend` runs once the gate has let the request through. Throws the client's own error, for
 * the caller to tell outcomes from faults.
 */
export async function vendorRequest<T extends { readonly rateLimit: RateLimit }>(
  { ledger, now }: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: (signal: AbortSignal) => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<T> {
  try {
    return await throughGate({ ledger, tenant, group, now }, () => send(cancellationSignal()), beforeSend);
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    throw failure('THROTTLED', 'the quota is used up until its reset', {
      retryAfterMs: error.waitMs,
      waitsFor: 'vendor-throttled',
    });
  }
}
