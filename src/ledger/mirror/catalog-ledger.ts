import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';
import type { MirrorKey } from './mirror-ledger.ts';

/**
 * Rows of the vendor's catalog in the ledger. A refresh reads the whole catalog page by page. Its changes take effect when the whole
 * refresh is committed. Rows that the refresh did not contain then count as removed from the catalog.
 */

/** A catalog row that a refresh has read. `object`: the CRM object for this kind of row. */
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
  /** The id of the last refresh of the catalog that contained the row. */
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A row that may be written to the CRM now, because the CRM has the rows that it refers to. */
export type ReadyRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly fields: CrmFields;
  /** Whether the CRM has accepted the row before. */
  readonly isTaken: boolean;
  /** Whether the vendor no longer lists the row, so that the write deactivates it. */
  readonly hasLeft: boolean;
};

export type Leaving = {
  readonly object: string;
  /** The fields that deactivate the row with this id. */
  readonly fieldsOf: (id: string) => CrmFields;
  /** Ids of master rows whose detail rows could not be read. These detail rows do not count as removed. */
  readonly kept: readonly string[];
  readonly limit: number;
  /** The instant at which rows count as removed from the catalog, ISO. */
  readonly at: string;
};

/** Ids of rows that the call will deactivate in the CRM. */
export type Left = {
  readonly left: readonly string[];
  /** Ids of rows that an earlier refresh had found removed from the catalog, and that were edited in the CRM since. */
  readonly again: readonly string[];
  readonly neverTaken: readonly string[];
};

/** The number of catalog rows of one kind in each state. */
export type CatalogCount = {
  readonly object: string;
  /** The number of rows that the vendor lists. */
  readonly shown: number;
  /** Rows that wait to be written. The CRM has all rows that they refer to. */
  readonly pending: number;
  /** Rows that wait because the CRM lacks a row that they refer to, counted by `<object> <id>` of that row. */
  readonly held: Readonly<Record<string, number>>;
};

/** The catalog rows of one kind that a refresh would change. `ids`: the first of them. */
export type CatalogChange = {
  readonly object: string;
  readonly change: 'appeared' | 'changed';
  readonly rows: number;
  readonly ids: readonly string[];
};

export interface CatalogLedger {
  /** The stored rows of one kind among `ids`. A row's fingerprint is empty if a user may have edited the row in the CRM by `at`. */
  knownRows(tenant: string, object: string, ids: readonly string[], at: string): Promise<readonly KnownShownRow[]>;
  /** Stores one page of a catalog refresh, encrypted, and moves the cursor, in one transaction. */
  keepShown(
    tenant: string,
    refresh: string,
    rows: readonly ShownCatalogRow[],
    move: CursorMove,
    at: string,
  ): Promise<void>;
  /**
   * Marks the detail rows of a master row as contained in the refresh, because the vendor's list of them could not be read. They then do
   * not count as removed.
   */
  keepMembers(tenant: string, refresh: string, object: string, master: string): Promise<void>;
  /**
   * Commits a refresh: the rows of these kinds that it read become the rows that the CRM should have. Also moves the cursor. One statement.
   */
  commitShown(tenant: string, refresh: string, objects: readonly string[], move: CursorMove, at: string): Promise<void>;
  /**
   * The next row of a kind, after the id `after`, that names details which a refresh must also read (`follow`); null after the last row.
   */
  nextFollowed(
    tenant: string,
    refresh: string,
    object: string,
    after: string,
  ): Promise<{ readonly id: string; readonly follow: string } | null>;
  /** Rows of a kind that may be written to the CRM now, at most `limit`; none if there are fewer than `least`. */
  readyRows(tenant: string, object: string, least: number, limit: number): Promise<readonly ReadyRow[]>;
  /**
   * Schedules the deactivation in the CRM of rows that the refresh did not contain, and of removed rows that were edited in the CRM since.
   * Returns their ids, and those of rows that the CRM never accepted. To be called again until it returns none.
   */
  leaveUnseen(tenant: string, refresh: string, leaving: Leaving): Promise<Left>;
  /**
   * Notes that a user edited or deleted rows of a kind in the CRM, so that the next refresh writes them again. After a deletion, the
   * refresh also writes the rows that refer to a deleted row. Rows that the vendor no longer lists are not restored.
   */
  markEdited(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly isDeleted: boolean },
    at: string,
  ): Promise<void>;
  /** Replaces the ids of rows of a kind that the CRM itself provides, such as currencies. These rows count as accepted by the CRM. */
  noteGiven(tenant: string, object: string, ids: readonly string[]): Promise<void>;
  countCatalog(tenant: string, objects: readonly string[]): Promise<readonly CatalogCount[]>;
  /**
   * The catalog rows that a refresh would change, by comparison with the last committed refresh, with at most `most` ids of each kind. To
   * be called before `commitShown`.
   */
  catalogChanges(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    most: number,
  ): Promise<readonly CatalogChange[]>;
}
