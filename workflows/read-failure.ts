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

/**
 * Maps the type of an activity's failure to the kind of failure in the record's state machine (`step`). After a `transient` failure, the
 * workflow waits and tries again. An invalid response (`CONTRACT`) and a refusal (`REFUSED`) also count as transient, because a later
 * attempt may succeed. Outages (`SYSTEMIC`) are handled separately. All other types count as bugs.
 */
const KINDS = {
  THROTTLED: 'throttled',
  TRANSIENT: 'transient',
  STALE: 'stale',
  NOT_FOUND_YET: 'transient',
  CONTRACT: 'transient',
  REFUSED: 'transient',
} as const;

/**
 * Temporal's type of failure for an activity that was interrupted because the worker shut down (SDK 1.24.0). An interrupted write may have
 * been applied.
 */
const SHUT_DOWN = 'WorkerShutdown';

/**
 * Converts an activity's error to a failure of the record's state machine, by the error's type. Rethrows cancellations and bugs. Also
 * rethrows an outage without an operation group (requests to a remote that fail together). The state machine pauses a group by its name, so
 * it cannot handle such an outage.
 */
export function readFailure(error: unknown): Failure {
  if (isCancellation(error)) throw error;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return { kind: 'transient', retryAfterMs: null, reason: 'a step took too long' };
  if (!(cause instanceof ApplicationFailure)) throw error;
  if (cause.type === SHUT_DOWN) return { kind: 'transient', retryAfterMs: null, reason: null };
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

/**
 * Whether a failed read may be retried at once. It may if it took too long or failed temporarily, and if it has no fairness delay. A
 * fairness delay spreads out the retries of the tenant's records.
 */
export function isRepeatable(error: unknown): boolean {
  if (isCancellation(error)) return false;
  const cause = causeOf(error);
  if (cause instanceof TimeoutFailure) return true;
  if (!(cause instanceof ApplicationFailure)) return false;
  return cause.type === 'TRANSIENT' && detailsOf(cause).fairnessDelayMs === undefined;
}

/**
 * Whether Lockstep itself refused a local activity, for example because the worker is too busy. The workflow may then start the ordinary
 * activity at once.
 */
export function isForAnotherPlace(error: unknown): boolean {
  const cause = isCancellation(error) ? null : causeOf(error);
  if (!(cause instanceof ApplicationFailure) || cause.type !== 'TRANSIENT') return false;
  const { isOurs, fairnessDelayMs } = detailsOf(cause);
  return isOurs === true && fairnessDelayMs === undefined;
}

/** The error that an activity has thrown. For an ordinary activity, Temporal wraps it in another error; for a local one it does not. */
function causeOf(error: unknown): unknown {
  return error instanceof ActivityFailure ? error.cause : error;
}
