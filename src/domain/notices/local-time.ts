/** A time of day in a time zone of the IANA database. `minute`: minutes since midnight. */
export type TimeOfDay = { readonly minute: number; readonly zone: string };

/** Hours of each day from `from` up to `to`, both in minutes since midnight. If `to` is less than `from`, the hours end on the next day. */
export type DailyHours = { readonly from: number; readonly to: number; readonly zone: string };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/**
 * The end of the daily hours within which an instant lies; null if the instant is outside the daily hours. Instants are epoch milliseconds.
 * Pure.
 */
export function hoursEnd({ from, to, zone }: DailyHours, nowMs: number): number | null {
  const minute = localMinute(nowMs, zone);
  const isWithin = from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isWithin) return null;
  const aheadMs = ((to - minute + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS;
  return corrected(startOfMinute(nowMs) + aheadMs, { minute: to, zone });
}

/**
 * The last instant, at or before `nowMs`, at which the clocks of a zone showed this time of day. `atMs`: the instant; `date`: its date in
 * the zone (`YYYY-MM-DD`). Instants are epoch milliseconds. Pure.
 */
export function lastTime({ minute, zone }: TimeOfDay, nowMs: number): { readonly atMs: number; readonly date: string } {
  const pastMinutes = (localMinute(nowMs, zone) - minute + DAY_MINUTES) % DAY_MINUTES;
  const guess = corrected(startOfMinute(nowMs) - pastMinutes * MINUTE_MS, { minute, zone });
  const atMs = guess <= nowMs ? guess : corrected(guess - DAY_MINUTES * MINUTE_MS, { minute, zone });
  return { atMs, date: localParts(atMs, zone).date };
}

/**
 * Corrects an instant that was computed without regard to daylight saving time, so that the local time at this instant is the wanted time
 * of day.
 */
function corrected(atMs: number, { minute, zone }: TimeOfDay): number {
  const off = (minute - localMinute(atMs, zone) + DAY_MINUTES) % DAY_MINUTES;
  const shift = off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off;
  const moved = atMs + shift * MINUTE_MS;
  // The clocks may skip this time of day. The result is then the instant at which they would have shown it without the change: 03:30
  // instead of 02:30.
  return localMinute(moved, zone) === minute ? moved : Math.max(atMs, moved);
}

function startOfMinute(atMs: number): number {
  return Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
}

function localMinute(atMs: number, zone: string): number {
  return localParts(atMs, zone).minute;
}

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function localParts(atMs: number, zone: string): { readonly minute: number; readonly date: string } {
  let format = FORMATS.get(zone);
  if (format === undefined) {
    const date = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en-CA', {
      ...{ timeZone: zone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', ...date },
    });
    FORMATS.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return {
    minute: Number(parts['hour']) * 60 + Number(parts['minute']),
    date: `${parts['year']}-${parts['month']}-${parts['day']}`,
  };
}

/** Whether this runtime knows the time zone. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
