import type { OperationGroup } from './operation-groups.ts';

/**
 * Relapses of a group: it answers its probes, but refuses its work soon after. Probes do not find such a fault, such as a key without one
 * permission. Each relapse doubles the time before the next probe, so that the tenant's work does not start and stop all day.
 */
export type Relapses = {
  /** When a probe last found that the group had recovered, ISO; null if it never did. */
  readonly liftedAt: string | null;
  /** How long probes are suspended after the relapse, in milliseconds. */
  readonly heldMs: number;
  /** No probe before this instant, ISO. */
  readonly heldUntil: string;
};

const HOUR_MS = 3_600_000;
const [FIRST_HOLD_MS, LONGEST_HOLD_MS] = [60_000, 4 * HOUR_MS];

/** The relapses to store for a group that has just begun to refuse its work. Pure. */
export function relapsesAfter(known: Relapses | null, at: string): Relapses {
  const liftedAt = known?.liftedAt ?? null;
  const before = known?.heldMs ?? 0;
  const isRelapse =
    liftedAt !== null && Date.parse(at) - Date.parse(liftedAt) <= Math.max(HOUR_MS, 2 * before);
  const heldMs = isRelapse ? Math.min(LONGEST_HOLD_MS, Math.max(FIRST_HOLD_MS, 2 * before)) : 0;
  return { liftedAt, heldMs, heldUntil: new Date(Date.parse(at) + heldMs).toISOString() };
}

/** The ledger's cursor name for a group's relapses. An operator's resume deletes them. */
export function relapsesOf(group: OperationGroup): string {
  return `relapses ${group}`;
}
