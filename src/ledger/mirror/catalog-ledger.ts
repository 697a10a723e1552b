import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';
import type { MirrorKey } from './mirror-ledger.ts';

/**
 * This file describes the part of the ledger that stores the rows of the vendor's catalog, because Lockstep copies these rows into the CRM.
 * A refresh reads the whole catalog page by page. Its changes take effect together, when the whole refresh is committed. Rows that the
 * refresh did not contain then count as removed from the catalog.
 */

/**
 * A catalog row that a refresh (a complete read of the vendor's catalog) has read. `object`: the kind of the row. `needs`, `master`, `rank`
 * and `follow` have the same meaning as in `CatalogRow`.
 */
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

/** A catalog row that may be written to the CRM now, because the CRM already has all rows to which it refers. */
export type ReadyRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly fields: CrmFields;
  /** Whether the CRM has accepted the row before. */
  readonly isTaken: boolean;
  /** Whether the row is not in the vendor's catalog any more, so that the write deactivates it in the CRM. */
  readonly hasLeft: boolean;
};

export type Leaving = {
  readonly object: string;
  /** Returns the fields that deactivate a row in the CRM, for the row's id. */
  readonly fieldsOf: (id: string) => CrmFields;
  /**
   * Ids of master rows (such as price lists) whose detail rows could not be read in the refresh (a complete read of the vendor's catalog).
   * These detail rows do not count as removed.
   */
  readonly kept: readonly string[];
  readonly limit: number;
  /**
   * The present instant, ISO. A row that was removed from the vendor's catalog is deactivated again if a user has edited it in the CRM up
   * to this instant.
   */
  readonly at: string;
};

/**
 * Ids of catalog rows that are scheduled to be deactivated in the CRM. `left`: rows that the present refresh (a complete read of the
 * vendor's catalog) found to be removed. `neverTaken`: those rows of both lists that the CRM never accepted, so that nothing is written for
 * them.
 */
export type Left = {
  readonly left: readonly string[];
  /**
   * Ids of rows that an earlier refresh (a complete read of the vendor's catalog) found to be removed. A user has edited them in the CRM
   * since, so they are deactivated again.
   */
  readonly again: readonly string[];
  readonly neverTaken: readonly string[];
};

/** Counts of the catalog rows of one kind, by state. */
export type CatalogCount = {
  readonly object: string;
  /** The number of rows that the vendor lists. */
  readonly shown: number;
  /** How many rows wait to be written although the CRM has all rows to which they refer. */
  readonly pending: number;
  /**
   * The number of rows that wait because the CRM lacks a row to which they refer, by the kind of the row that the CRM lacks. If it lacks a
   * currency, the name also contains the currency's id: `currency <id>`.
   */
  readonly held: Readonly<Record<string, number>>;
};

/**
 * The catalog rows of one kind that a refresh (a complete read of the vendor's catalog) would add to the CRM (`appeared`) or change there
 * (`changed`). `rows`: how many rows these are. `ids`: the ids of the first of them.
 */
export type CatalogChange = {
  readonly object: string;
  readonly change: 'appeared' | 'changed';
  readonly rows: number;
  readonly ids: readonly string[];
};

export interface CatalogLedger {
  /**
   * The stored catalog rows of one kind with these ids. `at`: the present instant. If Lockstep has noted by then (see `markEdited`) that a
   * user may have edited a row in the CRM, the row is returned with an empty fingerprint. It therefore counts as changed and is written
   * again.
   */
  knownRows(tenant: string, object: string, ids: readonly string[], at: string): Promise<readonly KnownShownRow[]>;
  /**
   * Stores one page of a catalog refresh (a complete read of the catalog), encrypted. In the same transaction, moves the cursor (the
   * position up to which the refresh has read).
   */
  keepShown(
    tenant: string,
    refresh: string,
    rows: readonly ShownCatalogRow[],
    move: CursorMove,
    at: string,
  ): Promise<void>;
  /**
   * Marks the stored detail rows of a master row (such as the components of a package) as contained in the refresh (a complete read of the
   * catalog), so that they do not count as removed. Used if the list of the detail rows could not be read.
   */
  keepMembers(tenant: string, refresh: string, object: string, master: string): Promise<void>;
  /**
   * Commits a refresh (a complete read of the catalog): its rows of these kinds become the rows that the CRM should have. Also moves the
   * cursor (the stored position of the refresh). One statement.
   */
  commitShown(tenant: string, refresh: string, objects: readonly string[], move: CursorMove, at: string): Promise<void>;
  /**
   * The next row of the kind `object`, after the id `after`, that has further rows to read at the vendor, such as a package with its
   * components. Finds only rows that this refresh (a complete read of the catalog) contains. `follow`: the value that is needed to read the
   * further rows, such as the package's release. Null after the last row.
   */
  nextFollowed(
    tenant: string,
    refresh: string,
    object: string,
    after: string,
  ): Promise<{ readonly id: string; readonly follow: string } | null>;
  /**
   * At most `limit` rows of a kind that may be written to the CRM now. None if fewer than `least` rows are ready, so that requests to the
   * CRM are not too small.
   */
  readyRows(tenant: string, object: string, least: number, limit: number): Promise<readonly ReadyRow[]>;
  /**
   * Schedules rows to be deactivated in the CRM: rows that the refresh (a complete read of the catalog) did not contain, and rows that were
   * removed earlier and that a user has edited since. Returns their ids. Rows that the CRM never accepted are only marked as removed, and
   * their ids are returned too. Must be called again until it returns no ids.
   */
  leaveUnseen(tenant: string, refresh: string, leaving: Leaving): Promise<Left>;
  /**
   * Stores that a user edited or deleted rows of a kind in the CRM, so that the next refresh (a complete read of the catalog) writes them
   * again. For deleted rows, the next refresh also writes the rows that refer to them. Rows that the vendor no longer lists are not
   * restored.
   */
  markEdited(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly isDeleted: boolean },
    at: string,
  ): Promise<void>;
  /**
   * Replaces the stored ids of rows that the CRM itself provides, such as its currencies. These rows count as accepted by the CRM, so that
   * rows which refer to them may be written.
   */
  noteGiven(tenant: string, object: string, ids: readonly string[]): Promise<void>;
  countCatalog(tenant: string, objects: readonly string[]): Promise<readonly CatalogCount[]>;
  /**
   * The changes that a refresh of the catalog will make when it is committed, compared with the last committed refresh. Contains at most
   * `most` ids for each kind of row and of change. Must be called before `commitShown`.
   */
  catalogChanges(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    most: number,
  ): Promise<readonly CatalogChange[]>;
}
