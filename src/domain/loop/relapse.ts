import type { OperationGroup } from './operation-groups.ts';

/**
 * A group that answers its probes and refuses its work again soon after has a fault that no probe tells, such as a key that may not do one
 * thing. Each time it is left alone longer, so that its work does not go on and stop all day.
 */
export type Relapses = {
  /** When a probe last found the group answering, ISO; null where none has. */
  readonly liftedAt: string | null;
  /** For how long it is, or was, left alone. */
  readonly heldMs: number;
  /** Until when nothing is asked of it, ISO. */
  readonly heldUntil: string;
};

const HOUR_MS = 3_600_000;
const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/** What is to be kept of a group that refuses from now on. Pure. */
export function relapsesAfter(known: Relapses | null, at: string): Relapses {
  const liftedAt = known?.liftedAt ?? null;
  const before = known?.heldMs ?? 0;
  const isRelapse =
    liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= Math.max(HOUR_MS, 2 * before);
  const heldMs = isRelapse ? Math.min(LONGEST_HOLD_MS, Math.max(FIRST_HOLD_MS, 2 * before)) : 0;
  return { liftedAt, heldMs, heldUntil: new Date(Date.parse(at) + heldMs).toISOString() };
}

/** Where the ledger keeps it, beside the cursors of streams. A person's word forgets it. */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
