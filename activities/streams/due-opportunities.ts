import type { Cause } from '../../src/domain/loop/step.ts';
import type { QuietMove } from '../../src/ledger/streams/stream-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { Sink } from './stream.ts';
import { wakeUnwoken } from './wake-due.ts';

/** An opportunity that must be read, by its id on the side that changed. */
export type ChangedOpportunity = {
  readonly opportunity: { readonly crmId: string } | { readonly vendorId: string };
};

/**
 * Stored with a cursor if the workflows of some changed records may not have been woken yet. `unwokenAt`: when the last of these records
 * became due, ISO.
 */
type Unwoken = { readonly unwoken?: true; readonly unwokenAt?: string };

/** The most records that one run wakes, which takes a few seconds. */
const MOST_WAKES = 2_000;

/**
 * Marks opportunities due in the transaction that moves the cursor. At the end of the run, syncs them if they are few, or wakes each of
 * their workflows once. If this fails for some, the cursor says so and the next run wakes them. `cause`: the side that changed.
 */
export function dueOpportunities(deps: ActivityDeps, tenant: string, cause: Cause): Sink<ChangedOpportunity> {
  const keys = new Set<string>();
  /** The positions of streams in which this run found changes, by stream. */
  const marked = new Map<string, object>();
  /** The new positions of streams without changes, by stream. They are stored together at the end. */
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
      if (keys.size > 0) await (deps.syncLone ?? deps.wake)(tenant, [...keys], cause);
      await noteAll([...marked].map(([stream, position]) => ({ stream, position })));
      return { found: keys.size };
    },
    breakOff: () => noteAll(),
  };
}

/** When the last unwoken record of these cursors became due, ISO. Returns `now` if a cursor of an older version does not say it. */
function lastMarked(positions: readonly Unwoken[], now: string): string {
  return (
    positions
      .map(({ unwokenAt = now }) => unwokenAt)
      .sort()
      .at(-1) ?? now
  );
}
