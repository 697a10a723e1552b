import { CHANGES_CURSOR, type ChangesPosition, type Gap, type GapCause } from '../../domain/streams/change-events.ts';

/** How a tenant's change events (Salesforce Change Data Capture) are received, and whether events may be missing. */
export type FollowedChanges = {
  /** When Salesforce last answered, with events or a keep-alive; null before the first answer. */
  readonly answeredAt: string | null;
  /**
   * If change events are not received now: Salesforce's error code, and since when they have not been received. Null if they are received.
   */
  readonly failed: NonNullable<ChangesPosition['failed']> | null;
  /**
   * The gap (period in which change events may be missing) since the last sweep (query for changes in the CRM), with its cause; null if
   * there is none. The next sweep finds the missed changes.
   */
  readonly gap: Gap | null;
  /** How many gaps (periods in which change events may be missing) there were so far, by cause. Gaps that have ended count too. */
  readonly gaps: Readonly<Partial<Record<GapCause, number>>>;
};

/**
 * The place in the ledger (Lockstep's database) at which the status reads the state of a tenant's change events. `stream` is the name of a
 * cursor (value that the ledger stores for a tenant by name). `path` leads to a property of this value. The empty path means the whole
 * value, because `followedChanges` takes all of it.
 */
export const CHANGES_PART = { stream: CHANGES_CURSOR, path: [] } as const;

/**
 * Describes how change events are received. `stored`: the value that the ledger stores under the name in `CHANGES_PART`. Null if the tenant
 * has never received change events.
 */
export function followedChanges(stored: unknown): FollowedChanges | null {
  if (stored === undefined || stored === null) return null;
  const { at = null, failed = null, gap = null, gaps = {} } = stored as ChangesPosition;
  return { answeredAt: at, failed, gap, gaps };
}

/** For each cause of a gap in the change events, what happened, in words. */
const GAP_WORDS: Readonly<Record<GapCause, string>> = {
  begun: 'they are followed for the first time',
  expired: 'Salesforce no longer keeps the events after the last one',
  'gap-event': 'Salesforce sent an event without its values',
  overflow: 'one save had too many changes for events',
  silent: 'Salesforce sent nothing, not even keep-alives',
  down: 'no worker followed them for a while',
  schema: 'an event had a new or unreadable schema',
};

/** The line of `lockstep status` about change events; empty if the tenant has never received any. */
export function changesLines(changes: FollowedChanges | null): readonly string[] {
  if (changes === null) return [];
  const { answeredAt, failed, gap } = changes;
  const state =
    failed === null
      ? `followed, last answer ${answeredAt === null ? 'still to come' : `at ${answeredAt}`}`
      : `not followed since ${failed.since} (${failed.code}); sweeps find changes meanwhile`;
  const missed = gap === null ? '' : `; a gap at ${gap.at}, because ${GAP_WORDS[gap.cause]}: a sweep closes it`;
  return [`  change events: ${state}${missed}`];
}
