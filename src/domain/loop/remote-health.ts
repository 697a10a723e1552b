/** Whether a tenant's remote systems work, judged by the tenant's last steps on records. A single failure proves nothing. */
export type RemoteHealth = { readonly isHealthy: boolean };

/** `LOOKED_AT`: how many of a tenant's last steps count. `LEAST`: how many steps a verdict needs. */
const LOOKED_AT = 10;
const LEAST = 5;

/**
 * The results of a tenant's last steps (true: no remote system failed), with `isHealthy` added as the newest. Only the last ten are kept.
 * Pure.
 */
export function endsAfter(ends: readonly boolean[], isHealthy: boolean): readonly boolean[] {
  return [...ends, isHealthy].slice(-LOOKED_AT);
}

/** The health of a tenant's remote systems: healthy if at least half of the steps succeeded. Null if there are too few steps. */
export function healthOf(ends: readonly boolean[]): RemoteHealth | null {
  if (ends.length < LEAST) return null;
  return { isHealthy: ends.filter(Boolean).length >= ends.length / 2 };
}

/** The ledger's cursor name under which all processes share the health of a tenant's remote systems. A new tenant has none. */
export const REMOTE_HEALTH = 'remote health';

/** Whether the stored remote health says that a tenant's remotes work; null without an entry. */
export function isRemoteHealthy(kept: unknown): boolean | null {
  return (kept as RemoteHealth | null)?.isHealthy ?? null;
}
