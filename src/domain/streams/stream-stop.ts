/**
 * A stream (regular read of changed rows) that is stopped because Salesforce does not let Lockstep read or write its object. The org lacks
 * the object or a field, or the integration user lacks a permission. No single row is the cause, so the cursor does not move, and the
 * stream is tried again at growing intervals.
 */
export type StreamStop = {
  readonly code: string;
  /** The object or the fields (`Object.Field`) that Salesforce's error names; empty if it names none. */
  readonly blames: readonly string[];
  /** Since when the stream has been stopped, ISO. */
  readonly since: string;
  /** When the stream is tried again, ISO. */
  readonly retryAt: string;
};

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [60_000, 3_600_000];

/**
 * The stop to store when Salesforce refuses a stream's object or field. `known`: the stop that earlier refusals stored; null after the
 * first refusal. `at`: ISO instant. Pure.
 */
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

/** The name under which the ledger (Lockstep's database) stores why a stream is stopped, in its table `cursors`. */
export function stopOf(stream: string): string {
  return `stopped ${stream}`;
}

/** What an administrator must do so that a stopped stream can continue, as a sentence. */
export const STOP_REPAIR =
  'deploy crm-package to the org and assign the permission set Lockstep_Integration, then: lockstep resume';
