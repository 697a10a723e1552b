/**
 * How long after its timestamp, in ms, a row may still change without a new timestamp. Salesforce's timestamps have whole seconds, so two
 * saves within one second get the same timestamp, and `If-Unmodified-Since` cannot distinguish them. Only a read in a later second surely
 * shows both saves. One more second is added for differences between the clocks of an org's servers.
 */
const UNREPORTED_MS = 2_000;

/**
 * How long, in ms, to wait after a read until another read surely shows all saves with the timestamp `stamp`. 0 if the read surely showed
 * them already. `stamp` and `readAt` (when the CRM answered the read) are ISO instants by the CRM's clock. If `readAt` is null, the time of
 * the read is unknown. The read then counts as made at `stamp`, because it cannot have been made earlier.
 */
export function unstableForMs(stamp: string, readAt: string | null): number {
  const stampMs = Date.parse(stamp);
  const stableMs = Math.floor(stampMs / 1000) * 1000 + UNREPORTED_MS;
  const readMs = readAt === null ? stampMs : Math.max(stampMs, Date.parse(readAt));
  return Math.max(0, stableMs - readMs);
}
