/**
 * In a burst, calls about several records wait for each other in order to share requests. A burst begins when at least `from` records are
 * being synced at the same time, and ends when fewer than `until` are. For fewer records, waiting would save no requests.
 */
const BURST_SIZE = { from: 8, until: 4 } as const;
/**
 * How long, in ms, a burst may be without progress. Progress is a change of one of two numbers: the records of the burst that are being
 * synced, and the calls that wait. After this time, the gauge expects no more calls, because the other records seem to be stuck. The
 * waiting calls are then sent.
 */
const STILL_MS = 4_000;

/**
 * Says whether more calls will come, because a burst (many records that changed together) is being synced. If so, a batcher lets its calls
 * wait, so that they share a request. All batchers for a tenant's CRM share one gauge.
 */
export interface BurstGauge {
  /**
   * Whether a burst (records that changed together) is being synced and some of its records have not reached a batcher's queue yet. Never
   * rejects.
   */
  expectsMore(): Promise<boolean>;
  /**
   * Registers a function that returns how many calls wait in one batcher. The gauge adds up these numbers for all batchers. If the sum is
   * lower than the number of records of a burst that are being synced, some of these records have no waiting call yet. So the gauge expects
   * more calls.
   */
  add(waiting: () => number): void;
}

/**
 * The gauge for calls whose result no user waits for, such as reports (writes of a record's sync state after its sync). It always says that
 * more calls will come, so that each call that may wait does wait in order to share a request. The calls are sent when enough of them wait,
 * when a request of another batcher includes them, or after 15 seconds (`LONGEST_MS`).
 */
export const ALWAYS: BurstGauge = { expectsMore: async () => true, add: () => undefined };

/**
 * Makes the gauge for a tenant's bursts (records that changed together). It detects a burst by counting records and not by measuring time,
 * so it works in the same way on a slow machine. `onTheirWay` returns how many records of bursts all workers are syncing.
 */
export function createBurstGauge(
  onTheirWay: () => Promise<number>,
  nowMs: () => number = () => performance.now(),
): BurstGauge {
  const places: (() => number)[] = [];
  let isBurst = false;
  let seen = { count: 0, waiting: 0, sinceMs: 0 };
  let measuring: Promise<boolean> | null = null;

  async function measure(): Promise<boolean> {
    const count = await onTheirWay().catch(() => 0);
    const waiting = places.reduce((sum, place) => sum + place(), 0);
    isBurst = count >= (isBurst ? BURST_SIZE.until : BURST_SIZE.from);
    const hasMoved = count !== seen.count || waiting !== seen.waiting;
    if (hasMoved || !isBurst) seen = { count, waiting, sinceMs: nowMs() };
    return isBurst && waiting < count && nowMs() - seen.sinceMs < STILL_MS;
  }

  return {
    expectsMore() {
      measuring ??= measure().finally(() => {
        measuring = null;
      });
      return measuring;
    },
    add: (waiting) => void places.push(waiting),
  };
}
