/** A burst of which fewer are on their way is worth no waiting. Once it is waited for, until so few of it are left. */
const BURST_SIZE = { from: 8, until: 4 } as const;
/** A burst of which nothing moves for so long is stuck elsewhere. */
const STILL_MS = 4_000;

/** Tells what waits for a burst whether more is to come. One for all batchers of a tenant's CRM. */
export interface BurstGauge {
  /** Whether a burst is on its way that does not all wait here yet. Never rejects. */
  expectsMore(): Promise<boolean>;
  /** Counts what waits in another place. */
  add(waiting: () => number): void;
}

/** For what comes after a record is done, and nobody waits for: it is not known whether more is to come, and there is time. */
export const ALWAYS: BurstGauge = { expectsMore: async () => true, add: () => undefined };

/**
 * Gauges the bursts of a tenant's records. `onTheirWay` counts those of bursts that are being brought from one side to the other,
 * wherever: each of them passes the CRM before it is done. So a batch need not guess by the clock whether it is worth waiting: a
 * lone record is told by the count, and a burst on a slow machine is still a burst.
 */
export function createBurstGauge(
  onTheirWay: () => Promise<number>,
  nowMs: () => number = () => performance.now(),
): BurstGauge {
  const places: (() => number)[] = [];
  let isBurst = false;
  let seen = { count: 0, waiting: 0, sinceMs: 0 };
  let looking: Promise<boolean> | null = null;

  async function look(): Promise<boolean> {
    const count = await onTheirWay().catch(() => 0);
    const waiting = places.reduce((sum, place) => sum + place(), 0);
    isBurst = count >= (isBurst ? BURST_SIZE.until : BURST_SIZE.from);
    const hasMoved = count !== seen.count || waiting !== seen.waiting;
    if (hasMoved || !isBurst) seen = { count, waiting, sinceMs: nowMs() };
    return isBurst && waiting < count && nowMs() - seen.sinceMs < STILL_MS;
  }

  return {
    expectsMore() {
      looking ??= look().finally(() => {
        looking = null;
      });
      return looking;
    },
    add: (waiting) => void places.push(waiting),
  };
}
