import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * Copies in the ledger of the vendor's rows that the CRM only shows. The ledger stores which details must still be read, a fingerprint of
 * each row as last written to the CRM, and, encrypted, the rows that the CRM has not accepted yet.
 */

/** A row whose details must be read. `stamp`: when the row was last modified (ISO); null if the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/**
 * Rows whose details must be read by `stream` and written to the CRM object `object`. `isOfLoad`: the first load (of old orders) found
 * them.
 */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/** Which details may be read. `isLoadPaused`: none that only the first load (of old orders) has found. */
export type DetailsLimit = { readonly isLoadPaused: boolean };

/** A mirrored row, by its CRM object and its external id. */
export type MirrorKey = { readonly object: string; readonly id: string };
export type MirrorFingerprint = MirrorKey & { readonly fingerprint: string };

/** A complete row to write to the CRM. It replaces the row's earlier values. */
export type MirrorChange = MirrorFingerprint & { readonly fields: CrmFields };

/** The result of reading a row with its details (such as an order with its lines). */
export type ReadDetail = {
  readonly detail: DueDetail;
  readonly row: MirrorKey;
  /** When the vendor last modified the state that was read; null if the row may change without a new time. */
  readonly stamp: string | null;
  /** Vendor id of the opportunity that the row belongs to; null if the row names none. */
  readonly opportunity: string | null;
  /** The values that changed: of the row itself, and of its detail rows. */
  readonly changed: readonly MirrorChange[];
  /**
   * The row's state, with which the next read is compared, and the news for the opportunity's owner; both encrypted. If absent, both stay
   * as they are.
   */
  readonly known?: { readonly state: object; readonly news: object | null; readonly at: string };
};

/** A CRM object, and its master object; null if the object has no master. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that is waiting to be written to the CRM. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /** The CRM id of the opportunity to which the row belongs: null if it is unknown, undefined if the row has never belonged to one. */
  readonly opportunityId: string | null | undefined;
};

/** One write of rows to the CRM. */
export type MirrorWrite = {
  /** An id that no other write has. */
  readonly id: string;
  /** When the write is sent (`at`), and after which time Salesforce can no longer apply it (`until`), both ISO. */
  readonly at: string;
  readonly until: string;
};

/** A row that is about to be written to the CRM. */
export type LeavingRow = {
  readonly id: string;
  /** The fingerprint of the values that are written; null if the write only links the row to its opportunity. */
  readonly fingerprint: string | null;
  /** The CRM's id of the opportunity to which the write links the row; null if there is none. */
  readonly linkedTo: string | null;
};

/** The CRM's answer about one written row. */
export type SettledRow = {
  readonly id: string;
  /** Whether the CRM accepted the row. If not, `settleRows` stores the row for another try. */
  readonly isTaken: boolean;
  /** The fingerprint of the values that were written. Absent if the stored values are newer. */
  readonly fingerprint?: string;
  /** The CRM's id of the opportunity to which the row was linked; null if none. Absent if the write did not change this. */
  readonly linkedTo?: string | null;
};

/** An opportunity whose orders have changed. `markedAt` (ISO): when this was stored; a later change has a later time. */
export type DueTotals = { readonly opportunityId: string; readonly markedAt: string };

export type MirrorCounts = {
  /** How many rows (without their detail rows) the CRM has accepted. */
  readonly shown: number;
  /** The number of rows whose details are to be read. */
  readonly toRead: number;
  /** How many of the rows in `toRead` only the first load (of old orders) has found and nobody has tried to read yet. */
  readonly toLoad: number;
  /** The number of rows to write to the CRM, including details. */
  readonly toWrite: number;
};

/**
 * What a stream's rows may need: reading rows in doubt again (`uncertain`), retrying refused rows, writing pending rows, reading details,
 * linking written rows to opportunities (`shown`), writing order totals, sending notices. `search`: a search is due, or the pages of a
 * search are not all read.
 */
export type MirrorWork = 'uncertain' | 'refused' | 'pending' | 'detail' | 'shown' | 'total' | 'news' | 'search';

