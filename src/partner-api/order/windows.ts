import { MAX_WINDOW_MS, TIME_CRITERIA, type TimeCriterion } from './criteria.ts';
import type { SearchOrdersInput } from './inputs.ts';

type Range = { readonly from?: string | undefined; readonly to?: string | undefined };

/**
 * How far neighbouring time windows overlap, in ms. The documents do not say whether a window includes its bounds, so each bound must lie
 * inside the neighbouring window.
 */
const OVERLAP_MS = 1000;

/**
 * The shortest time range that is split into two halves, in milliseconds. The halves overlap by `OVERLAP_MS`, so a shorter range would
 * hardly become smaller.
 */
const SMALLEST_MS = 4 * OVERLAP_MS;

/**
 * Splits search criteria whose time ranges are longer than the documents allow into several criteria with allowed ranges, oldest first. A
 * range without `to` ends at `now`. A range without `from` is sent unchanged, because the vendor then computes `from`.
 */
export function splitCriteria(criteria: SearchOrdersInput, now: Date): readonly SearchOrdersInput[] {
  return TIME_CRITERIA.reduce<readonly SearchOrdersInput[]>(
    (parts, criterion) => {
      // A JavaScript caller may pass anything. The check of the search refuses an invalid range.
      const range: Range | null | undefined = criteria?.[criterion];
      if (typeof range !== 'object' || range === null) return parts;
      const windows = splitRange(range, MAX_WINDOW_MS[criterion], now);
      return parts.flatMap((part) => windows.map((window) => ({ ...part, [criterion]: window })));
    },
    [criteria],
  );
}

/** Splits the longest time range of the criteria into two halves; null if every range is too short to be split. */
export function halveCriteria(criteria: SearchOrdersInput): readonly [SearchOrdersInput, SearchOrdersInput] | null {
  const [longest] = TIME_CRITERIA.map((criterion) => ({ criterion, lengthMs: lengthOf(criteria, criterion) }))
    .filter(({ lengthMs }) => lengthMs >= SMALLEST_MS)
    .toSorted((one, other) => other.lengthMs - one.lengthMs);
  if (longest === undefined) return null;
  const range = criteria[longest.criterion];
  const middle = timeOf(range?.from) + Math.floor(longest.lengthMs / 2);
  const older = { ...range, to: iso(middle) };
  const newer = { ...range, from: iso(middle - OVERLAP_MS) };
  return [
    { ...criteria, [longest.criterion]: older },
    { ...criteria, [longest.criterion]: newer },
  ];
}

function splitRange(range: Range, maxMs: number, now: Date): readonly Range[] {
  const start = timeOf(range.from);
  const end = range.to === undefined ? now.getTime() : timeOf(range.to);
  // The range has no begin, or is invalid, so it is not split. The check of the search's input reports an invalid range.
  if (!(end > start)) return [range];
  const windows: Range[] = [];
  let from = start;
  while (end - from > maxMs) {
    windows.push({ ...range, from: iso(from), to: iso(from + maxMs) });
    from += maxMs - OVERLAP_MS;
  }
  return [...windows, { ...range, from: iso(from), to: range.to ?? iso(end) }];
}

function lengthOf(criteria: SearchOrdersInput, criterion: TimeCriterion): number {
  const range = criteria[criterion];
  const lengthMs = timeOf(range?.to) - timeOf(range?.from);
  return Number.isNaN(lengthMs) ? 0 : lengthMs;
}

function timeOf(instant: string | undefined): number {
  return instant === undefined ? Number.NaN : Date.parse(instant);
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
