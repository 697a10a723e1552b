/** The latest instant that a clock may show; date arithmetic stays valid up to here. */
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

type Answer = { readonly info: { readonly timestamp: string | null }; readonly date: string | null };

/** The vendor's time of an answer: its timestamp, otherwise its `Date` header, otherwise null. ISO. */
export function vendorTime({ info, date }: Answer): string | null {
  return [info.timestamp, date].find(isInstant) ?? null;
}

/** Whether a text of the vendor is an instant that date arithmetic supports. */
export function isInstant(answered: string | null | undefined): answered is string {
  const ms = Date.parse(answered ?? '');
  return ms >= 0 && ms <= LAST_MS;
}

/** The vendor's time of an answer, rounded up: a `Date` header has whole seconds, so its last millisecond counts. ISO; null if unknown. */
export function answeredAt({ info, date }: Answer): string | null {
  const answered = Date.parse(info.timestamp ?? '');
  if (!Number.isNaN(answered)) return new Date(answered).toISOString();
  return date === null ? null : new Date(Date.parse(date) + LAST_OF_SECOND_MS).toISOString();
}

const LAST_OF_SECOND_MS = 999;
