/** Date-times as the API shows them: UTC with milliseconds and a numeric offset, `2026-01-31T08:00:00.000+0000`. */
export function toApiInstant(date: Date): string {
  return date.toISOString().replace('Z', '+0000');
}

/** Epoch milliseconds of a date-time of the API; NaN when it is none. */
export function apiInstantMs(text: string): number {
  return Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** The API form of a date-time given in ISO 8601 with any offset; null when it is none. */
export function parseInstant(text: string): string | null {
  if (!INSTANT.test(text)) return null;
  const ms = apiInstantMs(text.replace(/z$/i, 'Z'));
  return Number.isNaN(ms) ? null : toApiInstant(new Date(ms));
}

/** A calendar date `YYYY-MM-DD` that exists; null for anything else. */
export function parseDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return null;
  return text;
}

/** The stamp of a change made now to a row: never earlier than, nor equal to, the row's last one. */
export function stampAfter(previous: string | undefined, now: Date): string {
  const previousMs = previous === undefined ? Number.NEGATIVE_INFINITY : apiInstantMs(previous);
  return toApiInstant(new Date(Math.max(now.getTime(), previousMs + 1)));
}
