import type { UndoOrder } from '../decide/undo.ts';

/** The name of the ledger's cursor that stores the state of an undo. */
export const UNDO_CURSOR = 'undo';

/**
 * The scope and limits of an undo, as an operator set them. Temporal stores them unencrypted, so they do not contain the operator's name.
 * Only the operators' audit log has the name.
 */
export type UndoRunOrder = UndoOrder & {
  /** The key of the only link whose writes are undone; null if the writes of all records in the order's scope are undone. */
  readonly key: string | null;
  /** The share of the vendor's quota that the undo may use, more than 0 and at most 1. */
  readonly share: number;
};

/** The progress of a tenant's undo, as the ledger stores it. */
export type UndoState = {
  /** Identifies this run among the tenant's undos. */
  readonly run: string;
  /** When the undo was ordered, ISO. Later writes are never taken back. */
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
   * The number of records by outcome. An outcome is the link's state after the undo, `nothing` if no value had to go back, or `not-opened`
   * if the record's encrypted values or journal cannot be decrypted with Lockstep's keys, or were changed outside Lockstep.
   */
  readonly outcomes: Readonly<Record<string, number>>;
  /**
   * The number of values that are restored (`back`), that stay because they changed since (`left`), and that wait for a person (`waits`).
   */
  readonly values: { readonly back: number; readonly left: number; readonly waits: number };
};

export const NOTHING_UNDONE: UndoCounts = {
  ...{ found: 0, done: 0, inFlight: 0, outcomes: {} },
  values: { back: 0, left: 0, waits: 0 },
};
