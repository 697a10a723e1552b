import type { UndoCounts, UndoState } from '../../domain/backfill/undo-run.ts';
import type { Base } from '../../domain/record/base.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/** The values that an undo restores in one record, and what is stored with them. */
export type GiveBack = {
  /** The values to restore, by field; empty if nothing is to be restored. */
  readonly goingBack: NonNullable<Base['goingBack']>;
  readonly values: UndoCounts['values'];
  /** The journal line about the undo, with the name of the operator who ordered it. */
  readonly entry: JournalEntry;
  readonly share: number;
  /** The version of the link from which the values were computed. */
  readonly expected: LinkVersion;
};

/** Progress of a tenant's undo, record by record. A finished record is not processed again. */
export interface UndoLedger {
  /**
   * Starts an undo: stores its state and the records of its scope. If this run has already started its undo, returns the stored state
   * unchanged.
   */
  openUndo(tenant: string, state: UndoState, at: string): Promise<UndoState>;
  /**
   * Marks records of the undo as finished once their links are no longer due. Returns the keys of the next links to undo, so many that at
   * most `atOnce` links of the undo are in progress at once (marked due and not finished).
   */
  nextToUndo(tenant: string, atOnce: number): Promise<readonly string[]>;
  /**
   * Stores the values to restore on a link, and marks both its records due, in one transaction. Changes nothing and returns false if the
   * link is due or has another version than `expected`, because work on it must end first.
   */
  giveBack(tenant: string, key: string, order: GiveBack, at: string): Promise<boolean>;
  /** Ends the undo of a link whose values or journal cannot be decrypted, without restoring anything. */
  skipUndo(tenant: string, key: string): Promise<void>;
  /** Keys of links that the undo has marked due and whose workflows were not signalled yet. */
  undoToWake(tenant: string): Promise<readonly string[]>;
  /** Stores that the workflows of all links which the undo marked due were signalled. */
  noteUndoWoken(tenant: string): Promise<void>;
  countUndo(tenant: string): Promise<UndoCounts>;
  /** Ends an undo: deletes its rows. Values that are already stored on links are still restored. */
  closeUndo(tenant: string, state: UndoState, at: string): Promise<void>;
}
