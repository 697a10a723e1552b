import { cancellationSignal } from '@temporalio/activity';
import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { QuotaUsedUp, throughGate } from '../../src/observe/quota-gate.ts';
import type { RateLimit } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';
import { withTenantKey } from './tenant-key.ts';
import { failure } from './to-failure.ts';

/**
 * One request to the vendor, behind the quota gate of its group: while the known quota is used up it fails as
 * THROTTLED without calling. `beforeSend` runs once the gate has let the request through. Throws the client's own error, for
 * the caller to tell outcomes from faults.
 */
export function vendorRequest<T extends { readonly rateLimit: RateLimit }>(
  deps: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: (signal: AbortSignal) => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<T> {
  const ask = () => withTenantKey(deps, tenant, () => send(cancellationSignal()));
  return gated(deps, tenant, group, ask, beforeSend);
}

/** The same with one key, which no other takes the place of. */
export function requestWithKey<T extends { readonly rateLimit: RateLimit }>(
  deps: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  apiKey: string,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ask = () => send(cancellationSignal());
  return gated(deps, tenant, group, () => (deps.withKey === undefined ? ask() : deps.withKey(apiKey, ask)));
}

async function gated<T extends { readonly rateLimit: RateLimit }>(
  { ledger, now }: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: () => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<T> {
  try {
    return await throughGate({ ledger, tenant, group, now }, send, beforeSend);
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    throw failure('THROTTLED', 'the quota is used up until its reset', {
      retryAfterMs: error.waitMs,
      waitsFor: 'vendor-throttled',
    });
  }
}
