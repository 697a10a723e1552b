import type { UndoOrder } from '../decide/undo.ts';

/**
 * The name under which the ledger (Lockstep's database) stores the state of a tenant's undo (an operator's order to restore earlier
 * values), in its table `cursors`.
 */
export const UNDO_CURSOR = 'undo';

/**
 * The scope and limits of an undo (restoring values that Lockstep overwrote), as an operator set them. Temporal stores them unencrypted, so
 * they do not contain the operator's name. Only the operators' audit log has the name.
 */
export type UndoRunOrder = UndoOrder & {
  /**
   * The key of the only link (pair of CRM record and vendor record) whose writes are undone. Null if the writes of all records in the
   * order's scope are undone.
   */
  readonly key: string | null;
  /** The share of the vendor's rate limit that the undo may use, more than 0 and at most 1. */
  readonly share: number;
};

/** The progress of a tenant's undo (an operator's order to restore earlier values), as the ledger (Lockstep's database) stores it. */
export type UndoState = {
  /** The id of this undo, unique among the tenant's undos. */
  readonly run: string;
  /** When an operator ordered the undo, ISO. Lockstep's later writes are not undone. */
  readonly begunAt: string;
  readonly order: UndoRunOrder;
  readonly isOver: boolean;
};

/** The number of records and values that an undo has handled so far. */
export type UndoCounts = {
  readonly found: number;
  readonly done: number;
  readonly inFlight: number;
  /**
   * The number of records by outcome. An outcome is the link's state after the undo, or `nothing` if the record had no value to restore. It
   * is `not-opened` if the record's encrypted values or journal cannot be decrypted with Lockstep's keys, or were changed outside Lockstep.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  /**
   * The numbers of values that are restored (`back`), that are not restored because they changed since (`left`), and that wait for a user's
   * choice (`waits`).
   */
  readonly values: { readonly back: number; readonly left: number; readonly waits: number };
};

export const NOTHING_UNDONE: UndoCounts = {
  ...{ found: 0, done: 0, inFlight: 0, outcomes: {} },
  values: { back: 0, left: 0, waits: 0 },
};
