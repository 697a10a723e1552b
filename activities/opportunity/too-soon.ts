import { spacingLeftMs, WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { type SyncSummary, summarise } from './summary.ts';

export type FirstReadArgs = {
  /**
   * Whether the activity must check if Lockstep wrote the record a moment ago. If so, the activity does nothing and returns `too-soon`,
   * because two writes to one record must be some seconds apart.
   */
  readonly checksRecentWrite?: true;
};

/** A summary that makes the first step of a workflow run wait, because Lockstep wrote the record a moment ago; otherwise null. */
export async function tooSoon(
  { ledger, now }: Pick<ActivityDeps, 'ledger' | 'now'>,
  link: Link,
  { checksRecentWrite }: FirstReadArgs,
): Promise<SyncSummary | null> {
  // A write also updates its link (the row in Lockstep's database), so most calls need no query.
  if (checksRecentWrite === undefined || Date.parse(now()) - Date.parse(link.updatedAt) >= WRITE_SPACING_MS)
    return null;
  const ms = spacingLeftMs(await ledger.lastSentAt(link.tenant, link.key), now());
  return ms === 0 ? null : summarise(link, { next: 'too-soon', ms }, 'written a moment ago');
}

/**
 * Wraps an activity that reads a record: adds `isRecentlyWritten` to the activity's summary if the workflow run requests it. Runs of older
 * versions do not request it; their histories contain summaries without it and must still replay.
 */
export function withRecentWriteCheck<Args extends FirstReadArgs>(
  look: (args: Args) => Promise<SyncSummary>,
): (args: Args) => Promise<SyncSummary> {
  return async (args) => {
    const summary = await look(args);
    return args.checksRecentWrite === undefined
      ? summary
      : { ...summary, isRecentlyWritten: summary.next === 'too-soon' };
  };
}
