const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * True for an ISO 8601 date-time with a zone and a day that exists (sales spec 2: `YYYY-MM-DDThh:mm:ss.sssZ`;
 * seconds and their fraction may be left out).
 */
export function isIsoDateTime(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const match = DATE_TIME.exec(value);
  if (match === null) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const date = new Date(Date.UTC(year, month - 1, day));
  date.setUTCFullYear(year);
  const isRealDay = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isRealDay && !Number.isNaN(toMs(value));
}

/** Epoch milliseconds of an ISO 8601 date-time, whose fraction may begin with a comma. */
export function toMs(value: string): number {
  return Date.parse(value.replace(',', '.'));
}

/** The same instant in the vendor's own form, `YYYY-MM-DDThh:mm:ss.sssZ`. */
export function toVendorInstant(value: string): string {
  return new Date(toMs(value)).toISOString();
}

/** The modification stamp of a change made now: later than the last one, if only by a millisecond. */
export function nextModifiedDate(last: string | null, now: Date): string {
  const lastMs = last === null ? Number.NEGATIVE_INFINITY : Date.parse(last);
  return new Date(Math.max(now.getTime(), lastMs + 1)).toISOString();
}
