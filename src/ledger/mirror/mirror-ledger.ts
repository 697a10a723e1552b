import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * The ledger's part for mirrored rows: rows, such as orders, that only the vendor owns and that Lockstep copies into the CRM. The ledger
 * stores three things: which rows must still be read in detail, a fingerprint (hash) of each row's newest values, and, encrypted, the rows
 * that the CRM has not accepted yet.
 */

/**
 * A row whose details (such as the lines of an order) must be read at the vendor. `stamp`: when the vendor last modified the row, ISO; null
 * if the vendor does not say.
 */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/**
 * The source of rows whose details must be read. `stream`: the stream (regular read) that reads the details. `object`: the CRM object into
 * which the rows are written. `isOfLoad`: true if the first load (of old orders) found the rows.
 */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/**
 * A limit for the reading of details. With `isLoadPaused`, Lockstep reads no details of rows that only the first load (of old orders) has
 * found.
 */
export type DetailsLimit = { readonly isLoadPaused: boolean };

/** The identity of a mirrored row (a copy of a vendor's row): its CRM object and its external id. */
export type MirrorKey = { readonly object: string; readonly id: string };
export type MirrorFingerprint = MirrorKey & { readonly fingerprint: string };

/** A complete row to write to the CRM. It replaces the row's earlier values. */
export type MirrorChange = MirrorFingerprint & { readonly fields: CrmFields };

/** The result of reading a row with its details (such as an order with its lines). */
export type ReadDetail = {
  readonly detail: DueDetail;
  readonly row: MirrorKey;
  /** When the vendor last modified the row, as the read showed it, ISO. Null if the read showed no valid time. */
  readonly modifiedAt: string | null;
  /**
   * `modifiedAt` if it identifies the version that was read. Null if the row may still change without a change of this time.
   */
  readonly stamp: string | null;
  /** The vendor id of the deal to which the row belongs; null if the row names no deal. */
  readonly opportunity: string | null;
  /** The row itself and its detail rows, but only those whose values differ from the stored ones. */
  readonly changed: readonly MirrorChange[];
  /**
   * `state`: the row's state, with which the next read is compared. `news`: the change to report to the opportunity's owner; null if there
   * is none. Both are stored encrypted. If absent, the stored state and news stay unchanged.
   */
  readonly known?: { readonly state: object; readonly news: object | null; readonly at: string };
};

/** A CRM object of mirrored rows, and its master object (for order lines: orders); null if the object has no master. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that is waiting to be written to the CRM. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /**
   * The CRM id of the opportunity to which the row belongs. Null if the row belongs to a deal whose CRM id is unknown. Undefined if the row
   * has never belonged to a deal.
   */
  readonly opportunityId: string | null | undefined;
};

/** One write of mirrored rows to the CRM, as one request. */
export type MirrorWrite = {
  /** An id that no other write has. */
  readonly id: string;
  /** When the write is sent (`at`), and from when on Salesforce can no longer apply it (`until`), both ISO. */
  readonly at: string;
  readonly until: string;
};

/** A row that is about to be written to the CRM. */
export type LeavingRow = {
  readonly id: string;
  /**
   * The fingerprint (hash) of the values that are written. Null if the write changes no values and only links the row to its opportunity.
   */
  readonly fingerprint: string | null;
  /** The CRM's id of the opportunity to which the write links the row; null if there is none. */
  readonly linkedTo: string | null;
};

/** The CRM's answer about one written row. */
export type SettledRow = {
  readonly id: string;
  /** Whether the CRM accepted the row. If the CRM refused it, another call (`settleRows`) stores the row for another try. */
  readonly isTaken: boolean;
  /**
   * The fingerprint (hash) of the written values. If it equals the stored fingerprint, the row need not be written again. Absent if the
   * write only linked the row to its opportunity, or was not executed.
   */
  readonly fingerprint?: string;
  /**
   * The CRM's id of the opportunity to which the write linked the row; null if it linked the row to none. Absent if the write did not
   * change the link.
   */
  readonly linkedTo?: string | null;
};

/** An opportunity whose orders have changed, so that its totals are due. `markedAt` (ISO): when the last change was stored. */
export type DueTotals = { readonly opportunityId: string; readonly markedAt: string };

export type MirrorCounts = {
  /** The number of rows that the CRM has accepted, without detail rows (such as order lines). */
  readonly shown: number;
  /** The number of rows whose details are to be read. */
  readonly toRead: number;
  /**
   * How many of the rows in `toRead` only the first load (of old orders) has found, if Lockstep has not tried to read their details yet.
   */
  readonly toLoad: number;
  /** The number of rows to write to the CRM, including detail rows (such as order lines). */
  readonly toWrite: number;
};

/**
 * The kinds of work that a stream of mirrored rows (copies of the vendor's rows) may have. `uncertain`: read rows again whose values in the
 * CRM are in doubt. `refused`: retry rows that the CRM refused. `pending`: write rows. `detail`: read details of rows. `shown`: link
 * written rows to opportunities. `total`: write order totals. `news`: send notices. `search`: begin a search that is due, or read its next
 * page.
 */
