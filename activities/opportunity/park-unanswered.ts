import type { ActivityDeps, RecordArgs } from '../support/deps.ts';
import { linkOf } from './observe.ts';
import { settle } from './settle.ts';
import { type SyncSummary, summarise } from './summary.ts';
import { supersededBy } from './superseded.ts';

export type ParkUnansweredArgs = RecordArgs & {
  /** The last failure of a step on the record, as codes and names without any values. */
  readonly reason: string;
  /** How long this workflow run has waited since the failures began, in ms. */
  readonly failingMs: number;
};

/**
 * Parks a record (marks it as waiting) after an hour of failures, so that users see that it waits. Lockstep still retries it automatically,
 * at long intervals.
 */
export function createParkUnanswered(deps: ActivityDeps) {
  return async function parkUnanswered(args: ParkUnansweredArgs): Promise<SyncSummary> {
    const { tenant, key, reason } = args;
    const link = await linkOf(deps, tenant, key);
    if (link.key !== key) return supersededBy(deps, tenant, link.key, link);
    const began = new Date(Date.parse(deps.now()) - args.failingMs).toISOString();
    const failingSince = link.failingSince ?? began;
    const settled = await settle(deps, link, { type: 'unanswered', failingSince, reason });
    return summarise(settled, { next: 'parked' }, reason);
  };
}
