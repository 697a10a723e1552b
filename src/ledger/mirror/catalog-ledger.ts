import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';
import type { MirrorKey } from './mirror-ledger.ts';

/**
 * The ledger's catalog rows. A refresh reads the catalog completely, page by page. Its changes count once the whole refresh is committed;
 * rows that it did not contain then count as having left the catalog.
 */

/** A catalog row that a refresh has read. `object`: the kind of row. */
export type ShownCatalogRow = MirrorKey & {
  readonly fingerprint: string;
  /** The fields to write to the CRM; null if the CRM has them already. */
  readonly fields: CrmFields | null;
  readonly needs?: readonly MirrorKey[];
  readonly master?: string;
  readonly rank?: string;
  readonly follow?: string;
};

export type KnownShownRow = {
  readonly id: string;
  readonly fingerprint: string;
  /** The last refresh that contained the row. */
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A row that may be written now, because the CRM has the rows that it requires. */
export type ReadyRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly fields: CrmFields;
  /** Whether the CRM has accepted the row before. */
  readonly isTaken: boolean;
  /** Whether the vendor no longer shows the row, so that the write deactivates it. */
  readonly hasLeft: boolean;
};

export type Leaving = {
  readonly object: string;
  /** The fields that deactivate the row with this id. */
  readonly fieldsOf: (id: string) => CrmFields;
  /** Ids of masters whose rows could not be read. Those rows do not count as gone. */
  readonly kept: readonly string[];
  readonly limit: number;
  /** When the rows count as having left the catalog, ISO. */
  readonly at: string;
};

/** Ids of the rows that the call will deactivate in the CRM. */
export type Left = {
  readonly left: readonly string[];
  /** Ids of rows that had left before and were edited in the CRM since. */
  readonly again: readonly string[];
  readonly neverTaken: readonly string[];
};

/** The number of catalog rows of one kind in each state. */
export type CatalogCount = {
  readonly object: string;
  /** Rows that the vendor shows. */
  readonly shown: number;
  /** Rows that wait to be written, and whose required rows the CRM has. */
  readonly pending: number;
  /** Rows that wait because the CRM lacks a required row, by `<object> <id>` of that row. */
  readonly held: Readonly<Record<string, number>>;
};

/** Rows of one kind that a refresh has changed; `ids`: the first of them. */
export type CatalogChange = {
  readonly object: string;
  readonly change: 'appeared' | 'changed';
  readonly rows: number;
  readonly ids: readonly string[];
};

export interface CatalogLedger {
  /** The known rows of one kind. The fingerprint is empty if a user may have edited the CRM's row by `at`. */
  knownRows(tenant: string, object: string, ids: readonly string[], at: string): Promise<readonly KnownShownRow[]>;
  /** Stores one page of a refresh, sealed, and moves the cursor, in one transaction. */
  keepShown(
    tenant: string,
    refresh: string,
    rows: readonly ShownCatalogRow[],
    move: CursorMove,
    at: string,
  ): Promise<void>;
  /** Treats the rows of a master as contained in the refresh, because the vendor's list for that master could not be read. */
  keepMembers(tenant: string, refresh: string, object: string, master: string): Promise<void>;
  /** Commits a refresh: its rows of these kinds become the rows to write to the CRM. Moves the cursor. */
  commitShown(tenant: string, refresh: string, objects: readonly string[], move: CursorMove, at: string): Promise<void>;
  /** The next row of a kind, after the id `after`, about which a refresh must read more (`follow`); null after the last row. */
  nextFollowed(
    tenant: string,
    refresh: string,
    object: string,
    after: string,
  ): Promise<{ readonly id: string; readonly follow: string } | null>;
  /** Rows of a kind that are ready to be written, at most `limit`. Empty if fewer than `least` are ready. */
  readyRows(tenant: string, object: string, least: number, limit: number): Promise<readonly ReadyRow[]>;
  /**
   * Schedules writes that deactivate rows in the CRM: rows that the refresh did not contain, and rows that left before and were edited in
   * the CRM since. Returns the ids, including rows that the CRM never accepted. Repeat the call until it returns none.
   */
  leaveUnseen(tenant: string, refresh: string, leaving: Leaving): Promise<Left>;
  /**
   * Notes that a user edited or deleted rows of a kind in the CRM. The next refresh writes them again, and after a deletion also the rows
   * that require them. A deleted row that has left the catalog is not written again.
   */
  markEdited(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly isDeleted: boolean },
    at: string,
  ): Promise<void>;
  /** Stores the ids of rows of a kind that the CRM itself provides, such as currencies. Replaces the earlier ids. */
  noteGiven(tenant: string, object: string, ids: readonly string[]): Promise<void>;
  countCatalog(tenant: string, objects: readonly string[]): Promise<readonly CatalogCount[]>;
  /** How a refresh differs from the committed rows of these kinds; call it before `commitShown`. At most `most` ids of each kind. */
  catalogChanges(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    most: number,
  ): Promise<readonly CatalogChange[]>;
}
