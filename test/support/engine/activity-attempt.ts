import {
  ActivityFailure,
  type ApplicationFailure,
  ensureApplicationFailure,
  RetryState,
  TimeoutFailure,
  TimeoutType,
} from '@temporalio/common';
import { msToNumber } from '@temporalio/common/lib/time.js';
import { MockActivityEnvironment } from '@temporalio/testing';
import type { Interruptions, Loss } from './interruptions.ts';
import type { VirtualClock } from './virtual-clock.ts';
import { toJson } from './workflow-code.ts';
import type { ActivityCall } from './workflow-host.ts';

export type AnyFunction = (...args: never[]) => Promise<unknown>;

/** The result of an attempt. A failure has the form that the workflow gets after the last attempt. */
export type AttemptResult =
  | { readonly value: unknown }
  | { readonly failure: ApplicationFailure | TimeoutFailure }
  | { readonly lost: Loss };

const SILENT = (() => {
  const say = (): void => undefined;
  return { log: say, trace: say, debug: say, info: say, warn: say, error: say };
})();

/** The time that an activity takes before its first call. */
const ACTIVITY_MS = 20;

/** Makes one attempt of an activity for a writer. An attempt that takes longer than its limit counts as timed out, whatever it did. */
export async function attemptActivity(
  activity: AnyFunction,
  call: ActivityCall,
  { number: attempt, hand }: { readonly number: number; readonly hand: string },
  { clock, interruptions }: { readonly clock: VirtualClock; readonly interruptions: Interruptions },
): Promise<AttemptResult> {
  const startedMs = clock.readMs();
  clock.advance(ACTIVITY_MS);
  const environment = new MockActivityEnvironment({ isLocal: call.isLocal, attempt }, { logger: SILENT });
  const { startToCloseTimeout } = call.options;
  const limitMs = startToCloseTimeout === undefined ? Number.POSITIVE_INFINITY : msToNumber(startToCloseTimeout);
  try {
    const work = () => environment.run(activity as never, ...(call.args as never[]));
    const result = await interruptions.run(work, hand);
    if ('lost' in result) return result;
    if (clock.readMs() - startedMs > limitMs) return { failure: timedOut() };
    return { value: toJson(result.value) };
  } catch (error) {
    if (clock.readMs() - startedMs > limitMs) return { failure: timedOut() };
    return { failure: ensureApplicationFailure(error) };
  }
}

export function timedOut(): TimeoutFailure {
  return new TimeoutFailure('activity timed out', undefined, TimeoutType.START_TO_CLOSE);
}

/** The error that the workflow catches. An error of a local activity is not wrapped. */
export function caught(call: ActivityCall, failure: ApplicationFailure | TimeoutFailure): Error {
  if (call.isLocal) return failure;
  const { MAXIMUM_ATTEMPTS_REACHED } = RetryState;
  return new ActivityFailure('activity failed', call.name, '1', MAXIMUM_ATTEMPTS_REACHED, 'test', failure);
}

/** The time from a worker's death until the activity times out. */
export function deathNoticedMs({ options }: ActivityCall): number {
  const heartbeatTimeout = 'heartbeatTimeout' in options ? options.heartbeatTimeout : undefined;
  const limits = [options.startToCloseTimeout, heartbeatTimeout].filter((limit) => limit !== undefined);
  return Math.min(...limits.map(msToNumber));
}

/** The time until the next attempt after the n-th; null after the last one. */
export function retryDelayMs(
  { options }: ActivityCall,
  attempt: number,
  failure: ApplicationFailure | TimeoutFailure,
): number | null {
  const { maximumAttempts, nonRetryableErrorTypes = [], initialInterval, maximumInterval } = options.retry ?? {};
  if (maximumAttempts !== undefined && attempt >= maximumAttempts) return null;
  const firstMs = msToNumber(initialInterval ?? '1 second');
  const byPolicyMs = Math.min(firstMs * 2 ** (attempt - 1), msToNumber(maximumInterval ?? '100 seconds'));
  if (failure instanceof TimeoutFailure) return byPolicyMs;
  if (failure.nonRetryable === true || nonRetryableErrorTypes.includes(failure.type ?? '')) return null;
  return failure.nextRetryDelay === undefined || failure.nextRetryDelay === null
    ? byPolicyMs
    : msToNumber(failure.nextRetryDelay);
}
