/**
 * Salesforce's timestamps have whole seconds, so two saves within one second have the same stamp and pass the same `If-Unmodified-Since`.
 * Only a read in a later second than its stamp shows every save of that second. A second more covers differences between the clocks of an
 * org's servers.
 */
const UNREPORTED_MS = 2_000;

/**
 * Milliseconds until a read shows all saves that its stamp covers; 0 if it does already. Both arguments are ISO instants by the CRM's
 * clock; an unknown read time (null) counts as the time of the stamp.
 */
export function unstableForMs(stamp: string, readAt: string | null): number {
  const stampMs = Date.parse(stamp);
  const stableMs = Math.floor(stampMs / 1000) * 1000 + UNREPORTED_MS;
  const readMs = readAt === null ? stampMs : Math.max(stampMs, Date.parse(readAt));
  return Math.max(0, stableMs - readMs);
}
