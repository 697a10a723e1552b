/** The clock of a simulator: real time plus an offset that the admin surface may move. */
export interface Clock {
  /** The simulator's present time. */
  now(): Date;
  /** Sets the clock to `iso`. It runs on from there. Throws a RangeError when `iso` is no date-time. */
  set(iso: string): void;
  /** Moves the present time by `ms` milliseconds (negative: back). */
  advance(ms: number): void;
  /** The clock's offset from real time, in milliseconds. */
  offsetMs(): number;
  /** Resets the clock to real time. */
  reset(): void;
}

/** Makes a clock. `readMs` returns the underlying time in epoch milliseconds; real time by default. */
export function createClock(readMs: () => number = Date.now): Clock {
  let offsetMs = 0;
  return {
    now: () => new Date(readMs() + offsetMs),
    set: (iso) => {
      const wantedMs = Date.parse(iso);
      if (Number.isNaN(wantedMs)) throw new RangeError('The clock wants an ISO 8601 date-time.');
      offsetMs = wantedMs - readMs();
    },
    advance: (ms) => {
      offsetMs += ms;
    },
    offsetMs: () => offsetMs,
    reset: () => {
      offsetMs = 0;
    },
  };
}
