import type { Cause } from '../../src/domain/loop/step.ts';
import type { QuietMove } from '../../src/ledger/streams/stream-ledger.ts';
import type { ActivityDeps } from '../support/deps.ts';
import type { Sink } from './stream.ts';
import { wakeUnwoken } from './wake-due.ts';

/** A deal that must be synced, named by its record id on the side that changed (the CRM or the vendor). */
export type ChangedOpportunity = {
  readonly opportunity: { readonly crmId: string } | { readonly vendorId: string };
};

/**
 * Stored with a cursor if the workflows of some changed records may not have been woken (signalled or started) yet. `unwokenAt`: when the
 * last of these records became due (to be synced), ISO.
 */
type Unwoken = { readonly unwoken?: true; readonly unwokenAt?: string };

/** The maximum number of records whose workflows one read of a stream wakes. To wake so many takes a few seconds. */
const MOST_WAKES = 2_000;

/**
 * Makes a sink (receiver of a stream's pages) that marks the found deals as due (to be synced) in the transaction that moves the cursor. At
 * the end of the read, the sink syncs the deals if they are few, or wakes (signals or starts) the workflow of each deal once. If this fails
 * for some deals, the cursor says so, and the next read wakes them. `cause`: the side that changed.
 */
export function dueOpportunities(deps: ActivityDeps, tenant: string, cause: Cause): Sink<ChangedOpportunity> {
  const keys = new Set<string>();
  /**
   * The new positions of streams with changes, by stream name. Each was stored with the mark `unwoken`: some of its deals may not be woken
   * or synced yet. After the sink has woken or synced them, it stores the position again without the mark.
   */
  const marked = new Map<string, object>();
  /** The new positions of streams in which this read found no changes, by stream name. They are stored together at the end of the read. */
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

/**
 * The latest `unwokenAt` of these cursors, ISO: when the last record became due whose workflow may not have been woken (signalled or
 * started). A cursor of an older version lacks this time, and `now` is used instead.
 */
function lastMarked(positions: readonly Unwoken[], now: string): string {
  return (
    positions
      .map(({ unwokenAt = now }) => unwokenAt)
      .sort()
      .at(-1) ?? now
  );
}
