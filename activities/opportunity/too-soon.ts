import { spacingLeftMs, WRITE_SPACING_MS } from '../../src/domain/loop/step.ts';
import type { Link } from '../../src/domain/record/link.ts';
import type { ActivityDeps } from '../support/deps.ts';
import { type SyncSummary, summarise } from './summary.ts';

export type FirstReadArgs = {
  /** The run has not been told yet whether its record is hot: it was written a moment before, by whichever writer. */
  readonly checksRecentWrite?: true;
};

/**
 * Where a run looks at its record for the first time and it was written a moment ago: nothing is looked at before it may be written
 * again, as within a run. Null where it may be.
 */
export async function tooSoon(
  { ledger, now }: Pick<ActivityDeps, 'ledger' | 'now'>,
  link: Link,
  { checksRecentWrite }: FirstReadArgs,
): Promise<SyncSummary | null> {
  // A write is noted in its link as well: most are not asked for.
  if (checksRecentWrite === undefined || Date.parse(now()) - Date.parse(link.updatedAt) >= WRITE_SPACING_MS)
    return null;
  const ms = spacingLeftMs(await ledger.lastSentAt(link.tenant, link.key), now());
  return ms === 0 ? null : summarise(link, { next: 'too-soon', ms }, 'written a moment ago');
}

/**
 * Tells a run that asks whether its record is hot. The answer comes from what the run itself has asked, so that a run of before the
 * question, which lingered, is not told, and its history replays: what `patched` does, without its two events.
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
