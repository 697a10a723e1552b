/** The common clock of engine, scheduler and both simulators; it only moves on a call. */
export type VirtualClock = {
  readMs(): number;
  now(): string;
  advance(ms: number): void;
  /** Only moves forward. */
  advanceTo(ms: number): void;
  restart(): void;
};

/** A Monday morning. */
const START_MS = Date.parse('2027-01-04T08:00:00.000Z');

export function createVirtualClock(): VirtualClock {
  let nowMs = START_MS;
  return {
    readMs: () => nowMs,
    now: () => new Date(nowMs).toISOString(),
    advance: (ms) => {
      nowMs += ms;
    },
    advanceTo: (ms) => {
      nowMs = Math.max(nowMs, ms);
    },
    restart: () => {
      nowMs = START_MS;
    },
  };
}
