const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const INSTANT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/;

/**
 * The calendar date of a date or date-time text (sales spec 2), as `YYYY-MM-DD`; null if the text is no date. Lockstep itself sends a date
 * as midnight UTC, so midnight UTC always gives the UTC date. Any other instant is converted to the given zone. A date-time without an
 * offset counts as UTC.
 */
export function calendarDate(text: string, zone: string): string | null {
  if (DATE.test(text)) return isRealDate(text) ? text : null;
  const match = INSTANT.exec(text);
  if (match?.[1] === undefined || !isRealDate(match[1])) return null;
  const at = Date.parse(withOffset(text, match[4]));
  if (Number.isNaN(at)) return null;
  const utc = new Date(at).toISOString();
  if (utc.endsWith('T00:00:00.000Z')) return utc.slice(0, 10);
  return dateInZone(at, zone);
}

const MOST_OFFSET_MS = 15 * 3_600_000;

/**
 * When a calendar date begins in a time zone, in epoch milliseconds: at midnight or, if the clocks skip midnight that day, at the first
 * later instant.
 */
export function dayStart(date: string, zone: string): number {
  const midnight = Date.parse(date);
  let [before, start] = [midnight - MOST_OFFSET_MS, midnight + MOST_OFFSET_MS];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (dateInZone(middle, zone) < date) before = middle;
    else start = middle;
  }
  return start;
}

/**
 * The last second of a calendar date in UTC, for the end of a period that includes the date. A text that is no date is returned unchanged.
 */
export function dayEnd(text: string): string {
  return DATE.test(text) ? `${text}T23:59:59Z` : text;
}

/** The date-time that Lockstep sends to the vendor for a calendar date: midnight UTC. */
export function dateInstant(date: string): string {
  return `${date}T00:00:00.000Z`;
}

/** Whether a text of the form `YYYY-MM-DD` is a date that exists. */
function isRealDate(text: string): boolean {
  const day = Number(text.slice(8));
  return day >= 1 && day <= daysIn(Number(text.slice(0, 4)), Number(text.slice(5, 7)));
}

/** The number of days in a month; 0 if `month` is no month number. */
function daysIn(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
}

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function withOffset(text: string, offset: string | undefined): string {
  if (offset === undefined) return `${text}Z`;
  return /^[+-]\d{4}$/.test(offset) ? `${text.slice(0, -2)}:${text.slice(-2)}` : text;
}

function dateInZone(at: number, zone: string): string {
  const parts = formatter(zone).formatToParts(at);
  const part = (type: string): string => parts.find((item) => item.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** The formatter for dates in a time zone. Cached, because a formatter is slow to create and all tenants together use few zones. */
function formatter(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const options = {
    timeZone: zone,
    calendar: 'iso8601',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  } as const;
  const made = new Intl.DateTimeFormat('en-US', options);
  formatters.set(zone, made);
  return made;
}
