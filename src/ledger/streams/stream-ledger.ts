import type { ShownCode } from '../../domain/mapping/index.ts';
import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** A version of a row in a stream, by its stamp (ISO). */
export type RowVersion = { readonly rowId: string; readonly stamp: string };

/** A stream's new position, and the row versions that have been seen. */
export type CursorMove = {
  readonly stream: string;
  readonly position: unknown;
  /** Row versions to store. Versions stamped before `forgetBefore` cannot appear again, and are deleted. */
  readonly seen?: { readonly rows: readonly RowVersion[]; readonly forgetBefore: string };
  /**
   * Who moves the cursor, from `holdCursor`. Then the position's values replace stored values of the same names, the others stay; the call
   * fails with `NOT_HOLDER` and changes nothing if another has held the cursor since.
   */
  readonly holder?: string;
};

/** A stream's new position without new row versions. `forgetBefore`: absent if no version is deleted. */
export type QuietMove = {
  readonly stream: string;
  readonly position: unknown;
  readonly forgetBefore?: string;
};

/** When a cursor last moved (ISO), and how many rows of its stream name no record. */
export type StreamRead = {
  readonly stream: string;
  readonly readAt: string;
  readonly parkedRows: number;
  /** How many rows the CRM refused, by its reasons, and for how many the vendor returns no details (`UNREADABLE`). */
  readonly refusedRows: Readonly<Record<string, number>>;
};

/** The CRM's answers on written rows, by external id. `reason`: codes and field names. */
export type RowOutcomes = {
  readonly taken: readonly string[];
  readonly refused: readonly {
    readonly id: string;
    readonly row: CrmFields;
    readonly reason: string;
    /** Whether the refusal is temporary, so that the row is retried within minutes. */
    readonly isForNow?: true;
  }[];
};

/** A code, and how many reads have returned it. `since` and `at`: the first and the last of them, ISO. */
export type NotedCode = ShownCode & {
  readonly readings: number;
  readonly since: string;
  readonly at: string;
};

/** The ledger's state of streams: positions, the row versions that were read, and parked and refused rows. */
export interface StreamLedger {
  /** Moves a cursor and stores the row versions that its stream has read, in one transaction. */
  moveCursor(tenant: string, move: CursorMove, at: string): Promise<void>;
  /** Moves cursors of different streams, without new row versions. One statement. */
  moveCursors(tenant: string, moves: readonly QuietMove[], at: string): Promise<void>;
  cursor(tenant: string, stream: string): Promise<unknown | null>;
  /** The positions of several streams, in the given order; null for a stream that was never read. */
  cursors(tenant: string, streams: readonly string[]): Promise<readonly (unknown | null)[]>;
  saveCursor(tenant: string, stream: string, position: unknown, at: string): Promise<void>;
  /** Makes `holder` the only one who may move the cursor from now on, and returns its position without the holder. */
  holdCursor(tenant: string, stream: string, holder: string, at: string): Promise<Readonly<Record<string, unknown>>>;
  /** Deletes the position's value of this name if its `at` is still this one. */
  closePart(tenant: string, stream: string, part: string, at: string): Promise<void>;
  /** Deletes the cursors of streams, so that their next read starts from the beginning. */
  forgetCursors(tenant: string, streams: readonly string[]): Promise<void>;
  /** Returns the row versions that the stream has not shown before, in the given order. */
  unseenRows<Row extends RowVersion>(tenant: string, stream: string, rows: readonly Row[]): Promise<readonly Row[]>;
  /** When each of a tenant's cursors last moved, and which of its stream's rows are parked or refused. */
  streamReads(tenant: string): Promise<readonly StreamRead[]>;
  /** Parks rows of a stream that have no valid id, by a hash of the text in place of the id. Returns how many are new. */
  parkRows(tenant: string, stream: string, ids: readonly string[], at: string): Promise<number>;
  /** Deletes accepted rows and stores refused ones, sealed, for retries. False if there are too many; then none is stored. */
  settleRows(tenant: string, stream: string, outcomes: RowOutcomes, at: string): Promise<boolean>;
  /** Refused rows of a stream whose retry is due; at most `limit`. */
  refusedRows(tenant: string, stream: string, at: string, limit: number): Promise<readonly CrmFields[]>;
  /** Counts unknown codes of the vendor, once for each read. Stored unencrypted, so the caller passes no personal text. */
  noteCodes(tenant: string, codes: readonly ShownCode[], at: string): Promise<void>;
  notedCodes(tenant: string): Promise<readonly NotedCode[]>;
}
