/**
 * How long after its timestamp, in ms, a row may still change without a new timestamp. Salesforce's timestamps have whole seconds. So two
 * saves within one second have the same stamp and pass the same `If-Unmodified-Since`. Only a read in a later second shows every save of
 * the stamp's second. One more second covers differences between the clocks of an org's servers.
 */
const UNREPORTED_MS = 2_000;

/**
 * Milliseconds until a read of the row shows all saves with its timestamp; 0 if this read does. Both arguments are ISO instants by the
 * CRM's clock; without a read time, the timestamp counts.
 */
export function unstableForMs(stamp: string, readAt: string | null): number {
  const stampMs = Date.parse(stamp);
  const stableMs = Math.floor(stampMs / 1000) * 1000 + UNREPORTED_MS;
  const readMs = readAt === null ? stampMs : Math.max(stampMs, Date.parse(readAt));
  return Math.max(0, stableMs - readMs);
}
