/** The latest supported instant, in epoch milliseconds. Date arithmetic is valid up to it. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

type Answer = { readonly info: { readonly timestamp: string | null }; readonly date: string | null };

/** When the vendor answered, by its clock: the answer's timestamp, else its `Date` header, else null. ISO. */
export function vendorTime({ info, date }: Answer): string | null {
  return [info.timestamp, date].find(isInstant) ?? null;
}

/** Whether a text from the vendor is a valid time within the supported range. */
export function isInstant(answered: string | null | undefined): answered is string {
  const ms = Date.parse(answered ?? '');
  return ms >= 0 && ms <= LAST_MS;
}

/**
 * When the vendor answered, rounded up to the last millisecond of the second, because a `Date` header has whole seconds. ISO; null if
 * unknown.
 */
export function answeredAt({ info, date }: Answer): string | null {
  const answered = Date.parse(info.timestamp ?? '');
  if (!Number.isNaN(answered)) return new Date(answered).toISOString();
  return date === null ? null : new Date(Date.parse(date) + LAST_OF_SECOND_MS).toISOString();
}

const LAST_OF_SECOND_MS = 999;
