import type { Clock } from '../../core/clock.ts';
import { createRandom } from '../../core/random.ts';
import { type EventContext, happen } from './events.ts';

/** The passing of time at the simulated vendor. */
export interface Life {
  /** Runs all events that are due. */
  catchUp(): void;
  /** Restarts at the present time with another seed. */
  restart(seed: number | string): void;
}

export type LifeOptions = EventContext & {
  readonly clock: Clock;
  /** Seconds on the simulator's clock between two events. If absent, there are no events. */
  readonly paceSeconds: number | undefined;
  readonly seed: number | string;
};

/** Most events in one call, so that a clock moved by years does not block a request. Earlier events are skipped. */
const MAX_EVENTS = 10_000;

/**
 * Makes a source of events at the vendor. There is no timer: due events run, dated at their own instants, when `catchUp` is called before
 * each request. The same seed and the same clock give the same events.
 */
export function createLife(options: LifeOptions): Life {
  const { clock, paceSeconds } = options;
  let seed = options.seed;
  let lastMs = clock.now().getTime();
  let nth = 0;

  function catchUp(): void {
    if (paceSeconds === undefined) return;
    const paceMs = paceSeconds * 1000;
    const nowMs = clock.now().getTime();
    // After the clock was set back, events go on from the new time.
    lastMs = Math.min(lastMs, nowMs);
    const due = Math.floor((nowMs - lastMs) / paceMs);
    const skipped = Math.max(0, due - MAX_EVENTS);
    nth += skipped;
    lastMs += skipped * paceMs;
    for (let left = due - skipped; left > 0; left -= 1) {
      nth += 1;
      lastMs += paceMs;
      happen(options, createRandom(`life:${seed}:${nth}`), new Date(lastMs));
    }
  }

  return {
    catchUp,
    restart: (next) => {
      seed = next;
      nth = 0;
      lastMs = clock.now().getTime();
    },
  };
}
