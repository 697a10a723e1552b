import type { BackfillCounts } from '../../../src/domain/backfill/backfill.ts';
import type { BackfillPoint } from '../../../src/domain/backfill/progress.ts';

/** A simulated backfill of both sides and the delays it meets. */
export type Course = {
  readonly records: { readonly vendor: number; readonly paired: number; readonly crm: number };
  /** The vendor's quota windows, and the part of one that the search has used when matching begins. */
  readonly quota: {
    readonly limit: number;
    readonly windowMs: number;
    readonly share: number;
    readonly taken: number;
  };
  readonly ratePerSecond: number;
  /** The backfill's own requests per second when no quota limits it: reads to match, and imports. */
  readonly own: { readonly match: number; readonly bring: number };
  /** Idle periods: at the start, and after parts of the work. */
  readonly startMs: number;
  readonly deaths: readonly { readonly at: number; readonly downMs: number }[];
};

const TICK_MS = 100;
/** The interval of progress points: after this many matches, else once per second. */
const MATCHED_AT_ONCE = 100;
const POLL_MS = 1_000;
const CALLS = { match: 1, vendor: 3, crm: 2 } as const;
const BEGAN_MS = Date.parse('2027-03-01T12:00:00.000Z');

type Way = { nowMs: number; calls: number; left: number; downUntilMs: number };

/** The progress points of a backfill with this course; the last is its end. */
export function looksOf(course: Course): readonly BackfillPoint[] {
  const { quota, ratePerSecond } = course;
  const perWindow = Math.floor(quota.limit * quota.share);
  const total = totalOf(course);
  const looks: BackfillPoint[] = [];
  const way: Way = { nowMs: 0, calls: 0, left: perWindow * (1 - quota.taken), downUntilMs: course.startMs };
  let [lookedMs, chunk] = [0, 0];
  const look = (): void => {
    const { nowMs, calls, left } = way;
    lookedMs = nowMs;
    chunk = Math.floor(calls / MATCHED_AT_ONCE);
    const resetMs = quota.windowMs - (nowMs % quota.windowMs);
    looks.push({
      at: new Date(BEGAN_MS + nowMs).toISOString(),
      phase: phaseOf(calls, total),
      counts: countsAfter(course, calls, total),
      bound: {
        ratePerSecond,
        quota: { perWindow, windowMs: quota.windowMs, left: Math.floor(left), resetMs },
      },
    });
  };
  const deaths = [...course.deaths];
  look();
  while (way.calls < total.all) {
    if (!goOn(way, course, total, deaths)) continue;
    const isTimeToLook =
      phaseOf(way.calls, total) === 'match'
        ? Math.floor(way.calls / MATCHED_AT_ONCE) > chunk
        : way.nowMs - lookedMs >= POLL_MS || way.calls === total.all;
    if (isTimeToLook) look();
  }
  return looks;
}

/** Advances by one tick; false while the worker is down. */
function goOn(
  way: Way,
  { quota, own, ratePerSecond }: Course,
  total: Total,
  deaths: Course['deaths'][number][],
): boolean {
  way.nowMs += TICK_MS;
  if (way.nowMs % quota.windowMs === 0) way.left = Math.floor(quota.limit * quota.share);
  const [death] = deaths;
  if (death !== undefined && way.calls >= death.at * total.all) {
    deaths.shift();
    way.downUntilMs = way.nowMs + death.downMs;
  }
  if (way.nowMs < way.downUntilMs) return false;
  const ownRate = Math.min(ratePerSecond, phaseOf(way.calls, total) === 'match' ? own.match : own.bring);
  const made = Math.min(way.left, (ownRate * TICK_MS) / 1_000, total.all - way.calls);
  way.left -= made;
  way.calls += made;
  if (total.all - way.calls < 1e-6) way.calls = total.all;
  return true;
}

function totalOf({ records }: Course): Total {
  const match = records.vendor * CALLS.match;
  const vendor = records.vendor * CALLS.vendor;
  return { match, vendor, all: match + vendor + (records.crm - records.paired) * CALLS.crm };
}

function phaseOf(calls: number, { match, vendor, all }: Total): BackfillPoint['phase'] {
  if (calls < match) return 'match';
  if (calls < match + vendor) return 'vendor';
  return calls < all ? 'crm' : 'over';
}

type Total = { readonly match: number; readonly vendor: number; readonly all: number };

function countsAfter({ records }: Course, calls: number, total: Total): BackfillCounts {
  const matched = Math.min(records.vendor, Math.floor(calls + 1e-6));
  const ofVendor = Math.max(0, calls - total.match);
  const vendorDone = Math.min(records.vendor, Math.floor(ofVendor / CALLS.vendor + 1e-6));
  const ofCrm = Math.max(0, ofVendor - total.vendor);
  const made = Math.min(records.crm - records.paired, Math.floor(ofCrm / CALLS.crm + 1e-6));
  const linked = ofCrm > 0 ? records.paired : 0;
  return {
    vendor: { found: records.vendor, matched, done: vendorDone },
    crm: { found: records.crm, done: made + linked },
    paired: Math.round((records.paired * matched) / Math.max(1, records.vendor)),
    inFlight: 0,
    outcomes: { linked, 'in-sync': made + vendorDone },
  };
}
