import type { Cadence } from '../../src/domain/streams/cadence.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';

/** The tenants of this process, and the workflows that they have of their own. */
export type Fleet = {
  /** Those that are served here by now. */
  readonly served: () => readonly string[];
  /** Those that this process cannot have, and another may. */
  readonly elsewhere: () => readonly string[];
  /** Aborted when this process is about to end: what goes on for minutes is then for another. */
  readonly ending: AbortSignal;
  /** What is another where what is declared of a served tenant is. */
  readonly version: (tenant: string) => unknown;
  /** How often a served tenant's stream is looked at. */
  readonly cadence: (tenant: string, stream: StreamName) => Cadence;
  readonly auditEveryMs: (tenant: string) => number;
  /** What `run` asks for has the tenants' connections as they are when it begins; they are kept until it ends. */
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
  /** Has a stream read by a workflow of the tenant's own; false where one is at it. */
  readonly startStream: (tenant: string, stream: StreamName) => Promise<boolean>;
  /** Whether such a workflow is at it. */
  readonly isReading: (tenant: string, stream: StreamName) => Promise<boolean>;
  /** Begins the tenant's audit; false where one is under way. */
  readonly startAudit: (tenant: string) => Promise<boolean>;
};

/** Of a process that serves nobody. */
export const NO_FLEET: Fleet = {
  served: () => [],
  elsewhere: () => [],
  ending: new AbortController().signal,
  version: () => null,
  cadence: () => ({ everyMs: Number.POSITIVE_INFINITY, idleMs: Number.POSITIVE_INFINITY }),
  auditEveryMs: () => Number.POSITIVE_INFINITY,
  scoped: (run) => run(),
  startStream: async () => false,
  isReading: async () => false,
  startAudit: async () => false,
};
