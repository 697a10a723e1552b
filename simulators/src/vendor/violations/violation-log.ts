import type { Clock } from '../../core/clock.ts';
import type { Breach, ViolationRule } from './rules.ts';

/** A breach, with its request. */
export type Violation = Breach & {
  /** Arrival on the simulator's clock, ISO 8601. */
  readonly time: string;
  readonly operation: string;
  readonly version: string;
  /** Number of the request in the log of requests. */
  readonly request: number;
};

/** The violations of all requests so far. The list is bounded, the counters are not. */
export interface ViolationLog {
  add(breaches: readonly Breach[], of: Pick<Violation, 'operation' | 'version' | 'request'>): void;
  list(): readonly Violation[];
  counts(): Readonly<Partial<Record<ViolationRule, number>>>;
  clear(): void;
}

/** Makes a log that keeps the last `capacity` violations. */
export function createViolationLog(clock: Clock, capacity = 1000): ViolationLog {
  let entries: Violation[] = [];
  let counters = new Map<ViolationRule, number>();
  return {
    add: (breaches, of) => {
      const time = clock.now().toISOString();
      for (const breach of breaches) {
        entries.push({ ...breach, ...of, time });
        counters.set(breach.rule, (counters.get(breach.rule) ?? 0) + 1);
      }
      if (entries.length > capacity) entries = entries.slice(-capacity);
    },
    list: () => entries,
    counts: () => Object.fromEntries(counters),
    clear: () => {
      entries = [];
      counters = new Map();
    },
  };
}
