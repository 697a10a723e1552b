/**
 * A stream that the CRM does not let read or write what it is about: an object or a field that the org does not have, or a
 * right that our user lacks. No row is at fault, so its cursor stays where it is, and it is tried again later each time.
 */
export type StreamStop = {
  /** Salesforce's error code. */
  readonly code: string;
  /** The object, or its fields (`Object.Field`), that the CRM blames; empty where it names none. */
  readonly blames: readonly string[];
  /** Since when, ISO. */
  readonly since: string;
  /** When it is tried again, ISO. */
  readonly retryAt: string;
};

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [60_000, 3_600_000];

/** What is kept of a stream that was refused, once more if `known` is there. Pure; `at` is an ISO instant. */
export function stopAfter(
  known: StreamStop | null,
  fault: Pick<StreamStop, 'code' | 'blames'>,
  at: string,
): StreamStop {
  const since = known?.since ?? at;
  const stoppedMs = Date.parse(at) - Date.parse(since);
  const pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, stoppedMs));
  return { ...fault, since, retryAt: new Date(Date.parse(at) + pauseMs).toISOString() };
}

/** Where the ledger keeps it, beside the stream's cursor. */
export function stopOf(stream: string): string {
  return `stopped ${stream}`;
}

/** What an administrator does about it. */
export const STOP_REPAIR =
  'deploy crm-package to the org and assign the permission set Lockstep_Integration, then: lockstep resume';
