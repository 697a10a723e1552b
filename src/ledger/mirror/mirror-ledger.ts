import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * The ledger's copies of rows that only the vendor owns and the CRM shows: which details must still be read, the fingerprint of each row as
 * last written to the CRM, and sealed rows that the CRM has not accepted yet.
 */

/** A row whose details are to be read. `stamp`: when it was last modified (ISO); null if the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/** Rows that `stream` has found, reads and writes to the CRM as `object`. `isOfLoad`: the first load has found them. */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/** Limits which details are read. `isLoadPaused`: skips details that only the first load has found. */
export type DetailsLimit = { readonly isLoadPaused: boolean };

/** A row, by its CRM object and its external id there. */
export type MirrorKey = { readonly object: string; readonly id: string };
export type MirrorFingerprint = MirrorKey & { readonly fingerprint: string };

/** A complete row to write to the CRM. It replaces the row's earlier values. */
export type MirrorChange = MirrorFingerprint & { readonly fields: CrmFields };

/** The result of reading a row's details: the row, and those of its details that changed. */
export type ReadDetail = {
  readonly detail: DueDetail;
  readonly row: MirrorKey;
  /** The vendor's stamp of the state that was read; null if the row may still change without a new stamp. */
  readonly stamp: string | null;
  /** Vendor id of the opportunity that the row belongs to; null if it names none. */
  readonly opportunity: string | null;
  /** The row and its details; only those whose values changed. */
  readonly changed: readonly MirrorChange[];
  /** The row's state for the next comparison, and the news for the opportunity's owner; both sealed. If absent, both are unchanged. */
  readonly known?: { readonly state: object; readonly news: object | null; readonly at: string };
};

/** A CRM object, and its master object; null if its rows are no details. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that is waiting to be written to the CRM. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /** The CRM's id of its opportunity. Null: unknown. Undefined: the row belongs to no opportunity and did not before. */
  readonly opportunityId: string | null | undefined;
};

/** One write of rows to the CRM. */
export type MirrorWrite = {
  /** Unique among all writes. */
  readonly id: string;
  /** `at`: when the write is sent. `until`: after this instant Salesforce can no longer apply it. ISO. */
  readonly at: string;
  readonly until: string;
};

/** A row about to be written, with the conditions under which it may be. */
export type LeavingRow = {
  readonly id: string;
  /** The fingerprint of the state that is written; null if only the row's link to its opportunity is written. */
  readonly fingerprint: string | null;
  /** The CRM's id of the opportunity that the write links the row to; null if it links it to none. */
  readonly linkedTo: string | null;
};

/** The CRM's answer on one written row. */
export type SettledRow = {
  readonly id: string;
  /** False: the CRM refused the row. `settleRows` stores it for another try. */
  readonly isTaken: boolean;
  /** The fingerprint of the written state. Absent if an earlier state than the stored one was written. */
  readonly fingerprint?: string;
  /** The CRM's id of the opportunity that the row was linked to; null if none. If absent, the row's link did not change. */
  readonly linkedTo?: string | null;
};

/** An opportunity whose orders changed. `markedAt` (ISO) distinguishes successive changes. */
export type DueTotals = { readonly opportunityId: string; readonly markedAt: string };

/** The number of mirrored rows of a tenant in each state. */
export type MirrorCounts = {
  /** Master rows that the CRM has accepted. */
  readonly shown: number;
  /** Rows whose details are to be read. */
  readonly toRead: number;
  /** The rows of `toRead` that only the first load has found and that no stream tried to read yet. */
  readonly toLoad: number;
  /** Rows to write to the CRM, including details. */
  readonly toWrite: number;
};

/**
 * The steps that a stream's rows may need: reading uncertain rows again, retrying refused rows, writing pending rows, reading details,
 * linking written rows (`shown`), writing totals, sending notices. `search`: the stream is due for a search, or has unread pages.
 */
export type MirrorWork = 'uncertain' | 'refused' | 'pending' | 'detail' | 'shown' | 'total' | 'news' | 'search';

/** What `mirrorWork` checks: the stream with its search interval, the name of its refused rows, and its CRM objects. */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** The stream's search interval in milliseconds. If absent, the call does not check whether a search is due. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

/** `detailAt`: the earliest time after now at which details are to be read, ISO; null if none are postponed. */
export type WorkFound = { readonly steps: ReadonlySet<MirrorWork>; readonly detailAt: string | null };

export interface MirrorLedger {
  /** The steps that have work to do at `at`, and when postponed details of the stream are read next. */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<WorkFound>;
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** Returns the given objects that have at least one mirrored row. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /** Marks rows whose new version must be read in detail, and moves the cursor, in one transaction. Returns their number. */
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
  /** At most `limit` rows to be written; none if fewer than `least` wait. A detail waits until its master row is written. */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Notes that a write of rows is about to be sent. Returns the ids of rows that may still be written. If an earlier write of a row may
   * still arrive, the order of both is unknown, so the row becomes uncertain once the earlier one can no longer arrive.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Stores the CRM's answers about written rows. A row that changed meanwhile stays pending. A row that another write has taken over is
   * uncertain.
   */
  settleMirrored(
    tenant: string,
    object: string,
    rows: readonly SettledRow[],
    write: { readonly id: string; readonly at: string },
  ): Promise<void>;
  /** Opportunities (CRM ids) whose orders changed since their totals were last written; at most `limit`. */
  dueTotals(tenant: string, at: string, limit: number): Promise<readonly DueTotals[]>;
  /** Removes opportunities whose totals were written, unless they became due again, and postpones refused ones, in one transaction. */
  settleTotals(
    tenant: string,
    outcome: { readonly written: readonly DueTotals[]; readonly refused: readonly DueTotals[] },
    at: string,
  ): Promise<void>;
  /** Notes that rows in the CRM may differ from the values last written; with `details`, their detail rows too. */
  markInDoubt(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly details: boolean },
    at: string,
  ): Promise<void>;
  /** Marks at most `limit` uncertain rows to be read again; returns how many. A row that is pending anyway only stops being uncertain. */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /** Rows whose opportunity's link changed at or after `since`, with the CRM id of the opportunity that they have to be linked to. */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
  /** Links rows to an opportunity of the CRM at an operator's command, and has them read and written. The vendor's own link wins. */
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
  /** Makes a tenant's refused rows, and rows without details, due with the next read of their streams; returns how many. */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