export type MirrorWork = 'uncertain' | 'refused' | 'pending' | 'detail' | 'shown' | 'total' | 'news' | 'search';

/**
 * A stream (regular read) of mirrored rows whose work is to be found. `feeds`: the names under which rows that the CRM refused are stored.
 * `objects`: the CRM objects into which the stream's rows are written.
 */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** The stream's search interval in milliseconds. If absent, the interval is 0, so that a search is always due. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

/**
 * The kinds of work that a stream has now. `detailAt`: when the next postponed read of a row's details is due, ISO; null if none is
 * postponed.
 */
export type WorkFound = { readonly steps: ReadonlySet<MirrorWork>; readonly detailAt: string | null };

export interface MirrorLedger {
  /**
   * Finds which kinds of work a stream of mirrored rows has at the instant `at`, and when its next postponed read of a row's details is
   * due.
   */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<WorkFound>;
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** Those of the given CRM objects for which the ledger has at least one mirrored row. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores which of these rows have a new version, so that their details must be read at the vendor. Moves the cursor of the search that
   * found the rows. Returns the number of stored rows. One transaction.
   */
  markDetails(
    tenant: string,
    found: FoundDetails,
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /**
   * The row whose details must be read next at the vendor: of the rows that are due at `at`, the row that changed last. Null if no row is
   * due.
   */
  nextDetail(tenant: string, stream: string, at: string, limit?: DetailsLimit): Promise<DueDetail | null>;
  /** Postpones the next read of a row's details: by 1, 5, 15 and 60 minutes, then by twice as long each time, but at most by a day. */
  postponeDetail(tenant: string, stream: string, rowId: string, at: string): Promise<void>;
  /** The fingerprints (hashes of the newest values) of a mirrored row and of its detail rows. */
  mirrorRows(tenant: string, row: MirrorKey): Promise<readonly MirrorFingerprint[]>;
  /**
   * Stores a row that was read with its details, encrypted, so that it is written to the CRM. The row's details are then not due any more.
   * One transaction. Returns whether the read showed the newest known version. If it did not, the row's details stay due: if the ledger has
   * details of a newer version, nothing is stored; if only a search of the stream showed a newer version, the read is stored.
   */
  keepDetail(tenant: string, stream: string, read: ReadDetail): Promise<boolean>;
  /**
   * At most `limit` rows to write to the CRM. None if fewer than `least` rows are ready, so that requests are not too small. A detail row
   * waits until the CRM has its master row.
   */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Stores that a write of rows to the CRM is about to be sent, and returns the ids of the rows that it may contain. Leaves out a row that
   * has got other values or another opportunity since the caller read it. If an earlier write of a row may still arrive, it is unknown
   * which of the two writes the CRM applies last. The row then counts as in doubt, from the time at which the earlier write can no longer
   * arrive.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Stores the CRM's answers about written rows. A row that got new values during the write still waits to be written. If another write of
   * a row began during this write, the row is in doubt, because it is unknown which values the CRM has.
   */
  settleMirrored(
    tenant: string,
    object: string,
    rows: readonly SettledRow[],
    write: { readonly id: string; readonly at: string },
  ): Promise<void>;
  /** The opportunities whose orders have changed since their totals were last written to the CRM; at most `limit`. */
  dueTotals(tenant: string, at: string, limit: number): Promise<readonly DueTotals[]>;
  /**
   * Stores the outcome of writing order totals to opportunities. Opportunities whose totals were written are not due any more, unless their
   * orders changed again. Opportunities whose update the CRM refused are tried again later. One transaction.
   */
  settleTotals(
    tenant: string,
    outcome: { readonly written: readonly DueTotals[]; readonly refused: readonly DueTotals[] },
    at: string,
  ): Promise<void>;
  /**
   * Marks rows as in doubt: their values in the CRM may differ from those that Lockstep wrote last. With `details`, also marks their detail
   * rows.
   */
  markInDoubt(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly details: boolean },
    at: string,
  ): Promise<void>;
  /**
   * Schedules at most `limit` rows in doubt (rows whose values in the CRM are unknown) to be read and written again, and returns their
   * number. A row that waits to be written anyway is not read again.
   */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /**
   * Rows that the CRM shows at a wrong opportunity, or at none, each with the CRM id of the opportunity to which it must be linked. Finds
   * only rows of deals whose stored link changed at or after `since`.
   */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
  /**
   * Links rows to an opportunity that an operator chose, and schedules them to be read and written again. The choice has no effect on a row
   * for which the vendor names an opportunity.
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
   * Makes three kinds of a tenant's failed work due again at once: rows that the CRM refused, notices that the CRM refused, and rows whose
   * details could not be read at the vendor. Returns their number.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
