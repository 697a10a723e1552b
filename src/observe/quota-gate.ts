import { boundedWait } from '../domain/loop/absurd-wait.ts';
import { OPERATION_GROUPS, type Quota, type VendorGroup } from '../domain/loop/operation-groups.ts';
import type { QuotaLedger } from '../ledger/quota/quota-ledger.ts';
import type { QuotaClaim } from '../ledger/quota/quota-window.ts';
import { PartnerApiError, type RateLimit } from '../partner-api/index.ts';

/** If the vendor throttles a request without naming a reset time, all vendor requests of the tenant wait this many seconds. */
const DEFAULT_RESET_SECONDS = 10;

/** Thrown if the vendor's quota, or the part of it that the request may use, is used up. The request was not sent. */
export class QuotaUsedUp extends Error {
  override readonly name = 'QuotaUsedUp';
  /** When the request may be tried again, ISO; usually when the quota's window resets. */
  readonly until: string;
  readonly waitMs: number;

  constructor(until: string, waitMs: number) {
    super('The quota is used up until its reset.');
    this.until = until;
    this.waitMs = waitMs;
  }
}

/**
 * The quota gate for one group of the vendor's operations (such as sales). Before each vendor request, it checks whether the vendor's rate
 * limit allows the request.
 */
export type QuotaGate = {
  readonly ledger: Pick<QuotaLedger, 'reserveRequest' | 'reportQuota'> & Partial<Pick<QuotaLedger, 'quotas'>>;
  readonly tenant: string;
  readonly group: VendorGroup;
  readonly now: () => string;
  /** The part of the quota that this caller's requests may use. If absent, they may use all of the quota that is left. */
  readonly claim?: QuotaClaim;
};

/**
 * Sends one request if the quota allows it. `beforeSend`: called after the quota has allowed the request, immediately before `send`. The
 * rate-limit headers of the answer (sales spec 8) update the state of the quota in the ledger (Lockstep's database). Throws `QuotaUsedUp`,
 * or the client's error.
 */
export async function throughGate<T extends { readonly rateLimit: RateLimit }>(
  { ledger, tenant, group, now, claim }: QuotaGate,
  send: () => Promise<T>,
  beforeSend?: () => Promise<void>,
): Promise<T> {
  const { quota } = OPERATION_GROUPS[group];
  const at = now();
  const gate = await ledger.reserveRequest(tenant, quota, at, claim);
  if (!gate.allowed) throw new QuotaUsedUp(gate.until, Math.max(0, Date.parse(gate.until) - Date.parse(at)));
  await beforeSend?.();
  const feed = (rateLimit: RateLimit) => feedGate({ ledger, tenant, quota, at: now() }, rateLimit);
  try {
    const answer = await send();
    await feed(answer.rateLimit);
    return answer;
  } catch (error) {
    if (!(error instanceof PartnerApiError)) throw error;
    const failure = await asUsual(ledger, tenant, quota, error);
    await feed(limitOf(failure));
    throw failure;
  }
}

/**
 * Limits the wait in the error of a throttled request, because a wrong header could otherwise stop a tenant for an hour. If the vendor
 * demands a wait much longer than its last rate-limit window, the returned error contains a shorter wait. Other errors are returned
 * unchanged.
 */
async function asUsual(
  ledger: QuotaGate['ledger'],
  tenant: string,
  quota: Quota,
  error: PartnerApiError,
): Promise<PartnerApiError> {
  const { kind, resetSeconds } = error;
  if (kind !== 'throttled' || resetSeconds === null) return error;
  const known = (await ledger.quotas?.(tenant))?.find((one) => one.quota === quota);
  return error.waiting(boundedWait(resetSeconds, known?.seconds ?? null));
}

function limitOf({ kind, rateLimit, resetSeconds }: PartnerApiError): RateLimit {
  if (kind !== 'throttled') return rateLimit;
  return { limit: rateLimit.limit, remaining: 0, resetSeconds: resetSeconds ?? DEFAULT_RESET_SECONDS };
}

type Fed = Pick<QuotaGate, 'ledger' | 'tenant'> & { readonly quota: Quota; readonly at: string };

async function feedGate({ ledger, tenant, quota, at }: Fed, rateLimit: RateLimit): Promise<void> {
  const { limit, remaining, resetSeconds } = rateLimit;
  if (remaining === null || resetSeconds === null) return;
  await ledger.reportQuota(tenant, quota, { limit, remaining, resetSeconds, at });
}
