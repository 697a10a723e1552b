/** A period of modification dates that an audit searches at the vendor, ISO. Both ends belong to the period. */
export type AuditPeriod = { readonly fromDate: string; readonly toDate: string };

/** How far an audit's search at the vendor has come. The search begins at the present and goes back in time, period by period. */
export type PeriodProgress = {
  /** The end of the next period of modification dates to search, ISO. */
  readonly until: string;
  readonly lengthMs: number;
  /**
   * An instant, ISO, at which the search ends one period and begins the next. It is the start of the last audit that left no difference
   * open, minus the longest delay of the vendor's search (`lateMs`). That audit verified all records that were last modified before this
   * instant. So the periods before it contain only verified records, and `isProven` can prove them unchanged without reading them. Null if
   * there was no such audit, or once the search has passed the instant.
   */
  readonly cut: string | null;
};

const DAY_MS = 86_400_000;
/**
 * Bounds for the number of ids in one answer. If an answer has at most `FEW_IDS` ids, the next searched period is longer; if it has more
 * than `MOST_IDS`, shorter.
 */
const [FEW_IDS, MOST_IDS] = [500, 2_000];
const SHORTEST_MS = 60_000;

/**
 * The progress of an audit's search at the vendor before its first period. The search begins at the audit's start with a period of one day.
 * `proven`: the start of the last audit that left no difference open, ISO; null if there was none. `lateMs`: the longest time, in ms, that
 * a change at the vendor may take to appear in searches.
 */
export function firstPeriods(startedAt: string, proven: string | null, lateMs: number): PeriodProgress {
  const cut = proven === null ? null : iso(Date.parse(proven) - lateMs);
  return { until: startedAt, lengthMs: DAY_MS, cut };
}

/** The period that the audit must search next; null once the whole past was searched. */
export function nextPeriod({ until, lengthMs, cut }: PeriodProgress): AuditPeriod | null {
  const toMs = Date.parse(until);
  if (toMs <= 0) return null;
  const fromMs = cut !== null && Date.parse(cut) < toMs ? Date.parse(cut) : toMs - lengthMs;
  return { fromDate: iso(Math.max(0, fromMs)), toDate: until };
}

/**
 * How far the audit's search has come after a period in which it found `found` ids. Many ids make the next period shorter, few ids make it
 * longer.
 */
export function afterPeriod(
  { lengthMs, cut }: PeriodProgress,
  { fromDate }: AuditPeriod,
  found: number,
): PeriodProgress {
  const isCut = cut !== null && fromDate === cut;
  const next =
    found > MOST_IDS ? Math.max(SHORTEST_MS, lengthMs / 2) : found > FEW_IDS || isCut ? lengthMs : 2 * lengthMs;
  return { until: fromDate, lengthMs: next, cut: isCut ? null : cut };
}

type Known = {
  /** The record's `modifiedDate` in Lockstep's last read; null if that read contained none. */
  readonly version: string | null;
  /** When Lockstep last read the record, or last confirmed that it was unchanged since the read; ISO. */
  readonly knownAt: string;
};

/**
 * Whether a record that the audit's search found in this period is unchanged since Lockstep last read it. The audit then need not read it.
 * Two conditions must hold. First, the stored version (`modifiedDate`) lies in the period. Second, Lockstep knew this version at least
 * `lateMs` after the period's end. A change within the period cannot have escaped Lockstep, because searches show each change within
 * `lateMs`. A change after the period is impossible too: it would have moved the record to a later period.
 */
export function isProven({ version, knownAt }: Known, period: AuditPeriod, lateMs: number): boolean {
  const ms = Date.parse(version ?? '');
  const [fromMs, toMs] = [Date.parse(period.fromDate), Date.parse(period.toDate)];
  return ms >= fromMs && ms <= toMs && Date.parse(knownAt) >= toMs + lateMs;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
