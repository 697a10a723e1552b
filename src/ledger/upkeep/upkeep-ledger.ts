import type { Retention } from '../../domain/record/retention.ts';
import type { ForgottenKind } from './count-forgotten.ts';
import type { PersonFound } from './erase-person.ts';

/**
 * One step of `reseal`, which encrypts everything with the newest keys. `reseal` reads the tables page by page (a page is a limited number
 * of rows) and reports these counts after each page. They cover this page only.
 */
export type Resealed = {
  /**
   * The number of data keys (each encrypts one tenant's values) that were encrypted with the newest sealing key (the key that all processes
   * share).
   */
  readonly dataKeys: number;
  /**
   * How many values were encrypted with their tenant's data key. Before, they were encrypted with a sealing key (a key that all processes
   * share).
   */
  readonly values: number;
};

/** How many rows of each kind were deleted because their retention ended. */
export type Forgotten = Readonly<Record<ForgottenKind, number>>;

/** Calls about the ledger as a whole: its sealing keys, restores, retention and health. */
export interface UpkeepLedger {
  /**
   * Makes all processes encrypt with tenants' data keys, within a minute. Returns false if they already do. From then on, no process may
   * run a release from before data keys.
   */
  useDataKeys(): Promise<boolean>;
  /**
   * How many data keys and values are encrypted with each sealing key (a key that all processes share), by key id. A sealing key that the
   * result does not contain is no longer used and can be deleted.
   */
  sealingKeysInUse(): Promise<Readonly<Record<string, number>>>;
  /**
   * Encrypts all data keys with the newest sealing key, and all values with their tenant's data key, page by page. Skips keys and values
   * that are encrypted in this way already.
   */
  reseal(): AsyncIterable<Resealed>;
  /**
   * Finds a person by e-mail address in a tenant's stored values, and counts the rows. With `erases`, also removes the person from rows
   * that no later sync reads.
   */
  erasePerson(tenant: string, email: string, erases: boolean): Promise<PersonFound>;
  /**
   * Stores for all tenants that the ledger was restored from a backup, and returns how many links this concerns. The base (last agreed
   * values) of such a link may be outdated. If its two records differ, Lockstep then decides without the base.
   */
  noteRestored(at: string): Promise<number>;
  /**
   * Deletes a limited number of a tenant's rows whose retention has ended, and returns how many. Null if a worker has deleted all such rows
   * within the last hour. Also stores for how long new journal lines are kept.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;
  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws if the database is not available. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
