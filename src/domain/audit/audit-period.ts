/** The next period of modification that an audit searches at the vendor; both ends count in. ISO. */
export type AuditPeriod = { readonly fromDate: string; readonly toDate: string };

/** Where the search of all times has come to: it goes back from the present. */
export type PeriodProgress = {
  /** The end of the next period, ISO. */
  readonly until: string;
  readonly lengthMs: number;
  /** Where a period is to begin, so that what an earlier audit has proven lies behind it; null where there was none. */
  readonly cut: string | null;
};

const DAY_MS = 86_400_000;
/** Answers up to this many ids let the next period be longer; beyond the most, it is shorter. */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;

/**
 * Where an audit begins at `startedAt`. `proven`: when the last one began that came to its end. `lateMs`: how late a change may
 * show itself in a search.
 */
export function firstPeriods(startedAt: string, proven: string | null, lateMs: number): PeriodProgress {
  const cut = proven === null ? null : iso(Date.parse(proven) - lateMs);
  return { until: startedAt, lengthMs: DAY_MS, cut };
}

/** The period to search next; null once all times were searched. */
export function nextPeriod({ until, lengthMs, cut }: PeriodProgress): AuditPeriod | null {
  const toMs = Date.parse(until);
  if (toMs <= 0) return null;
  const fromMs = cut !== null && Date.parse(cut) < toMs ? Date.parse(cut) : toMs - lengthMs;
  return { fromDate: iso(Math.max(0, fromMs)), toDate: until };
}

/** After a search that found so many: periods follow how many ids the answers have, and grow where little happened. */
export function afterPeriod(
  { lengthMs, cut }: PeriodProgress,
  { fromDate }: AuditPeriod,
  found: number,
): PeriodProgress {
  const isCut = cut !== null && fromDate === cut;
  const next =
    found > MOST_IDS
      ? Math.max(SHORTEST_MS, lengthMs / 2)
      : found > FEW_IDS || isCut
        ? lengthMs
        : 2 * lengthMs;
  return { until: fromDate, lengthMs: next, cut: isCut ? null : cut };
}

type Known = {
  /** `modifiedDate` as the last reading showed it; null where none did. */
  readonly version: string | null;
  /** When the record was last read, or last proven to be as it was read; ISO. */
  readonly knownAt: string;
};

/**
 * Whether a record that was found in a period is as it was read. Modified later, it would be in a later period; modified
 * later within this one, the reading would have shown it, or else it was made before all of the period could be seen.
 */
export function isProven({ version, knownAt }: Known, period: AuditPeriod, lateMs: number): boolean {
  const ms = Date.parse(version ?? '');
  const [fromMs, toMs] = [Date.parse(period.fromDate), Date.parse(period.toDate)];
  return ms >= fromMs && ms <= toMs && Date.parse(knownAt) >= toMs + lateMs;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
