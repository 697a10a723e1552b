/** Whether a tenant's remote systems work, judged by the tenant's last steps on records. A single failure proves nothing. */
export type RemoteHealth = { readonly isHealthy: boolean };

/** `LOOKED_AT`: how many of a tenant's last steps on records count. `LEAST`: with fewer steps than this there is no verdict. */
const LOOKED_AT = 10;
const LEAST = 5;

/**
 * Adds the newest step (`isHealthy`: no remote system failed) to the results of a tenant's last steps. Only the last ten are kept. Pure.
 */
export function endsAfter(ends: readonly boolean[], isHealthy: boolean): readonly boolean[] {
  return [...ends, isHealthy].slice(-LOOKED_AT);
}

/** The health of a tenant's remote systems: healthy if at least half of the last steps succeeded. Null if there were too few steps. */
export function healthOf(ends: readonly boolean[]): RemoteHealth | null {
  if (ends.length < LEAST) return null;
  return { isHealthy: ends.filter(Boolean).length >= ends.length / 2 };
}

/** The ledger's cursor name under which all processes share the health of a tenant's remote systems. For a new tenant nothing is stored. */
export const REMOTE_HEALTH = 'remote health';

/** Reads the stored health of a tenant's remote systems; null if none is stored. */
export function isRemoteHealthy(kept: unknown): boolean | null {
  return (kept as RemoteHealth | null)?.isHealthy ?? null;
}
