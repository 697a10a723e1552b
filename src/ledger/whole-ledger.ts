import type { Resealed } from './reseal.ts';

/** What is about the ledger of all tenants: by what it is sealed, and that it was restored. */
export interface WholeLedger {
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
}
