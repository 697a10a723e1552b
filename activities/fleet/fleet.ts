import type { Cadence } from '../../src/domain/streams/cadence.ts';
import type { Shard } from '../../src/domain/streams/shards.ts';
import type { StreamName } from '../../src/domain/streams/streams.ts';
import type { ShardReader } from '../../src/ledger/streams/shard-ledger.ts';

/** The tenants that this process serves, with functions that start and query their workflows. */
export type Fleet = {
  readonly served: () => readonly string[];
  /**
   * Names of tenants that this process cannot serve but another process may be able to serve. This process only starts the workflows that
   * read their streams.
   */
  readonly elsewhere: () => readonly string[];
  /** Aborts when this process is about to end, so that long work moves to another process. */
  readonly ending: AbortSignal;
  /**
   * A value that changes whenever a served tenant's declaration (its stored configuration) changes. The tenant's polls are then planned
   * again, and its change events are followed with new connections.
   */
  readonly version: (tenant: string) => unknown;
  /**
   * When this process loaded a served tenant's present declaration (its stored configuration), in epoch milliseconds. If the org's metadata
   * was last read before that, it is read again soon.
   */
  readonly loadedMs: (tenant: string) => number;
  /** How often a stream (a regular read of changed rows) of a served tenant is polled. */
  readonly cadence: (tenant: string, stream: StreamName) => Cadence;
  /** Whether a served tenant's change events (Salesforce's Change Data Capture) are followed. */
  readonly followsChanges: (tenant: string) => boolean;
  readonly auditEveryMs: (tenant: string) => number;
  /**
   * Makes one activity attempt the only reader of its shard (a group of tenants) while `run` lasts. `run` receives the signal `lost`, which
   * aborts when this attempt must stop reading. This is so when another attempt has replaced this attempt, or when Temporal no longer wants
   * it. Rejects with the error of the ledger (Lockstep's database).
   */
  readonly readShard: <T>(reader: Shard & ShardReader, run: (lost: AbortSignal) => Promise<T>) => Promise<T>;
  /**
   * Runs `run` with the tenants' current connections to the CRM and the vendor. If a tenant's configuration changes meanwhile, these
   * connections are closed only after `run` has ended.
   */
  readonly scoped: <T>(run: () => Promise<T>) => Promise<T>;
  /**
   * Starts the tenant's own workflow for a stream (a regular read of changed rows). Resolves to false if this workflow is already running.
   */
  readonly startStream: (tenant: string, stream: StreamName) => Promise<boolean>;
  /** Whether the tenant's own workflow for a stream (a regular read of changed rows) is running. */
  readonly isReading: (tenant: string, stream: StreamName) => Promise<boolean>;
  /** Starts the tenant's audit. Resolves to false if an audit of the tenant is already running. */
  readonly startAudit: (tenant: string) => Promise<boolean>;
  /**
   * Notifies operators of changed states of these tenants, until the signal aborts. Never rejects. Absent if no operator is to be notified.
   */
  readonly notify?: (tenants: readonly string[], signal: AbortSignal) => Promise<void>;
};

/** The fleet (the served tenants) of a process that serves no tenants, and so reads no streams. */
export const NO_FLEET: Fleet = {
  served: () => [],
  elsewhere: () => [],
  ending: new AbortController().signal,
  version: () => null,
  loadedMs: () => Number.NEGATIVE_INFINITY,
  cadence: () => ({ everyMs: Number.POSITIVE_INFINITY, idleMs: Number.POSITIVE_INFINITY }),
  followsChanges: () => false,
  auditEveryMs: () => Number.POSITIVE_INFINITY,
  readShard: (_, run) => run(new AbortController().signal),
  scoped: (run) => run(),
  startStream: async () => false,
  isReading: async () => false,
  startAudit: async () => false,
};
