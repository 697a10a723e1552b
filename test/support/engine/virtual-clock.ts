/** The one clock of engine, scheduler and both simulators; moves only when told. */
export type VirtualClock = {
  readMs(): number;
  now(): string;
  advance(ms: number): void;
  /** Forward only. */
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
