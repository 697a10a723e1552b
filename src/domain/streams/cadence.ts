/**
 * How often a stream (regular read of changed rows) is read. The interval is `everyMs` milliseconds while reads find changes, and grows up
 * to `idleMs` milliseconds while they find none. `activeMs`: the interval, in milliseconds, in the first minutes after a change; if absent,
 * it is `everyMs`.
 */
export type Cadence = { readonly everyMs: number; readonly idleMs: number; readonly activeMs?: number };

/** While a stream finds no change, the interval between two polls is this fraction of the time since the last change. */
const PART_OF_QUIET = 0.1;
/** A poll comes early by a random part of its interval, up to this fraction, so that the polls of many tenants do not come at once. */
const JITTER = 0.1;

/** How long after a change a tenant counts as active, in ms. Users are then probably at work, so the next change may come soon. */
export const ACTIVE_FOR_MS = 600_000;

/**
 * The interval between two polls of a stream, in ms. `quietMs`: milliseconds since a poll last found a change; infinite if none ever did.
 */
export function cadenceMs({ everyMs, idleMs, activeMs }: Cadence, quietMs: number): number {
  if (activeMs !== undefined && quietMs < ACTIVE_FOR_MS) return activeMs;
  return Math.max(everyMs, Math.min(idleMs, quietMs * PART_OF_QUIET));
}

/** The fraction of the vendor's rate limit that polls of an active tenant (with a recent change) may use. */
const ACTIVE_SHARE = 0.01;
/**
 * `ACTIVE_PART`: for a tenant with a recent change, the interval between polls as a fraction of the usual interval. `LEAST_ACTIVE_MS`: the
 * lower limit of this interval, in ms.
 */
const [ACTIVE_PART, LEAST_ACTIVE_MS] = [0.1, 5_000];

/**
 * The interval between polls of an active tenant (with a recent change), in ms: a tenth of the usual interval, but at least five seconds.
 * The interval is longer if the polls would use more than a hundredth of the vendor's quota, but never longer than usual. If the quota is
 * unknown, the usual interval is returned. `seconds`: the length of the quota's window.
 */
export function activePollMs(
  everyMs: number,
  quota: { readonly limit: number | null; readonly seconds: number } | null,
): number {
  if (quota === null || quota.limit === null) return everyMs;
  const shareMs = (quota.seconds * 1_000) / (quota.limit * ACTIVE_SHARE);
  return Math.min(everyMs, Math.max(LEAST_ACTIVE_MS, everyMs * ACTIVE_PART, shareMs));
}

/**
 * The factor by which the longest interval between sweeps (periodic searches for CRM changes) grows while Lockstep receives change events.
 */
const FOLLOWED_TIMES = 4;

/**
 * The cadence of a sweep (periodic search for CRM changes) while Lockstep receives change events. The sweep then only finds changes whose
 * events were lost. It is therefore never more frequent than the sweep of a tenant without changes.
 */
export function whileFollowed({ idleMs }: Cadence): Cadence {
  return { everyMs: idleMs, idleMs: FOLLOWED_TIMES * idleMs };
}

/** Times of a stream's last poll and of the last poll that found a change, in epoch milliseconds; null if there was none. */
export type Polled = { readonly lastMs: number | null; readonly foundMs: number | null };

/**
 * When a stream is polled next, in epoch milliseconds. `random`: 0 to 1. The first poll comes after a random part of `everyMs`, or of half
 * a minute if that is shorter.
 */
export function nextPollMs(cadence: Cadence, { lastMs, foundMs }: Polled, nowMs: number, random: number): number {
  if (lastMs === null) return nowMs + random * Math.min(cadence.everyMs, MOST_UNTIL_FIRST_MS);
  const quietMs = foundMs === null ? Number.POSITIVE_INFINITY : lastMs - foundMs;
  return lastMs + cadenceMs(cadence, quietMs) * (1 - JITTER * random);
}

const MOST_UNTIL_FIRST_MS = 30_000;

/**
 * The time at which periodic work was last due, in epoch milliseconds: at or before `nowMs`. Due times are `everyMs` apart, counted from
 * 1970. `part` delays all due times by this fraction of `everyMs`, so that the work of many tenants spreads out.
 */
export function lastTurnMs(everyMs: number, part: number, nowMs: number): number {
  const offsetMs = Math.floor(part * everyMs);
  return Math.floor((nowMs - offsetMs) / everyMs) * everyMs + offsetMs;
}
