/**
 * Whether a tenant's remote systems (CRM and vendor) work, judged by the last steps of work on the tenant's records. A single failure
 * proves nothing, so several steps count.
 */
export type RemoteHealth = { readonly isHealthy: boolean };

/**
 * `LOOKED_AT`: how many of a tenant's last steps of work on records decide whether its remote systems count as healthy. `LEAST`: with fewer
 * steps, this is unknown.
 */
const LOOKED_AT = 10;
const LEAST = 5;

/**
 * Adds the result of the newest step to the results of a tenant's last steps (`ends`). `isHealthy`: whether no remote system failed in the
 * step. Only the last ten results are kept. Pure.
 */
export function endsAfter(ends: readonly boolean[], isHealthy: boolean): readonly boolean[] {
  return [...ends, isHealthy].slice(-LOOKED_AT);
}

/** The health of a tenant's remote systems: healthy if at least half of the last steps succeeded. Null if there were too few steps. */
export function healthOf(ends: readonly boolean[]): RemoteHealth | null {
  if (ends.length < LEAST) return null;
  return { isHealthy: ends.filter(Boolean).length >= ends.length / 2 };
}

/**
 * The name of the cursor in the ledger (Lockstep's database) through which all processes share the health of a tenant's remote systems. For
 * a new tenant nothing is stored.
 */
export const REMOTE_HEALTH = 'remote health';

/** Reads the stored health of a tenant's remote systems; null if none is stored. */
export function isRemoteHealthy(kept: unknown): boolean | null {
  return (kept as RemoteHealth | null)?.isHealthy ?? null;
}
