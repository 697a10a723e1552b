/**
 * Salesforce's stamps hold whole seconds: of two saves within one second the second leaves no trace in the stamp, nor in
 * `If-Unmodified-Since`. Only a reading from a later second than its stamp has seen every save of that second. The
 * clocks of one org may differ by up to a second, which is waited for too.
 */
const UNREPORTED_MS = 2_000;

/**
 * How long until a reading tells all saves that its stamp may stand for; 0 where it does already. Both are ISO instants
 * of the CRM's clock; a reading whose time is not known (null) counts as taken at its stamp.
 */
export function unstableForMs(stamp: string, readAt: string | null): number {
  const stampMs = Date.parse(stamp);
  const tellsMs = Math.floor(stampMs / 1000) * 1000 + UNREPORTED_MS;
  const readMs = readAt === null ? stampMs : Math.max(stampMs, Date.parse(readAt));
  return Math.max(0, tellsMs - readMs);
}
