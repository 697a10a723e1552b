import { cancellationSignal } from '@temporalio/activity';
import type { VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { QuotaUsedUp, throughGate } from '../../src/observe/quota-gate.ts';
import type { RateLimit } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';
import { withTenantKey } from './tenant-key.ts';
import { failure } from './to-failure.ts';

/** What a request says of itself. */
export type RequestWords = {
  /** Runs once the gate has let the request through. */
  readonly beforeSend?: () => Promise<void>;
  /** It is one of bulk work, which takes no more than this share of the quota. */
  readonly share?: number | undefined;
  /** Nobody waits for it: it takes of the quota what is spare, and gives way to whatever else its record wants meanwhile. */
  readonly onlySpare?: true | undefined;
};

/**
 * One request to the vendor, behind the quota gate of its group: while the known quota is used up it fails as
 * THROTTLED without calling. Throws the client's own error, for the caller to tell outcomes from faults.
 */
export async function vendorRequest<T extends { readonly rateLimit: RateLimit }>(
  deps: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: (signal: AbortSignal) => Promise<T>,
  words: RequestWords = {},
): Promise<T> {
  const ask = () => withTenantKey(deps, tenant, () => send(cancellationSignal()));
  // Before the gate: what it has let through leaves at once.
  await deps.vendorTurn?.(tenant);
  await deps.keySearches?.over(tenant);
  return gated(deps, tenant, group, ask, words);
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
  { beforeSend, share, onlySpare }: RequestWords = {},
): Promise<T> {
  try {
    const claim = { ...(share === undefined ? {} : { share }), ...(onlySpare ? { onlySpare } : {}) };
    return await throughGate({ ledger, tenant, group, now, claim }, send, beforeSend);
  } catch (error) {
    if (!(error instanceof QuotaUsedUp)) throw error;
    const retryAfterMs = error.waitMs;
    if (onlySpare)
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
