import { ActivityFailure, ApplicationFailure, isCancellation, TimeoutFailure } from '@temporalio/workflow';
import type { OperationGroup } from '../src/domain/loop/operation-groups.ts';
import type { Failure } from '../src/domain/loop/step.ts';
import type { WaitReason } from '../src/domain/record/wait-reason.ts';

type FailureDetails = {
  readonly retryAfterMs?: number | null;
  readonly waitsFor?: WaitReason | null;
  readonly group?: OperationGroup | null;
  readonly isOurs?: boolean;
  readonly isKnown?: boolean;
  readonly fairnessDelayMs?: number;
  readonly interruptible?: true;
};

/** Also what nobody expects of a remote may pass: an answer that breaks the contract, a read that is refused. */
const KINDS = {
  THROTTLED: 'throttled',
  TRANSIENT: 'transient',
  STALE: 'stale',
  NOT_FOUND_YET: 'transient',
  CONTRACT: 'transient',
  REFUSED: 'transient',
} as const;

/**
 * What a failed activity means for the loop, by failure type alone. A time-out counts as transient: the outcome is
 * unknown and the record is observed again. Cancellations and bugs are thrown on, an outage of nothing among them.
 */
export function readFailure(error: unknown): Failure {
  if (isCancellation(error)) throw error;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure)
    return { kind: 'transient', retryAfterMs: null, reason: 'a step took too long' };
  if (!(cause instanceof ApplicationFailure)) throw error;
  const { retryAfterMs = null, waitsFor = null, group = null, ...details } = detailsOf(cause);
  const { isOurs = false, isKnown = false, fairnessDelayMs, interruptible } = details;
  if (cause.type === 'SYSTEMIC' && group !== null)
    return { kind: 'systemic', group, ...(isKnown ? { isKnown } : { why: cause.message }) };
  if (!isPassing(cause.type)) throw error;
  const reason = isOurs ? null : cause.message;
  return {
    ...{ kind: KINDS[cause.type], retryAfterMs, reason },
    ...(waitsFor === null ? {} : { waitsFor }),
    ...(fairnessDelayMs === undefined ? {} : { fairnessDelayMs }),
    ...(interruptible ? { interruptible } : {}),
  };
}

function detailsOf({ details }: ApplicationFailure): FailureDetails {
  return (details?.[0] ?? {}) as FailureDetails;
}

function isPassing(type: string | null | undefined): type is keyof typeof KINDS {
  return typeof type === 'string' && Object.hasOwn(KINDS, type);
}

/** Whether the same read may be asked again at once: it took too long, or failed for a while, and no other comes first. */
export function isRepeatable(error: unknown): boolean {
  if (isCancellation(error)) return false;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return true;
  if (!(cause instanceof ApplicationFailure)) return false;
  return cause.type === 'TRANSIENT' && detailsOf(cause).fairnessDelayMs === undefined;
}

/** Whether a first try failed for a reason of Lockstep's own, such as no room: another place may have it at once. */
export function isForAnotherPlace(error: unknown): boolean {
  const cause = isCancellation(error) ? null : causeOf(error);
  if (!(cause instanceof ApplicationFailure) || cause.type !== 'TRANSIENT') return false;
  const { isOurs, fairnessDelayMs } = detailsOf(cause);
  return isOurs === true && fairnessDelayMs === undefined;
}

/** What the activity threw. Of an ordinary activity it comes wrapped, of a local one as it is. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
