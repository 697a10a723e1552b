import { PartnerApiError } from '../partner-api/index.ts';
import { type QuotaGate, QuotaUsedUp, throughGate } from './quota-gate.ts';
import type { AskVendor } from './read-sides.ts';

/** Sends read requests to the vendor at the tenant's rate. While the vendor's quota is used up, it waits. */
export type AskWithinQuota = {
  readonly ask: AskVendor;
  /** How many requests have been sent so far. */
  readonly sent: () => number;
};

const DEFAULT_WAIT_MS = 10_000;
/** How long to wait after the quota's reset time, in ms, because the vendor states the reset time in whole seconds only. */
const AFTER_RESET_MS = 1_000;

/**
 * Makes the function that sends a tenant's read requests to the vendor. A throttled request is sent again after the quota's reset, so the
 * function must not be used for writes. `pause`: waits a number of milliseconds.
 */
export function askWithinQuota(
  gate: QuotaGate,
  { ratePerSecond, pause }: { readonly ratePerSecond: number; readonly pause: (ms: number) => Promise<void> },
): AskWithinQuota {
  const everyMs = 1_000 / ratePerSecond;
  let nextMs = 0;
  let sent = 0;
  const turn = async (): Promise<void> => {
    const nowMs = Date.parse(gate.now());
    const turnMs = Math.max(nowMs, nextMs);
    nextMs = turnMs + everyMs;
    if (turnMs > nowMs) await pause(turnMs - nowMs);
  };
  const ask: AskVendor = async (send) => {
    for (;;) {
      await turn();
      try {
        return await throughGate(gate, () => {
          sent += 1;
          return send(NEVER_ABORTED);
        });
      } catch (error) {
        const waitMs = waitOf(error);
        if (waitMs === null) throw error;
        await pause(waitMs + AFTER_RESET_MS);
      }
    }
  };
  return { ask, sent: () => sent };
}

/** A signal that never aborts. A cancelled plan (dry run) stops between its requests, and lets the request that it has sent end. */
const NEVER_ABORTED = new AbortController().signal;

function waitOf(error: unknown): number | null {
  if (error instanceof QuotaUsedUp) return error.waitMs;
  if (!(error instanceof PartnerApiError) || error.kind !== 'throttled') return null;
  return error.resetSeconds === null ? DEFAULT_WAIT_MS : error.resetSeconds * 1_000;
}
