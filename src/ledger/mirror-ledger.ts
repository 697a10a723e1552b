import type { CrmFields } from '../domain/record/crm-graph.ts';
import type { CursorMove } from './cursor-move.ts';

/**
 * What the ledger remembers of rows that only the vendor owns and that the CRM is to show: which are still to be read, what
 * the CRM was last to show of each, as a fingerprint, and what it has not taken yet, sealed.
 */

/** A row whose details are to be read. `stamp`: when it was last modified (ISO); null where the vendor does not say. */
export type DueDetail = { readonly rowId: string; readonly stamp: string | null };

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
};

/** An object of the CRM, with that whose rows its own are details of; null where they are none. */
export type MirrorObject = { readonly object: string; readonly masterObject: string | null };

/** A row that the CRM has not taken yet. */
export type PendingRow = Omit<MirrorChange, 'object'> & {
  /** The CRM's id of its opportunity: null where none is known, undefined where the row names none and had none. */
  readonly opportunityId: string | null | undefined;
};

/** What became of a row that was given to the CRM. */
export type SettledRow = {
  readonly id: string;
  /** False: it was refused, and is kept elsewhere to be tried again. */
  readonly isTaken: boolean;
  /** Which state of it was given; absent: an earlier one. */
  readonly fingerprint?: string;
  /** The CRM's id of the opportunity that it was linked to; absent: its link is as it was. */
  readonly linkedTo?: string;
};

export interface MirrorLedger {
  /**
   * Notes rows whose details are to be read, but for those that were read in this state, and moves the cursor, in one
   * transaction; how many. `stream` reads them, and what they become in the CRM is `object`.
   */
  markDetails(
    tenant: string,
    mirror: { readonly stream: string; readonly object: string },
    rows: readonly DueDetail[],
    move: CursorMove,
    at: string,
  ): Promise<number>;
  /** The row whose details are to be read next by now, the one that waits longest; null when there is none. */
  nextDetail(tenant: string, stream: string, at: string): Promise<DueDetail | null>;
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
  /** Notes what became of rows. One that has become another meanwhile stays to be given. */
  settleMirrored(tenant: string, object: string, rows: readonly SettledRow[]): Promise<void>;
  /** Rows whose opportunity's link was changed at or after `since`, with the CRM's id that they are not linked to yet. */
  unlinkedRows(
    tenant: string,
    object: string,
    since: string,
    limit: number,
  ): Promise<readonly { readonly id: string; readonly opportunityId: string }[]>;
}
