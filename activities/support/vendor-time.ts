/** No clock shows a later instant, and arithmetic on this one stays within what a Date holds. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

type Answer = { readonly info: { readonly timestamp: string | null }; readonly date: string | null };

/** The vendor's own time of an answer: what it says, else its `Date` header; null where it tells none. ISO. */
export function vendorTime({ info, date }: Answer): string | null {
  return [info.timestamp, date].find(isInstant) ?? null;
}

/** Whether a text of the vendor's is an instant that arithmetic can be done with. */
export function isInstant(answered: string | null | undefined): answered is string {
  const ms = Date.parse(answered ?? '');
  return ms >= 0 && ms <= LAST_MS;
}

/** The vendor's time of an answer, not too early: a `Date` header holds whole seconds, of which this is the end. */
export function answeredAt({ info, date }: Answer): string | null {
  const answered = Date.parse(info.timestamp ?? '');
  if (!Number.isNaN(answered)) return new Date(answered).toISOString();
  return date === null ? null : new Date(Date.parse(date) + LAST_OF_SECOND_MS).toISOString();
}

const LAST_OF_SECOND_MS = 999;
