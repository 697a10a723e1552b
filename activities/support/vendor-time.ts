/** No clock shows a later instant, and arithmetic on this one stays within what a Date holds. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** The vendor's own time of an answer: what it says, else its `Date` header; null where it tells none. ISO. */
export function vendorTime({
  info,
  date,
}: {
  readonly info: { readonly timestamp: string | null };
  readonly date: string | null;
}): string | null {
  return [info.timestamp, date].find(isInstant) ?? null;
}

function isInstant(told: string | null): told is string {
  const ms = Date.parse(told ?? '');
  return ms >= 0 && ms <= LAST_MS;
}
