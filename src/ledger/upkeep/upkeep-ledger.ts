import type { Retention } from '../../domain/record/retention.ts';
import type { ForgottenKind } from './count-forgotten.ts';
import type { PersonFound } from './erase-person.ts';

/** How many keys and values one page has encrypted again. */
export type Resealed = {
  /** Data keys that were encrypted with the newest sealing key. */
  readonly dataKeys: number;
  /** Values that a sealing key had encrypted, and that the call encrypted with their tenant's data key. */
  readonly values: number;
};

/** How many rows of each kind were deleted. */
export type Forgotten = Readonly<Record<ForgottenKind, number>>;

/** Calls about the ledger as a whole: its sealing keys, restores, retention and health. */
export interface UpkeepLedger {
  /**
   * Makes all processes encrypt with data keys, within a minute; returns false if they already do. No process may run a version from before
   * data keys.
   */
  useDataKeys(): Promise<boolean>;
  /** How many data keys and values each sealing key encrypts, by key id. A key that is missing here can be deleted. */
  sealingKeysInUse(): Promise<Readonly<Record<string, number>>>;
  /** Encrypts everything with the newest sealing key, page by page; see `reseal`. */
  reseal(): AsyncIterable<Resealed>;
  /** Counts or erases a person by e-mail address; see `erasePerson`. */
  erasePerson(tenant: string, email: string, erases: boolean): Promise<PersonFound>;
  /**
   * Notes for all tenants that the ledger was restored from a backup, and returns the number of links concerned. Where the sides of such a
   * link differ, Lockstep then decides without the agreed values.
   */
  noteRestored(at: string): Promise<number>;
  /**
   * Deletes rows of a tenant whose retention has ended, a limited number, and returns how many. Null if a run within the last hour deleted
   * them all. Also sets how long new journal lines are kept.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;
  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws if the database is not available. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
