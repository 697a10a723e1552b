import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * The ledger's copies of rows that only the vendor owns and the CRM shows. The ledger knows which details must still be read, and the
 * fingerprint of each row as last written to the CRM. It holds, encrypted, the rows that the CRM has not accepted yet.
 */

/** A row whose details are to be read. `stamp`: when the row was last modified (ISO); null if the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/**
 * Rows whose details are to be read for `stream` and written to the CRM as `object`. `isOfLoad`: whether the first load (of existing orders)
 * found them.
 */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/** Limits which details are read. `isLoadPaused`: skips details that only the first load has found. */
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
  /** The rows whose values changed: the row itself, and its detail rows. */
  readonly changed: readonly MirrorChange[];
  /** The row's state for the next comparison, and the news for the opportunity's owner; both encrypted. If absent, both are unchanged. */
  readonly known?: { readonly state: object; readonly news: object | null; readonly at: string };
};

/** A CRM object, and its master object; null if the object has no master. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that is waiting to be written to the CRM. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /** The CRM id of the row's opportunity. Null if it is not known; undefined if the row belongs to no opportunity and never did. */
  readonly opportunityId: string | null | undefined;
};

/** One write of rows to the CRM. */
export type MirrorWrite = {
  /** An id that no other write has. */
  readonly id: string;
  /** The write's time limits, ISO. `at`: when the write is sent. `until`: after this instant Salesforce can no longer apply it. */
  readonly at: string;
  readonly until: string;
};

/** A mirrored row that is about to be written to the CRM. */
export type LeavingRow = {
  readonly id: string;
  /** The fingerprint of the written state; null if the write only links the row to its opportunity. */
  readonly fingerprint: string | null;
  /** The CRM's id of the opportunity that the write links the row to; null if there is none. */
  readonly linkedTo: string | null;
};

/** The CRM's answer about one written row. */
export type SettledRow = {
  readonly id: string;
  /** Whether the CRM accepted the row. If not, `settleRows` stores the row for another try. */
  readonly isTaken: boolean;
  /** The fingerprint of the written state. Absent if an earlier state than the stored one was written. */
  readonly fingerprint?: string;
  /** The CRM's id of the opportunity that the row was linked to; null if none. Absent if the row's link did not change. */
  readonly linkedTo?: string | null;
};

/** An opportunity whose orders changed. `markedAt` (ISO) distinguishes one change from the next. */
export type DueTotals = { readonly opportunityId: string; readonly markedAt: string };

export type MirrorCounts = {
  /** The number of mirrored rows, without their detail rows, that the CRM has accepted. */
  readonly shown: number;
  /** The number of rows whose details are to be read. */
  readonly toRead: number;
  /** How many of the rows in `toRead` only the first load (of existing orders) has found, while no stream has tried to read them yet. */
  readonly toLoad: number;
  /** The number of rows to write to the CRM, including details. */
  readonly toWrite: number;
};

/**
 * The kinds of work that a stream's rows may need: reading uncertain rows again, retrying refused rows, writing pending rows, reading
 * details, linking written rows to opportunities (`shown`), writing order totals, sending notices. `search`: a search is due, or found
 * pages are unread.
 */
export type MirrorWork = 'uncertain' | 'refused' | 'pending' | 'detail' | 'shown' | 'total' | 'news' | 'search';

/**
 * The stream for which `mirrorWork` checks, with its search interval, the names under which its refused rows are stored, and its CRM
 * objects.
 */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** The stream's search interval in milliseconds. If absent, the call does not check whether a search is due. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

/** The kinds of work that were found. `detailAt`: when the next postponed detail is to be read, ISO; null if none is postponed. */
export type WorkFound = { readonly steps: ReadonlySet<MirrorWork>; readonly detailAt: string | null };

export interface MirrorLedger {
  /** Which kinds of work the stream has at `at`, and when its next postponed detail is to be read. */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<WorkFound>;
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** The given objects that have at least one mirrored row. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /** Notes the rows whose new version must be read in detail, and moves the cursor, in one transaction. Returns their number. */
  markDetails(
    tenant: string,
    found: FoundDetails,
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /** The row whose details are to be read next: the one that changed last. Null if no row is due at `at`. */
  nextDetail(tenant: string, stream: string, at: string, limit?: DetailsLimit): Promise<DueDetail | null>;
  /** Postpones the next read of a row's details: by 1, 5, 15 and 60 minutes, then doubling, a day at most. */
  postponeDetail(tenant: string, stream: string, rowId: string, at: string): Promise<void>;
  /** The fingerprints of a mirrored row and of its details. */
  mirrorRows(tenant: string, row: MirrorKey): Promise<readonly MirrorFingerprint[]>;
  /** Stores a row after its read, sealed, to be written to the CRM. Its details are no longer due. In one transaction. */
  keepDetail(tenant: string, stream: string, read: ReadDetail): Promise<void>;
  /** At most `limit` rows to be written; none if fewer than `least` wait. A detail row waits until its master row is written. */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Notes that a write of rows is about to be sent, and returns the ids of those that may be written now. If an earlier write of a row may
   * still arrive, the order of the two writes is unknown; the row counts as uncertain as soon as the earlier write can no longer arrive.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Stores the CRM's answers about written rows. A row that changed during the write still waits to be written. If another write of the row
   * began meanwhile, the row is uncertain: nobody knows which values it has in the CRM.
   */
  settleMirrored(
    tenant: string,
    object: string,
    rows: readonly SettledRow[],
    write: { readonly id: string; readonly at: string },
  ): Promise<void>;
  /** Opportunities (CRM ids) whose orders changed since their totals were last written; at most `limit`. */
  dueTotals(tenant: string, at: string, limit: number): Promise<readonly DueTotals[]>;
  /**
   * Removes opportunities whose totals were written, unless their orders changed again, and postpones opportunities that the CRM refused.
   * One transaction.
   */
  settleTotals(
    tenant: string,
    outcome: { readonly written: readonly DueTotals[]; readonly refused: readonly DueTotals[] },
    at: string,
  ): Promise<void>;
  /**
   * Marks rows as in doubt, because their values in the CRM may differ from those last written. With `details`, also marks their detail
   * rows.
   */
  markInDoubt(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly details: boolean },
    at: string,
  ): Promise<void>;
  /**
   * Has at most `limit` uncertain rows (see `markLeaving`) read and written again, and returns how many. Leaves out rows that wait to be
   * written anyway.
   */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /**
   * Rows whose opportunity was linked or unlinked at or after `since`, with the CRM id of the opportunity to which they must be linked now.
   */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
  /**
   * Links rows to an opportunity at an operator's command, and has them read and written again. If the vendor names another opportunity for
   * a row, the vendor's takes precedence.
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
   * Makes a tenant's refused rows, refused notices, and rows whose details could not be read due at the next read. Returns how many there
   * are.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
