import { sql } from 'kysely';
import { CAUSE_NAMES } from '../../domain/notices/causes.ts';
import type { OpenState, Target } from '../../domain/notices/state.ts';

/**
 * A row of the table `notice_states`, which contains the open states of tenants: conditions such as an outage about which operators get
 * notices.
 */
export type StateRow = {
  readonly cause: string;
  readonly subject: string;
  readonly since: Date | null;
  readonly records: number | null;
  readonly found_at: Date;
  readonly is_announced: boolean;
  readonly gone_since: Date | null;
  readonly targets: readonly Target[];
};

/** SQL for the columns of an open state, in a select from `notice_states` as `s`. */
export const STATE_COLUMNS = sql`s.cause, s.subject, s.since, s.records, s.found_at, s.is_announced, s.gone_since, s.targets`;

/**
 * A stored open state, converted from its database row. Null if this release does not know the state's cause, because a newer release
 * stored it.
 */
export function openStateOf(row: StateRow): OpenState | null {
  const cause = CAUSE_NAMES.find((name) => name === row.cause);
  if (cause === undefined) return null;
  return {
    ...{ cause, subject: row.subject, records: row.records, isAnnounced: row.is_announced, to: row.targets },
    since: row.since?.toISOString() ?? null,
    foundAt: row.found_at.toISOString(),
    goneSince: row.gone_since?.toISOString() ?? null,
  };
}
