/**
 * Whether a tenant's remotes are of use, by how the last steps on its records ended. Work of a tenant whose remotes fail costs its
 * neighbours as much as any and comes to nothing; one bad answer says nothing of a tenant in good health.
 */
export type RemoteHealth = { readonly isHealthy: boolean };

/** So many steps are looked at; so many say something. */
const LOOKED_AT = 10;
const LEAST = 5;

/** How a tenant's last steps ended, the newest last: true where no remote failed. Pure. */
export function endsAfter(ends: readonly boolean[], isHealthy: boolean): readonly boolean[] {
  return [...ends, isHealthy].slice(-LOOKED_AT);
}

/** Good where half of them are; null where too few are known. */
export function healthOf(ends: readonly boolean[]): RemoteHealth | null {
  if (ends.length < LEAST) return null;
  return { isHealthy: ends.filter(Boolean).length >= ends.length / 2 };
}

/** Where the ledger keeps it for all processes, beside the cursors of streams; it keeps none of a tenant that is new. */
export const REMOTE_HEALTH = 'remote health';

/** Whether what the ledger keeps says that the remotes are good; null where it says nothing. */
export function isRemoteHealthy(kept: unknown): boolean | null {
  return (kept as RemoteHealth | null)?.isHealthy ?? null;
}
