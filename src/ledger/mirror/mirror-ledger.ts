import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * The ledger's part for mirrored rows: rows that only the vendor owns and that the CRM shows as copies. It stores which details must still
 * be read, a fingerprint of each row as last written to the CRM, and, encrypted, the rows that the CRM has not accepted yet.
 */

/** A row whose details must be read. `stamp`: when the row was last modified (ISO); null if the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/**
 * Rows whose details must be read. `stream`: the stream that reads them. `object`: the CRM object into which they are written. `isOfLoad`:
 * true if the first load (of old orders) found the rows.
 */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/** Which details may be read. With `isLoadPaused`, no details that only the first load (of old orders) has found. */
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
  /**
   * When the vendor last modified the row, in the state that was read. Null if the vendor's time does not change with every modification.
   */
  readonly stamp: string | null;
  /** Vendor id of the opportunity that the row belongs to; null if the row names none. */
  readonly opportunity: string | null;
  /** The row itself and its detail rows, as far as their values changed. */
  readonly changed: readonly MirrorChange[];
  /**
   * The row's state, with which the next read is compared, and the news for the opportunity's owner. Both are stored encrypted. If absent,
   * what is stored stays unchanged.
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
  /** When the write is sent (`at`), and from when on Salesforce can no longer apply it (`until`), both ISO. */
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
  /** The fingerprint of the values that were written. Absent if the ledger has newer values of the row. */
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
  /** The number of rows that the CRM has accepted, without detail rows. */
  readonly shown: number;
  /** The number of rows whose details are to be read. */
  readonly toRead: number;
  /** The number of those rows in `toRead` that only the first load (of old orders) has found and that nobody has tried to read yet. */
  readonly toLoad: number;
  /** The number of rows to write to the CRM, including details. */
  readonly toWrite: number;
};

/**
 * The kinds of work that a stream's rows may need. `uncertain`: read rows in doubt again. `refused`: retry refused rows. `pending`: write
 * rows. `detail`: read details. `shown`: link written rows to opportunities. `total`: write order totals. `news`: send notices. `search`:
 * begin a search that is due, or read the next page of a search.
 */
export type MirrorWork = 'uncertain' | 'refused' | 'pending' | 'detail' | 'shown' | 'total' | 'news' | 'search';

/** The stream whose work `mirrorWork` finds. `feeds`: the names under which its refused rows are stored. `objects`: its CRM objects. */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** The stream's search interval in milliseconds. If absent, the call does not check whether a search is due. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

/** The kinds of work that were found. `detailAt`: when the next postponed read of details is due, ISO; null if none is postponed. */
export type WorkFound = { readonly steps: ReadonlySet<MirrorWork>; readonly detailAt: string | null };

export interface MirrorLedger {
  /** Finds which kinds of work the stream has at `at`, and when its next postponed read of details is due. */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<WorkFound>;
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** Those of the given objects that have at least one mirrored row. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /**
   * Stores which of these rows have a new version, so that their details must be read. Moves the cursor. Returns the number of such rows.
   * One transaction.
   */
  markDetails(
    tenant: string,
    found: FoundDetails,
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /** The row whose details must be read next: of the rows due at `at`, the one that changed last. Null if no row is due. */
  nextDetail(tenant: string, stream: string, at: string, limit?: DetailsLimit): Promise<DueDetail | null>;
  /** Postpones the next read of a row's details: by 1, 5, 15 and 60 minutes, then by twice as long each time, but at most by a day. */
  postponeDetail(tenant: string, stream: string, rowId: string, at: string): Promise<void>;
  /** The fingerprints of a mirrored row and of its details. */
  mirrorRows(tenant: string, row: MirrorKey): Promise<readonly MirrorFingerprint[]>;
  /** Stores a row that was read, encrypted, so that it is written to the CRM. Its details are no longer due. In one transaction. */
  keepDetail(tenant: string, stream: string, read: ReadDetail): Promise<void>;
  /** At most `limit` rows to write; none if fewer than `least` wait. A detail row waits until its master row is written. */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Stores that a write of rows is about to be sent, and returns the ids of the rows that it may contain. If an earlier write of a row may
   * still arrive, it is unknown which of the two writes comes last. The row then counts as in doubt, from the time at which the earlier
   * write can no longer arrive.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Stores the CRM's answers about written rows. A row that got new values during the write still waits to be written. If another write of
   * a row began meanwhile, the row is in doubt, because it is unknown which values it has in the CRM.
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
   * Stores the outcome of writing order totals. Opportunities whose totals were written are no longer due, unless their orders changed
   * again. Opportunities that the CRM refused are postponed. One transaction.
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
   * Schedules at most `limit` rows in doubt (see `markLeaving`) to be read and written again, and returns their number. A row that waits to
   * be written anyway is not read again.
   */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /**
   * Rows that the CRM links to a wrong opportunity, or to none, each with the CRM id of the opportunity to which it must be linked. Finds
   * only rows of deals whose link in the ledger changed at or after `since`.
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
   * Makes three kinds of rows of a tenant due again at once: refused rows, refused notices, and rows whose details could not be read.
   * Returns their number.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
