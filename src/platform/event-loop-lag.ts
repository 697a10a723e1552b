/** How often the event loop's lag is measured, in milliseconds. */
const EVERY_MS = 50;
/**
 * The time over which the measured delays are averaged, in ms. It is so long that a single garbage collection does not make the worker
 * count as busy.
 */
const SPAN_MS = 2_000;

/** Measures how late the event loop of this thread is. */
export interface EventLoopLag {
  /** How long, on average over about the last two seconds, an event waited until its callback ran, in milliseconds. */
  ms(): number;
}

/**
 * Measures the event loop's lag with a timer that does not keep the process running. While the thread is blocked for `d` ms, events that
 * arrive wait `d/2` on average. So the lag is the sum of `d²/2`, divided by the measured time. `nowMs` is any monotonic clock.
 */
export function createEventLoopLag(nowMs: () => number = () => performance.now()): EventLoopLag {
  let [waits, total, since] = [0, 0, nowMs()];
  const including = (gapMs: number) => {
    const kept = Math.exp(-gapMs / SPAN_MS);
    const lateMs = Math.max(0, gapMs - EVERY_MS);
    return { waits: waits * kept + lateMs ** 2 / 2, total: total * kept + gapMs };
  };
  const timer = setInterval(() => {
    const now = nowMs();
    ({ waits, total } = including(now - since));
    since = now;
  }, EVERY_MS);
  timer.unref();
  return {
    ms: () => {
      const sum = including(nowMs() - since);
      return sum.waits / Math.max(SPAN_MS, sum.total);
    },
  };
}
