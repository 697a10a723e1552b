import { cancellationSignal } from '@temporalio/activity';
import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { treatmentOf, type WorkClass } from '../../src/domain/loop/work-class.ts';
import { QuotaUsedUp, throughGate } from '../../src/observe/quota-gate.ts';
import type { RateLimit } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';
import { withTenantKey } from './tenant-key.ts';
import { failure } from './to-failure.ts';

export type RequestWords = {
  /** Runs after the quota has allowed the request and before the request is sent. */
  readonly beforeSend?: () => Promise<void>;
  /** The urgency class of the work; if absent, `interactive`. An echo (a read of Lockstep's own write) may use only spare quota. */
  readonly work?: WorkClass | undefined;
};

/**
 * Sends one vendor request if the rate limit of its operation group (requests that share a key) allows it. While the quota is used up,
 * throws a THROTTLED failure and sends nothing. Throws the errors of the vendor's client unchanged, so that the caller can handle them.
 */
export async function vendorRequest<T extends { readonly rateLimit: RateLimit }>(
  deps: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: (signal: AbortSignal) => Promise<T>,
  words: RequestWords = {},
): Promise<T> {
  const ask = () => withTenantKey(deps, tenant, () => send(cancellationSignal()));
  // Comes before the gate, because a request must be sent directly after the gate has allowed it.
  await deps.vendorTurn?.(tenant);
  await deps.keySearches?.over(tenant);
  return gated(deps, tenant, group, ask, words);
}

/** Sends one vendor request with the given key. Tries no other key. */
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
  { beforeSend, work }: RequestWords = {},
): Promise<T> {
  const { claim } = treatmentOf(work);
  try {
    return await throughGate({ ledger, tenant, group, now, claim }, send, beforeSend);
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    const retryAfterMs = error.waitMs;
    if (claim.onlySpare)
      throw failure('THROTTLED', 'no request of the quota is spare', {
        ...{ retryAfterMs, interruptible: true },
        isOurs: true,
      });
    throw failure('THROTTLED', 'the quota is used up until its reset', {
      retryAfterMs,
      waitsFor: 'vendor-throttled',
    });
  }
}
