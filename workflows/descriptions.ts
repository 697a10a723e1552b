import type { SyncSummary } from '../activities/opportunity/summary.ts';
import type { BackfillPhase } from '../src/domain/backfill/backfill.ts';
import type { OperationGroup } from '../src/domain/loop/operation-groups.ts';
import type { Command, Why } from '../src/domain/loop/step.ts';
import type { LinkState } from '../src/domain/record/link-state.ts';
import { WAIT_REASONS } from '../src/domain/record/wait-reason.ts';
import type { StreamName } from '../src/domain/streams/streams.ts';
import { STREAMS } from '../src/domain/streams/streams.ts';
import { durationWords } from '../src/domain/values/duration.ts';
import { shownId, shownWords } from '../src/domain/values/shown-id.ts';
import type { BackfillStatus, GuardProgress, LaneCounts, UndoStatus } from './messages.ts';

/**
 * The name of a deal in Temporal's UI: its record ids in the CRM and at the vendor. The deal's own name is not used, because business
 * values must not appear in Temporal's UI.
 */
export function nameOf(key: string, ids: Pick<SyncSummary, 'crmId' | 'vendorId'>): string {
  const known = [ids.crmId, ids.vendorId].filter((id) => id !== null);
  return known.map(shownId).join(' = ') || shownId(key);
}

/**
 * Describes the next command of a record's workflow in words for Temporal's UI. `trouble`: the failure that causes a wait, in codes and
 * names; null if there was none.
 */
export function describe(command: Command, trouble: string | null = null): string {
  switch (command.type) {
    case 'plan':
      return command.vendor === 'read' ? 'deciding on both readings' : 'reading the CRM and deciding';
    case 'read-vendor':
      return 'reading the vendor';
    case 'search-vendor':
      return 'searching the vendor by our reference';
    case 'create-at-vendor':
      return 'creating at the vendor';
    case 'update-at-vendor':
      return 'updating the vendor';
    case 'write-crm':
      return 'writing the CRM';
    case 'create-in-crm':
      return 'creating in the CRM';
    case 'report':
      return 'reporting the sync state to the CRM';
    case 'park':
      return `parking: ${shownWords(command.reason)}`;
    case 'outage':
      return `pausing ${command.group}`;
    case 'wait':
      return `waits ${Math.ceil(command.ms / 1000)} s ${whyWords(command.why)}${trouble === null ? '' : `: ${shownWords(trouble)}`}`;
    case 'complete':
      return 'done';
  }
}

function whyWords(why: Why): string {
  switch (why) {
    case 'linger':
      return 'for more to do';
    case 'spacing':
      return 'before the next write (spacing)';
    case 'stale':
      return 'to observe again: a side moved on (stale)';
    case 'trouble':
      return 'to observe again (trouble)';
    default:
      return `for ${WAIT_REASONS[why]} (${why})`;
  }
}

/**
 * A record's state in words, with code and field of each open issue (reason why it waits). `stoppedBy`: the paused operation group
 * (requests that fail together) that stops the record's work; null if none does.
 */
export function statusWords({ state, issues }: StatusParts, stoppedBy: OperationGroup | null = null): string {
  const paused = stoppedBy === null ? [] : [`${stoppedBy} is paused`];
  return [state ?? 'new', ...issues.map(shownWords), ...paused].join(', ');
}

export type StatusParts = {
  readonly state: LinkState | null;
  readonly issues: readonly string[];
  /**
   * The operation group (requests that fail together) whose pause ended the workflow run. When the pause ends, the record's workflow is
   * woken again.
   */
  readonly stoppedBy?: OperationGroup;
};

/** The progress of a lane (the workflow for many records) in words. `waitMs`: how long the lane waits for the quota. */
export function describeLane({ processed, delegated }: LaneCounts, waitMs = 0): string {
  const waits = waitMs === 0 ? '' : `; waits ${Math.ceil(waitMs / 1000)} s for a quota`;
  return `${processed} records processed, ${delegated} left to their own workflows${waits}`;
}

const PHASES: Readonly<Record<BackfillPhase, string>> = {
  'find-vendor': 'finding the records of the vendor',
  'find-crm': 'finding the opportunities',
  match: 'matching the records of the vendor',
  vendor: 'bringing the records of the vendor in',
  crm: 'bringing the opportunities in',
  over: 'done',
};

/** The progress of a backfill in one line: phase, records done, rate and remaining time. */
export function describeBackfill(status: BackfillStatus): string {
  const { phase, found, done, fraction, perSecond, remainingSeconds, outcomes } = status;
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const words = status.state === 'running' ? PHASES[phase] : status.state;
  return [
    `${words}: ${done} of ${found} records, ${Math.floor(100 * fraction)} %`,
    ...(perSecond === null ? [] : [`${perSecond.toFixed(1)} a second`]),
    ...(remainingSeconds === null || phase === 'over' ? [] : [`about ${durationWords(remainingSeconds)} left`]),
    ...(counts.length === 0 ? [] : [counts.join(', ')]),
  ].join('; ');
}

/** The progress of an undo in one line. */
export function describeUndo({ state, found, done, values, outcomes }: UndoStatus): string {
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  const { back, left, waits } = values;
  return [
    `${state}: ${done} of ${found} records; ${back} values go back, ${left} stay, ${waits} wait for a person`,
    ...(counts.length === 0 ? [] : [counts.join(', ')]),
  ].join('; ');
}

/**
 * Describes that an operator has paused the first load (the load of old orders), with the command that ends the pause. `since`: when the
 * pause began, ISO.
 */
export function describePause(tenant: string, since: string): string {
  return `paused by an operator since ${since}; to let it go on: lockstep load-orders resume ${tenant}`;
}

/**
 * Describes a workflow run that reads a stream (a regular read of changed rows), for Temporal's UI: tenant, stream, and the number of reads
 * and of rows found so far.
 */
export function describeStream(
  tenant: string,
  stream: StreamName,
  { reads, found }: { readonly reads: number; readonly found: number },
): string {
  return `${tenant}: ${STREAMS[stream].summary}; reads: ${reads}, found: ${found}`;
}

/**
 * The progress of `guardTenant` (the workflow that watches a paused operation group) in words: tenant, group, number of probes (test
 * requests), and records woken since the recovery.
 */
export function describeGuard(tenant: string, group: OperationGroup, progress: GuardProgress): string {
  const { probes, waitMs, recoveredAt, drained } = progress;
  const state =
    recoveredAt === null
      ? `is paused; probes: ${probes}, the next after ${waitMs / 1000} s`
      : `recovered at ${recoveredAt}; ${drained} records woken`;
  return `${tenant}: ${group} ${state}`;
}
