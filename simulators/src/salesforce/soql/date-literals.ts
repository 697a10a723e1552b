/** Relative dates of SOQL. Days are those of the user's time zone. The fiscal year is the calendar year. */
import { dayIn, startOfDay } from '../store/time-zone.ts';

/** A span of time, `to` exclusive, in epoch milliseconds. */
export type Span = { readonly fromMs: number; readonly toMs: number };

type Unit = 'DAY' | 'WEEK' | 'MONTH' | 'QUARTER' | 'YEAR';

const NAMED: Readonly<Record<string, readonly [Unit, number]>> = {
  YESTERDAY: ['DAY', -1],
  TODAY: ['DAY', 0],
  TOMORROW: ['DAY', 1],
};

const SIDES: Readonly<Record<string, number>> = { LAST: -1, THIS: 0, NEXT: 1 };

/** The present instant and the time zone. */
type Moment = { readonly now: Date; readonly timeZone: string };

/** The time span of a literal such as `TODAY`, `LAST_MONTH` or `LAST_N_DAYS:5`; null for an unknown literal. */
export function spanOf(literal: string, moment: Moment): Span | null {
  const days = daysOf(literal, moment);
  if (days === null) return null;
  const { timeZone } = moment;
  return { fromMs: startOfDay(timeZone, days.fromMs), toMs: startOfDay(timeZone, days.toMs) };
}

/** The days of a literal, each as its midnight UTC. */
export function daysOf(literal: string, { now: instant, timeZone }: Moment): Span | null {
  const now = new Date(dayIn(timeZone, instant));
  const [name = '', count] = literal.toUpperCase().replace('FISCAL_', '').split(':');
  const named = NAMED[name];
  if (named !== undefined) return period(named[0], named[1], named[1] + 1, now);
  const fixed = /^(LAST|NEXT)_90_DAYS$/.exec(name);
  if (fixed !== null) return counted(fixed[1] ?? '', 'DAY', 90, now);
  const single = /^(LAST|THIS|NEXT)_(WEEK|MONTH|QUARTER|YEAR)$/.exec(name);
  if (single !== null) {
    const side = SIDES[single[1] ?? ''] ?? 0;
    return period(single[2] as Unit, side, side + 1, now);
  }
  const many = /^(LAST|NEXT)_N_(DAY|WEEK|MONTH|QUARTER|YEAR)S$/.exec(name);
  if (many !== null && count !== undefined) return counted(many[1] ?? '', many[2] as Unit, Number(count), now);
  const ago = /^N_(DAY|WEEK|MONTH|QUARTER|YEAR)S_AGO$/.exec(name);
  if (ago !== null && count !== undefined) {
    return period(ago[1] as Unit, -Number(count), 1 - Number(count), now);
  }
  return null;
}

/** LAST_N_DAYS runs to the end of today. The other LAST_N spans end before the present unit. NEXT_N begins after it. */
function counted(side: string, unit: Unit, count: number, now: Date): Span {
  if (side === 'NEXT') return period(unit, 1, count + 1, now);
  return period(unit, -count, unit === 'DAY' ? 1 : 0, now);
}

function period(unit: Unit, from: number, to: number, now: Date): Span {
  return { fromMs: startOf(unit, from, now), toMs: startOf(unit, to, now) };
}

function startOf(unit: Unit, offset: number, now: Date): number {
  const year = now.getUTCFullYear();
  const month = now.getUTCMonth();
  const day = now.getUTCDate();
  switch (unit) {
    case 'DAY':
      return Date.UTC(year, month, day + offset);
    case 'WEEK':
      return Date.UTC(year, month, day - now.getUTCDay() + 7 * offset);
    case 'MONTH':
      return Date.UTC(year, month + offset, 1);
    case 'QUARTER':
      return Date.UTC(year, Math.floor(month / 3) * 3 + 3 * offset, 1);
    case 'YEAR':
      return Date.UTC(year + offset, 0, 1);
  }
}