/**
 * The stream whose work `mirrorWork` finds: its search interval, the names under which its refused rows are stored, and its CRM objects.
 */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** The stream's search interval in milliseconds. If absent, the call does not check whether a search is due. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

/**
 * The kinds of work that were found. `detailAt`: when the next details whose read was postponed must be read, ISO; null if there are none.
 */
export type WorkFound = { readonly steps: ReadonlySet<MirrorWork>; readonly detailAt: string | null };

export interface MirrorLedger {
  /** Finds which kinds of work the stream has at `at`, and when the next details whose read was postponed must be read. */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<WorkFound>;
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** The given objects that have at least one mirrored row. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores which rows have a new version whose details must be read, and moves the cursor, in one transaction. Returns how many there are.
   */
  markDetails(
    tenant: string,
    found: FoundDetails,
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /** The next row whose details must be read: the row that changed last. Null if no row is due at `at`. */
  nextDetail(tenant: string, stream: string, at: string, limit?: DetailsLimit): Promise<DueDetail | null>;
  /** Postpones the next read of a row's details: by 1, 5, 15 and 60 minutes, then by twice as long each time, a day at most. */
  postponeDetail(tenant: string, stream: string, rowId: string, at: string): Promise<void>;
  /** The fingerprints of a mirrored row and of its details. */
  mirrorRows(tenant: string, row: MirrorKey): Promise<readonly MirrorFingerprint[]>;
  /** Stores a row that was read, encrypted, so that it is written to the CRM. Its details are no longer due. In one transaction. */
  keepDetail(tenant: string, stream: string, read: ReadDetail): Promise<void>;
  /** At most `limit` rows to write; none if fewer than `least` wait. A detail row is among them only if its master row is written. */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Stores that a write of rows is about to be sent, and returns the ids of the rows that it may contain. If an earlier write of a row may
   * still arrive, nobody knows which of the two comes last; the row then counts as in doubt once the earlier write can no longer arrive.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Stores the CRM's answers about written rows. If a row got new values during the write, it still waits to be written. If another write
   * of the row began meanwhile, the row is in doubt, because nobody knows which values it has in the CRM.
   */
  settleMirrored(
    tenant: string,
    object: string,
    rows: readonly SettledRow[],
    write: { readonly id: string; readonly at: string },
  ): Promise<void>;
  /** CRM ids of opportunities whose orders have changed since their totals were last written; at most `limit`. */
  dueTotals(tenant: string, at: string, limit: number): Promise<readonly DueTotals[]>;
  /**
   * Ends the work on opportunities whose totals were written, unless their orders changed again, and postpones opportunities that the CRM
   * refused. One transaction.
   */
  settleTotals(
    tenant: string,
    outcome: { readonly written: readonly DueTotals[]; readonly refused: readonly DueTotals[] },
    at: string,
  ): Promise<void>;
  /**
   * Marks rows as in doubt: their values in the CRM may differ from those that Lockstep wrote last. With `details`, marks their detail rows
   * too.
   */
  markInDoubt(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly details: boolean },
    at: string,
  ): Promise<void>;
  /**
   * Marks at most `limit` rows in doubt (see `markLeaving`) to be read and written again, and returns how many. Leaves out rows that will
   * be written anyway.
   */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /**
   * Rows whose opportunity was linked or unlinked at or after `since`, with the CRM id of the opportunity to which they must be linked in
   * the CRM.
   */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
  /**
   * Links rows to an opportunity as an operator ordered, and marks them to be read and written again. If the vendor names an opportunity
   * for a row, that one counts instead.
   */
  chooseOpportunity(
    tenant: string,
    choice: {
      readonly stream: string;
      readonly object: string;
      readonly ids: readonly string[];
      readonly opportunityId: string;
    },
    at: string,
  ): Promise<void>;
  /**
   * Makes a tenant's refused rows, refused notices, and rows whose details could not be read due again at once. Returns how many there are.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
