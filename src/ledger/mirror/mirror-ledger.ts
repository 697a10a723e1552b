import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';

/**
 * What the ledger remembers of rows that only the vendor owns and that the CRM is to show: which are still to be read, what
 * the CRM was last to show of each, as a fingerprint, and what it has not taken yet, sealed.
 */

/** A row whose details are to be read. `stamp`: when it was last modified (ISO); null where the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

/**
 * Whose details are to be read: `stream` reads them, and what they become in the CRM is `object`. `isOfLoad`: a search of the past has
 * found them, not a change.
 */
export type FoundDetails = {
  readonly stream: string;
  readonly object: string;
  readonly isOfLoad?: boolean;
};

/** Which details may be read. `isLoadPaused`: none that the first load alone has found. */
export type DetailsLimit = { readonly isLoadPaused: boolean };

/** A row by its object in the CRM and its external id there. */
export type MirrorKey = { readonly object: string; readonly id: string };
export type MirrorFingerprint = MirrorKey & { readonly fingerprint: string };

/** A row that the CRM is to be given, whole, in the place of what it has. */
export type MirrorChange = MirrorFingerprint & { readonly fields: CrmFields };

/** What reading the details of a row came to: what it has become, and that of its details which changed. */
export type ReadDetail = {
  readonly detail: DueDetail;
  /** The row itself. */
  readonly row: MirrorKey;
  /** The vendor's stamp that what was read has settled under; null where it may change once more under it. */
  readonly stamp: string | null;
  /** Vendor id of the opportunity that it belongs to; null where it names none. */
  readonly opportunity: string | null;
  /** Of the row and its details. */
  readonly changed: readonly MirrorChange[];
  /**
   * What the row is known to be from now on, and what of it its opportunity's owner is to be told, null for nothing; both sealed.
   * Absent: as before.
   */
  readonly known?: { readonly state: object; readonly news: object | null; readonly at: string };
};

/** An object of the CRM, with that whose rows its own are details of; null where they are none. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that the CRM has not taken yet. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /** The CRM's id of its opportunity: null where none is known, undefined where the row names none and had none. */
  readonly opportunityId: string | null | undefined;
};

/** One write of rows to the CRM. */
export type MirrorWrite = {
  /** Unlike every other write. */
  readonly id: string;
  /** ISO: when it leaves, and when it can arrive no longer. */
  readonly at: string;
  readonly until: string;
};

/** A row that is about to leave, and what has to be so still. */
export type LeavingRow = {
  readonly id: string;
  /** Which state of it is written; null where its link alone is. */
  readonly fingerprint: string | null;
  /** The CRM's id of the opportunity that it is linked to; null where the write links it to none. */
  readonly linkedTo: string | null;
};

/** What became of a row that was given to the CRM. */
export type SettledRow = {
  readonly id: string;
  /** False: it was refused, and is kept elsewhere to be tried again. */
  readonly isTaken: boolean;
  /** Which state of it was given; absent: an earlier one. */
  readonly fingerprint?: string;
  /** The CRM's id of the opportunity that it was linked to, null of none; absent: its link is as it was. */
  readonly linkedTo?: string | null;
};

/** An opportunity whose orders changed; `markedAt` tells one change from the next (ISO). */
export type DueTotals = { readonly opportunityId: string; readonly markedAt: string };

/** How many rows of a tenant are where on their way. */
export type MirrorCounts = {
  /** Rows that are no details, and that the CRM has taken. */
  readonly shown: number;
  /** Rows whose details are to be read. */
  readonly toRead: number;
  /** Those of them that the first load alone has found, and that nobody has tried to read yet. */
  readonly toLoad: number;
  /** Rows that the CRM is to be given, details among them. */
  readonly toWrite: number;
};

/**
 * What may be done for a stream's rows: uncertain ones read again, refused ones tried again, pending ones given to the CRM, details
 * read, links followed of rows that are there (`shown`), totals and news told; and the stream searched (`search`), where it was not
 * for so long, or where pages of a search are left.
 */
export type MirrorWork =
  | 'uncertain'
  | 'refused'
  | 'pending'
  | 'detail'
  | 'shown'
  | 'total'
  | 'news'
  | 'search';

