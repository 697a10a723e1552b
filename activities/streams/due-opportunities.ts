import type { Cause } from '../../src/domain/loop/step.ts';
import type { QuietMove } from '../../src/ledger/streams/stream-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { Sink } from './stream.ts';
import { wakeUnwoken } from './wake-due.ts';

/** An opportunity that has to be looked at again, by the id of the side that told of it. */
export type ChangedOpportunity = {
  readonly opportunity: { readonly crmId: string } | { readonly vendorId: string };
};

/**
 * Noted with a cursor: records were marked due with it, and not all of them are known to have been woken. `unwokenAt`: when the last of them
 * were marked, ISO; what waits since later has been woken since, and waking it again would have no end.
 */
type Unwoken = { readonly unwoken?: true; readonly unwokenAt?: string };

/** Records that one run wakes: what a few seconds take. */
const MOST_WAKES = 2_000;

/**
 * Marks opportunities due in the transaction that moves the cursor, and wakes them at the end, each once. What a run
 * had marked when it died, or more than one run can wake, is noted with the cursor, and woken by the next. Cursors of streams that
 * showed nothing move together at the end: a run that dies before reads them again. `cause` is the side that changed.
 */
export function dueOpportunities(deps: ActivityDeps, tenant: string, cause: Cause): Sink<ChangedOpportunity> {
  const keys = new Set<string>();
  /** Where the streams stand of which something was marked. */
  const marked = new Map<string, object>();
  /** Where those stand that showed nothing, until they are noted together. */
  const quiet = new Map<string, QuietMove>();
  const noteAll = async (more: readonly QuietMove[] = []): Promise<void> => {
    const moves = [...quiet.values(), ...more];
    quiet.clear();
    if (moves.length > 0) await deps.ledger.moveCursors(tenant, moves, deps.now());
  };
  return {
    begin: async (positions) => {
      const left = positions.filter((position: Unwoken) => position.unwoken === true);
      return left.length === 0 || (await wakeUnwoken(deps, tenant, MOST_WAKES, lastMarked(left, deps.now())));
    },
    take: async (items, { stream, position, seen }) => {
      const { unwoken: _, unwokenAt: __, ...moved } = position as object & Unwoken;
      const now = deps.now();
      const ids = items.map(({ opportunity }) => opportunity);
      if (ids.length === 0 && !marked.has(stream) && (seen?.rows.length ?? 0) === 0) {
        const past = seen === undefined ? {} : { forgetBefore: seen.forgetBefore };
        return void quiet.set(stream, { stream, position: moved, ...past });
      }
      quiet.delete(stream);
      if (ids.length > 0 || marked.has(stream)) marked.set(stream, moved);
      const note: Unwoken = marked.has(stream) ? { unwoken: true, unwokenAt: now } : {};
      const at = { stream, position: { ...moved, ...note }, ...(seen === undefined ? {} : { seen }) };
      for (const key of await deps.ledger.markDue(tenant, ids, now, at)) keys.add(key);
    },
    finish: async () => {
      if (keys.size > MOST_WAKES) {
        await noteAll();
        return { found: keys.size, isUnfinished: true };
      }
      if (keys.size > 0) await deps.wake(tenant, [...keys], cause);
      await noteAll([...marked].map(([stream, position]) => ({ stream, position })));
      return { found: keys.size };
    },
    breakOff: () => noteAll(),
  };
}

/** When the last of what these positions note was marked; `now` where one does not say it, as one of an older version. */
function lastMarked(positions: readonly Unwoken[], now: string): string {
  return (
    positions
      .map(({ unwokenAt = now }) => unwokenAt)
      .sort()
      .at(-1) ?? now
  );
}
