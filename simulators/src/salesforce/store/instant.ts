/**
 * Date-times as the API shows them: UTC in whole seconds, with a numeric offset, `2026-01-31T08:00:00.000+0000`. The
 * milliseconds are there and always zero.
 */
export function toApiInstant(date: Date): string {
  return `${date.toISOString().slice(0, 19)}.000+0000`;
}

/** Epoch milliseconds of an API date-time; NaN if the text is no date-time. */
export function apiInstantMs(text: string): number {
  return Date.parse(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** The API form of an ISO 8601 date-time with any offset, cut to whole seconds; null if the text is no date-time. */
export function parseInstant(text: string): string | null {
  return exactInstant(text)?.replace(/\.\d{3}/, '.000') ?? null;
}

/** A date-time with its milliseconds, for comparison in a query; null if the text is no date-time. */
export function exactInstant(text: string): string | null {
  if (!INSTANT.test(text)) return null;
  const ms = apiInstantMs(text.replace(/z$/i, 'Z'));
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace('Z', '+0000');
}

/** A calendar date `YYYY-MM-DD` that exists; null for anything else. */
export function parseDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 10) !== text) return null;
  return text;
}

/** The timestamp of a change to a row: never earlier than the row's last one, and equal to it within a second. */
export function stampAfter(previous: string | undefined, at: Date): string {
  const previousMs = previous === undefined ? Number.NEGATIVE_INFINITY : apiInstantMs(previous);
  return toApiInstant(new Date(Math.max(at.getTime(), previousMs)));
}