/**
 * Whose work: the stream that reads the rows and how often it is searched, what its refused rows are kept under, and its objects in the
 * CRM.
 */
export type MirrorWorkOf = Partial<DetailsLimit> & {
  readonly stream: string;
  /** Absent where nobody asks whether it is time to search. */
  readonly everyMs?: number;
  readonly feeds: readonly string[];
  readonly objects: readonly string[];
};

export interface MirrorLedger {
  /** What may be done by now; what is not in it has nothing to be done. */
  mirrorWork(tenant: string, of: MirrorWorkOf, at: string): Promise<ReadonlySet<MirrorWork>>;
  /** Counts all of a tenant. */
  countMirrored(tenant: string): Promise<MirrorCounts>;
  /** Those of some objects of which anything is known. */
  mirroredObjects(tenant: string, objects: readonly string[]): Promise<readonly string[]>;
  /**
   * Notes rows whose details are to be read, but for those that were read in this state, and moves the cursor, in one
   * transaction; how many.
   */
  markDetails(
    tenant: string,
    found: FoundDetails,
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /** The row whose details are to be read next by now, the one that changed last; null when there is none. */
  nextDetail(tenant: string, stream: string, at: string, limit?: DetailsLimit): Promise<DueDetail | null>;
  /** Has a row read again in an hour, twice as long each time, a day at most. */
  postponeDetail(tenant: string, stream: string, rowId: string, at: string): Promise<void>;
  /** What is known of a row and of its details. */
  mirrorRows(tenant: string, row: MirrorKey): Promise<readonly MirrorFingerprint[]>;
  /** Keeps what the CRM is to be given of a row that was read, sealed; the row is due no longer. In one transaction. */
  keepDetail(tenant: string, stream: string, read: ReadDetail): Promise<void>;
  /**
   * Rows that the CRM has not taken yet, at most `limit`, and none where there are fewer than `least`. Details of a row
   * that the CRM has never taken wait for it.
   */
  pendingRows(tenant: string, of: MirrorObject, least: number, limit: number): Promise<readonly PendingRow[]>;
  /**
   * Notes that a write of rows leaves; the ids of those that may leave, which are still what is written. Where another write of
   * a row may still arrive, nobody knows which comes last: what the CRM shows of it is uncertain from when that one can arrive
   * no longer.
   */
  markLeaving(
    tenant: string,
    object: string,
    rows: readonly LeavingRow[],
    write: MirrorWrite,
  ): Promise<readonly string[]>;
  /**
   * Notes what became of rows of a write, by now. One that has become another meanwhile stays to be given; one that another write
   * took over meanwhile is uncertain.
   */
  settleMirrored(
    tenant: string,
    object: string,
    rows: readonly SettledRow[],
    write: { readonly id: string; readonly at: string },
  ): Promise<void>;
  /** Opportunities, by the CRM's id, whose orders were written since they were told what these come to; at most `limit`. */
  dueTotals(tenant: string, at: string, limit: number): Promise<readonly DueTotals[]>;
  /** Forgets those that were told, unless they are due anew, and puts those off that were refused. In one transaction. */
  settleTotals(
    tenant: string,
    outcome: { readonly written: readonly DueTotals[]; readonly refused: readonly DueTotals[] },
    at: string,
  ): Promise<void>;
  /** Notes that the CRM may show something else of rows than it was given; with `details`, of all that hangs on them too. */
  markInDoubt(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly details: boolean },
    at: string,
  ): Promise<void>;
  /**
   * Has rows that are uncertain by now, at most `limit`, read again and given to the CRM anew; how many. One that waits to be
   * given is uncertain no longer. In one transaction.
   */
  renewInDoubt(
    tenant: string,
    mirror: { readonly stream: string; readonly objects: readonly string[] },
    at: string,
    limit: number,
  ): Promise<number>;
  /** Rows whose opportunity's link was changed at or after `since`, with the CRM's id that they are not linked to yet. */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
  /**
   * Has all of a tenant's rows that were refused, by the CRM or by the vendor that was asked for their details, tried again
   * with the next read of their streams; how many would have waited.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;
}
