import { cancellationSignal } from '@temporalio/activity';
import { OPERATION_GROUPS, type Quota, type VendorGroup } from '../../src/domain/loop/operation-groups.ts';
import { PartnerApiError, type RateLimit } from '../../src/partner-api/index.ts';
import type { ActivityDeps } from './deps.ts';
import { failure } from './to-failure.ts';

/** A vendor that is throttled without a word of when to come back is left alone by the whole tenant for so long. */
const DEFAULT_RESET_SECONDS = 10;

/**
 * One request to the vendor, behind the quota gate of its group: while the known quota is used up it fails as
 * THROTTLED without calling, and every answer's rate-limit headers feed the gate (sales spec 8). `beforeSend` runs once
 * the gate has let the request through. Throws the client's own error, for the caller to tell outcomes from faults.
 */
export async function vendorRequest<T extends { readonly rateLimit: RateLimit }>(
  deps: ActivityDeps,
  tenant: string,
  group: VendorGroup,
  send: (signal: AbortSignal) => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<T> {
  const { quota } = OPERATION_GROUPS[group];
  const at = deps.now();
  const gate = await deps.ledger.reserveRequest(tenant, quota, at);
  if (!gate.allowed) {
    const waitMs = Math.max(0, Date.parse(gate.until) - Date.parse(at));
    throw failure('THROTTLED', 'the quota is used up until its reset', {
      retryAfterMs: waitMs,
      waitsFor: 'vendor-throttled',
    });
  }
  await beforeSend?.();
  try {
    const answer = await send(cancellationSignal());
    await feedGate(deps, tenant, quota, answer.rateLimit);
    return answer;
  } catch (error) {
    if (error instanceof PartnerApiError) {
      if (error.kind === 'throttled') {
        const resetSeconds = error.resetSeconds ?? DEFAULT_RESET_SECONDS;
        await feedGate(deps, tenant, quota, { limit: error.rateLimit.limit, remaining: 0, resetSeconds });
      } else {
        await feedGate(deps, tenant, quota, error.rateLimit);
      }
    }
    throw error;
  }
}

async function feedGate(
  deps: ActivityDeps,
  tenant: string,
  quota: Quota,
  rateLimit: RateLimit,
): Promise<void> {
  if (rateLimit.remaining === null || rateLimit.resetSeconds === null) return;
  await deps.ledger.reportQuota(tenant, quota, {
    limit: rateLimit.limit,
    remaining: rateLimit.remaining,
    resetSeconds: rateLimit.resetSeconds,
    at: deps.now(),
  });
}
