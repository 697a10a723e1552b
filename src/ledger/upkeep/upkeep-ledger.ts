import type { Retention } from '../../domain/record/retention.ts';
import type { PersonFound } from './erase-person.ts';
import type { Resealed } from './reseal.ts';
import type { Forgotten } from './retention.ts';

/** Calls about the ledger as a whole: its sealing keys, restores, retention and health. */
export interface UpkeepLedger {
  /**
   * Makes all processes seal with data keys, within a minute. False if they do already. Call it once no process has a version before data
   * keys.
   */
  useDataKeys(): Promise<boolean>;
  /** How many data keys and values each sealing key seals, by key id. A key that is missing here can be deleted. */
  sealingKeysInUse(): Promise<Readonly<Record<string, number>>>;
  /** Reseals everything with the newest sealing key, page by page; see `reseal`. */
  reseal(): AsyncIterable<Resealed>;
  /** Counts or erases a person by e-mail address; see `erasePerson`. */
  erasePerson(tenant: string, email: string, erases: boolean): Promise<PersonFound>;
  /**
   * Notes that the ledger was restored from a backup, for all tenants; returns how many links. Fields whose sides differ are then decided
   * without the base. Repeat it if it was interrupted.
   */
  noteRestored(at: string): Promise<number>;
  /**
   * Deletes rows of a tenant whose retention has ended, a bounded number, and returns how many. Null if a run within the last hour deleted
   * them all. Also sets how long new journal lines are kept.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;
  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws if the database is not available. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
