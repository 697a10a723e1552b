import type { Retention } from '../../domain/record/retention.ts';
import type { Resealed } from './reseal.ts';
import type { Forgotten } from './retention.ts';

/** What is about the ledger as a whole: by what it is sealed, that it was restored, how long rows are kept, whether it is there. */
export interface UpkeepLedger {
  /** Has all processes seal with data keys, within a minute; false where they do. To be called once none is of a version before them. */
  useDataKeys(): Promise<boolean>;
  /** Which sealing keys seal how many data keys, and values of their own: one that is not among them can go. */
  sealingKeysInUse(): Promise<Readonly<Record<string, number>>>;
  /** Seals all with the newest sealing key, a page at once; see `reseal`. */
  reseal(): AsyncIterable<Resealed>;
  /**
   * Notes that the ledger was brought back to an earlier state, of all tenants; how many links. Fields in which the two sides of one differ are
   * then decided without what it says was agreed. To be repeated where it was cut short.
   */
  noteRestored(at: string): Promise<number>;
  /**
   * Deletes what was kept of a tenant long enough, a bounded number of rows, and how many; null where that was done within the hour.
   * Lines of the journal that are written from then on stay for as long as it says.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;
  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws when the database is not there. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
