import type { ShownCode } from '../../domain/mapping/index.ts';
import type { CrmFields } from '../../domain/record/crm-graph.ts';

/**
 * A version of a row that a stream (a regular read, such as a query for changes in the CRM) has read. `stamp`: when the row was last
 * modified, ISO.
 */
export type RowVersion = { readonly rowId: string; readonly stamp: string };

/** The new position of a stream (a regular read), with the row versions that the stream has read since its last position. */
export type CursorMove = {
  readonly stream: string;
  readonly position: unknown;
  /** Row versions to store. Versions that were modified before `forgetBefore` cannot appear again, so they are deleted. */
  readonly seen?: { readonly rows: readonly RowVersion[]; readonly forgetBefore: string };
  /**
   * The process that moves the cursor, if only one process may do so (see `holdCursor`). The new position then replaces only the properties
   * that it contains, and keeps the others. If another process holds the cursor now, the call fails with `NOT_HOLDER` and changes nothing.
   */
  readonly holder?: string;
};

/**
 * The new position of a stream (a regular read) that has found no new row versions. `forgetBefore`: stored row versions older than this
 * instant are deleted; if absent, none are deleted.
 */
export type QuietMove = {
  readonly stream: string;
  readonly position: unknown;
  readonly forgetBefore?: string;
};

/**
 * When a stream (a regular read) last stored its position (`readAt`, ISO), and how many of its rows are parked, because their record ids
 * are malformed.
 */
export type StreamRead = {
  readonly stream: string;
  readonly readAt: string;
  readonly parkedRows: number;
  /**
   * For each reason, the number of the stream's rows that the CRM refused to store. Under `UNREADABLE`: the number of rows for which the
   * vendor returned no details.
   */
  readonly refusedRows: Readonly<Record<string, number>>;
};

/**
 * How the CRM answered about rows that Lockstep wrote: which it accepted (`taken`) and which it refused. `id`: the row's external id.
 * `reason`: codes and field names.
 */
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

/**
 * A code of the vendor that Lockstep does not know, and how many reads contained it. `since`, `at`: the first and the last of these reads,
 * ISO.
 */
export type NotedCode = ShownCode & {
  readonly readings: number;
  readonly since: string;
  readonly at: string;
};

/**
 * The ledger's part for streams (regular reads of changed rows). It stores their positions, the row versions that were read, and rows that
 * are parked (their ids are malformed) or that the CRM refused.
 */
export interface StreamLedger {
  /** Stores a stream's new position (its cursor) and the row versions that the stream has read, in one transaction. */
  moveCursor(tenant: string, move: CursorMove, at: string): Promise<void>;
  /** Stores the new positions (cursors) of several streams that found no new row versions. One statement. */
  moveCursors(tenant: string, moves: readonly QuietMove[], at: string): Promise<void>;
  cursor(tenant: string, stream: string): Promise<unknown | null>;
  /** The positions of several streams, in the given order; null for a stream that was never read. */
  cursors(tenant: string, streams: readonly string[]): Promise<readonly (unknown | null)[]>;
  saveCursor(tenant: string, stream: string, position: unknown, at: string): Promise<void>;
  /**
   * Makes `holder` the only process that may move the stream's cursor from now on, so that a stalled former process cannot move it back.
   * Returns the cursor's position without the property that names the holder.
   */
  holdCursor(tenant: string, stream: string, holder: string, at: string): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Deletes a property of a cursor's position, because the work for which it was stored is done. `part`: the property's name, such as `gap`
   * for a gap in the CRM's change events, which a full sweep closes. `at`: the time that the caller read in the property. If the property
   * contains another time now, it has a newer value, which stays.
   */
  closePart(tenant: string, stream: string, part: string, at: string): Promise<void>;
  /** Deletes the cursors of streams, so that their next read starts from the beginning. */
  forgetCursors(tenant: string, streams: readonly string[]): Promise<void>;
  /** Returns the row versions that the stream has not read before, in the given order. */
  unseenRows<Row extends RowVersion>(tenant: string, stream: string, rows: readonly Row[]): Promise<readonly Row[]>;
  /**
   * For each stream of a tenant: when it last stored its position, and how many of its rows are parked (malformed ids) or were refused by
   * the CRM.
   */
  streamReads(tenant: string): Promise<readonly StreamRead[]>;
  /**
   * Parks rows whose id is malformed, because no record can be read for them. Stores only a hash of each id. Returns how many of the rows
   * were not parked before.
   */
  parkRows(tenant: string, stream: string, ids: readonly string[], at: string): Promise<number>;
  /**
   * Deletes the stored rows that the CRM refused before and has accepted now. Stores the rows that it refused now, encrypted, for retries.
   * If too many rows are refused, stores none of them and returns false.
   */
  settleRows(tenant: string, stream: string, outcomes: RowOutcomes, at: string): Promise<boolean>;
  /** Rows of a stream that the CRM refused and whose retry is due, at most `limit`. */
  refusedRows(tenant: string, stream: string, at: string, limit: number): Promise<readonly CrmFields[]>;
  /**
   * Counts how many reads contained each unknown code of the vendor. The codes are stored unencrypted, so the caller must not pass personal
   * text.
   */
  noteCodes(tenant: string, codes: readonly ShownCode[], at: string): Promise<void>;
  notedCodes(tenant: string): Promise<readonly NotedCode[]>;
}
