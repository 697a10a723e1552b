import type { UndoCounts, UndoState } from '../../domain/backfill/undo-run.ts';
import type { Base } from '../../domain/record/base.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { LinkVersion } from '../links/link-ledger.ts';

/** The values that an undo (taking Lockstep's writes back) restores in one record, and the data that the ledger stores with them. */
export type GiveBack = {
  /** The values to restore, by field; empty if nothing is to be restored. */
  readonly goingBack: NonNullable<Base['goingBack']>;
  readonly values: UndoCounts['values'];
  /** The journal line about the undo, with the name of the operator who ordered it. */
  readonly entry: JournalEntry;
  readonly share: number;
  /** The version of the link at which the values were computed. If the link has another version now, nothing is stored. */
  readonly expected: LinkVersion;
};

/**
 * The progress of a tenant's undo (an operator's order to take Lockstep's writes back), record by record. A finished record is not
 * processed again.
 */
export interface UndoLedger {
  /**
   * Starts an undo: stores its state and the records whose writes it takes back. If this workflow run (`state.run`) has already started its
   * undo, changes nothing and returns the stored state.
   */
  openUndo(tenant: string, state: UndoState, at: string): Promise<UndoState>;
  /**
   * Marks records of the undo as finished if their links are no longer due. If a link was merged into another link, continues with that
   * link. Returns the keys of the next links to undo. Their number is
   * limited, so that at most `atOnce` links of the undo are in progress at once (marked due and not finished).
   */
  nextToUndo(tenant: string, atOnce: number): Promise<readonly string[]>;
  /**
   * Stores on a link the values to restore, and marks both its records due, in one transaction. Changes nothing and returns false if the
   * link is due or has another version than `expected`, because other work on the link must end first.
   */
  giveBack(tenant: string, key: string, order: GiveBack, at: string): Promise<boolean>;
  /** Marks a link's undo as finished without restoring anything, because the link's values or journal cannot be decrypted. */
  skipUndo(tenant: string, key: string): Promise<void>;
  /** Keys of links that the undo has marked due and whose workflows were not signalled yet. */
  undoToWake(tenant: string): Promise<readonly string[]>;
  /** Stores that the workflows of all links that the undo has marked due were signalled. */
  noteUndoWoken(tenant: string): Promise<void>;
  countUndo(tenant: string): Promise<UndoCounts>;
  /** Ends an undo: deletes the list of its records. Values that are already stored on links are still restored. */
  closeUndo(tenant: string, state: UndoState, at: string): Promise<void>;
}
