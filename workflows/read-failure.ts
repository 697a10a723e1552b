import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { Failure, OperationGroup } from '../src/domain/loop/step.ts';

type FailureDetails = { readonly retryAfterMs?: number | null; readonly group?: OperationGroup | null };

const KINDS: Readonly<Record<string, Failure['kind']>> = {
  THROTTLED: 'throttled',
  TRANSIENT: 'transient',
  SYSTEMIC: 'systemic',
  STALE: 'stale',
};

/**
 * What a failed activity means for the loop, by failure type alone. A time-out counts as transient: the outcome is
 * unknown and the record is observed again. Cancellations and bugs are thrown on.
 */
export function readFailure(error: unknown): Failure {
  if (isCancellation(error)) throw error;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { kind: 'transient', retryAfterMs: null, group: null };
  if (!(cause instanceof ApplicationFailure)) throw error;
  const kind = KINDS[cause.type ?? ''];
  if (kind === undefined) throw error;
  const details = (cause.details?.[0] ?? {}) as FailureDetails;
  return { kind, retryAfterMs: details.retryAfterMs ?? null, group: details.group ?? null };
}

/** Whether the same read may be asked again at once: it took too long, or failed for a while. */
export function isRepeatable(error: unknown): boolean {
  if (isCancellation(error)) return false;
  const cause = causeOf(error);
  return (
    cause instanceof TimeoutFailure || (cause instanceof ApplicationFailure && cause.type === 'TRANSIENT')
  );
}

/** What the activity threw. Of an ordinary activity it comes wrapped, of a local one as it is. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
