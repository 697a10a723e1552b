import type { ShownCode } from '../../domain/mapping/index.ts';
import type { CrmFields } from '../../domain/record/crm-graph.ts';

/** One state of a row that a stream shows, by its stamp (ISO). */
export type RowVersion = { readonly rowId: string; readonly stamp: string };

/** Where a stream's cursor moves to, and which of its rows are known by then. */
export type CursorMove = {
  readonly stream: string;
  readonly position: unknown;
  /** Versions to be remembered; those stamped before `forgetBefore` are not met again, and are forgotten. */
  readonly seen?: { readonly rows: readonly RowVersion[]; readonly forgetBefore: string };
};

/** The same where nothing is to be remembered. `forgetBefore`: absent where nothing is forgotten. */
export type QuietMove = {
  readonly stream: string;
  readonly position: unknown;
  readonly forgetBefore?: string;
};

/** When a cursor was last moved (ISO), and how many rows of its stream name no record. */
export type StreamRead = {
  readonly stream: string;
  readonly readAt: string;
  readonly parkedRows: number;
  /** How many of its rows the CRM refused, by the reasons that it gave, and how many the vendor shows no details of (`UNREADABLE`). */
  readonly refusedRows: Readonly<Record<string, number>>;
};

/** What became of rows that were written to the CRM, by their external ids; `reason`: codes and names of fields. */
export type RowOutcomes = {
  readonly taken: readonly string[];
  readonly refused: readonly {
    readonly id: string;
    readonly row: CrmFields;
    readonly reason: string;
    /** It is tried again within minutes. */
    readonly isForNow?: true;
  }[];
};

/** A code with how many readings have shown it; `since` and `at`: the first and the last of them, ISO. */
export type NotedCode = ShownCode & {
  readonly readings: number;
  readonly since: string;
  readonly at: string;
};

/** Where streams were read up to, what they have shown, and which of their rows could not be taken. */
export interface StreamLedger {
  /** Moves a cursor, and what its stream is known to have shown with it, in one transaction. */
  moveCursor(tenant: string, move: CursorMove, at: string): Promise<void>;
  /** The same for streams of which nothing is to be remembered, each once. One statement. */
  moveCursors(tenant: string, moves: readonly QuietMove[], at: string): Promise<void>;
  cursor(tenant: string, stream: string): Promise<unknown | null>;
  /** The same of several streams, in the order given. */
  cursors(tenant: string, streams: readonly string[]): Promise<readonly (unknown | null)[]>;
  saveCursor(tenant: string, stream: string, position: unknown, at: string): Promise<void>;
  /** Has streams begin anew with their next read. */
  forgetCursors(tenant: string, streams: readonly string[]): Promise<void>;
  /** Those of the row versions that the stream has not shown before, in the order given. */
  unseenRows<Row extends RowVersion>(
    tenant: string,
    stream: string,
    rows: readonly Row[],
  ): Promise<readonly Row[]>;
  /** When each of a tenant's cursors was last moved, and what is parked of its rows. */
  streamReads(tenant: string): Promise<readonly StreamRead[]>;
  /**
   * Notes rows of a stream that cannot be taken in, by what stands in the place of their id, of which only a hash is kept. How
   * many of them were not known before.
   */
  parkRows(tenant: string, stream: string, ids: readonly string[], at: string): Promise<number>;
  /**
   * Keeps rows of a stream that the CRM refused, sealed, to be tried again later each time, and forgets those that it took.
   * False, and none is kept, where there are too many.
   */
  settleRows(tenant: string, stream: string, outcomes: RowOutcomes, at: string): Promise<boolean>;
  /** Rows of a stream that the CRM refused and that are to be tried again by now; at most `limit`. */
  refusedRows(tenant: string, stream: string, at: string, limit: number): Promise<readonly CrmFields[]>;
  /** Counts codes of the vendor's that no table knows, once a reading. In clear: the caller gives no text of people. */
  noteCodes(tenant: string, codes: readonly ShownCode[], at: string): Promise<void>;
  notedCodes(tenant: string): Promise<readonly NotedCode[]>;
}
