import type { Row } from './row.ts';
import type { Store } from './store.ts';

const DAY_MS = 86_400_000;
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known !== undefined) return known;
  const fresh = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timeZone, fresh);
  return fresh;
}

/** The local time of a time zone at an instant, as if it were UTC. */
export function wallTime(timeZone: string, date: Date): Date {
  const shown = new Map(
    clockOf(timeZone)
      .formatToParts(date)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => shown.get(type) ?? 0;
  const ms = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return new Date(ms);
}

/** Midnight UTC of the calendar day that a time zone has at an instant. */
export function dayIn(timeZone: string, date: Date): number {
  return Math.floor(wallTime(timeZone, date).getTime() / DAY_MS) * DAY_MS;
}

/** When a calendar day, given as midnight UTC, begins in a time zone; later than midnight if clocks skip it. */
export function startOfDay(timeZone: string, dayMs: number): number {
  const aheadAt = (ms: number) => wallTime(timeZone, new Date(ms)).getTime() - ms;
  // The offset may differ between the first guess and the real beginning of the day.
  const guess = dayMs - aheadAt(dayMs);
  return dayMs - aheadAt(guess);
}

/** The user's time zone, or else the organization's. */
export function zoneOf(store: Store, user: Row | undefined): string {
  const zone = user?.['TimeZoneSidKey'] ?? firstOf(store.rows('Organization'))?.['TimeZoneSidKey'];
  return typeof zone === 'string' ? zone : 'UTC';
}

function firstOf<T>([first]: Iterable<T>): T | undefined {
  return first;
}
