import type { Retention } from '../../domain/record/retention.ts';
import type { ForgottenKind } from './count-forgotten.ts';
import type { PersonFound } from './erase-person.ts';

/** How many keys and values one page has encrypted again. */
export type Resealed = {
  /** Data keys that were encrypted with the newest sealing key. */
  readonly dataKeys: number;
  /** How many values that were encrypted with a sealing key itself were encrypted again with their tenant's data key. */
  readonly values: number;
};

/** How many rows of each kind were deleted. */
export type Forgotten = Readonly<Record<ForgottenKind, number>>;

/** Calls about the ledger as a whole: its sealing keys, restores, retention and health. */
export interface UpkeepLedger {
  /**
   * Makes all processes encrypt with tenants' data keys, within a minute; false if they already do. No process may then run a release from
   * before data keys.
   */
  useDataKeys(): Promise<boolean>;
  /**
   * How many data keys and values are encrypted with each sealing key, by key id. A key that is missing here is used no more and can be
   * deleted.
   */
  sealingKeysInUse(): Promise<Readonly<Record<string, number>>>;
  /** Encrypts everything with the newest sealing key, page by page; see `reseal`. */
  reseal(): AsyncIterable<Resealed>;
  /** Counts or erases a person by e-mail address; see `erasePerson`. */
  erasePerson(tenant: string, email: string, erases: boolean): Promise<PersonFound>;
  /**
   * Stores for all tenants that the ledger was restored from a backup, and returns how many links this concerns. If the two sides of such a
   * link differ, Lockstep then decides without the base (last agreed values).
   */
  noteRestored(at: string): Promise<number>;
  /**
   * Deletes a limited number of a tenant's rows whose retention has ended, and returns how many. Null if a run within the last hour has
   * deleted them all. Also stores for how long new journal lines are kept.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;
  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws if the database is not available. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
