import type { CrmFields } from '../../domain/record/crm-graph.ts';
import type { CursorMove } from '../streams/stream-ledger.ts';
import type { MirrorKey } from './mirror-ledger.ts';

/**
 * What the ledger remembers of rows that are read whole, time and again. A refresh shows them page by page; what they have
 * become counts when its whole reading is committed, and what a whole refresh did not show has left.
 */

/** A row that a refresh has shown. `object`: what rows of its kind are kept under. */
export type ShownCatalogRow = MirrorKey & {
  readonly fingerprint: string;
  /** What the CRM is to be given; null where it has been given that. */
  readonly fields: CrmFields | null;
  readonly needs?: readonly MirrorKey[];
  readonly master?: string;
  readonly rank?: string;
  readonly follow?: string;
};

export type KnownShownRow = {
  readonly id: string;
  readonly fingerprint: string;
  /** The refresh that showed it last. */
  readonly seen: string | null;
  readonly rank: string | null;
};

/** A row that the CRM has not taken yet, and may be given: it has what the row needs. */
export type ReadyRow = {
  readonly id: string;
  readonly fingerprint: string;
  readonly fields: CrmFields;
  /** Whether the CRM took it before. */
  readonly isTaken: boolean;
  /** Whether it is to be given because it has left. */
  readonly hasLeft: boolean;
};

export type Leaving = {
  readonly object: string;
  /** The fields that untick a row, by its id. */
  readonly fieldsOf: (id: string) => CrmFields;
  /** Rows of these masters stay: what they have now could not be read. */
  readonly kept: readonly string[];
  readonly limit: number;
  /** ISO. */
  readonly at: string;
};

/** Rows that are unticked. */
export type Left = {
  readonly left: readonly string[];
  /** Those that had left before. */
  readonly again: readonly string[];
  readonly neverTaken: readonly string[];
};

/** Where the rows of one kind stand. */
export type CatalogCount = {
  readonly object: string;
  /** Those that the vendor shows. */
  readonly shown: number;
  /** Those that the CRM has not taken yet, and may be given. */
  readonly pending: number;
  /** Those that wait for what the CRM does not have, by that: `<object> <id>`. */
  readonly held: Readonly<Record<string, number>>;
};

/** Rows of one kind that a refresh has shown otherwise; `ids`: the first of them. */
export type CatalogChange = {
  readonly object: string;
  readonly change: 'appeared' | 'changed';
  readonly rows: number;
  readonly ids: readonly string[];
};

export interface CatalogLedger {
  /** What is known of rows of one kind; no fingerprint of those of which the CRM may show something else by `at`. */
  knownRows(
    tenant: string,
    object: string,
    ids: readonly string[],
    at: string,
  ): Promise<readonly KnownShownRow[]>;
  /** Keeps what a page of a refresh has shown, sealed, and moves the cursor, in one transaction. */
  keepShown(
    tenant: string,
    refresh: string,
    rows: readonly ShownCatalogRow[],
    move: CursorMove,
    at: string,
  ): Promise<void>;
  /** Has the rows of a master count as shown, since what it has now could not be read. */
  keepMembers(tenant: string, refresh: string, object: string, master: string): Promise<void>;
  /** Has what a refresh has shown of these kinds be what the CRM is to be given, and moves the cursor. */
  commitShown(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    move: CursorMove,
    at: string,
  ): Promise<void>;
  /** The next row after `after` of a kind, that the refresh has shown and about which more is to be read; null after the last. */
  nextFollowed(
    tenant: string,
    refresh: string,
    object: string,
    after: string,
  ): Promise<{ readonly id: string; readonly follow: string } | null>;
  /** Rows of a kind that the CRM may be given, at most `limit`, and none where there are fewer than `least`. */
  readyRows(tenant: string, object: string, least: number, limit: number): Promise<readonly ReadyRow[]>;
  /**
   * Has rows that the refresh did not show be unticked in the CRM, where it has them, and again those that had left before and that
   * somebody edited there; which of both, and which of them it never took, for whatever reason. Called until there are none.
   */
  leaveUnseen(tenant: string, refresh: string, leaving: Leaving): Promise<Left>;
  /**
   * Notes that somebody edited rows of a kind in the CRM, or deleted them and thereby what leads to them: the next refresh gives them
   * anew, but for those that have left and are gone.
   */
  markEdited(
    tenant: string,
    object: string,
    rows: { readonly ids: readonly string[]; readonly isDeleted: boolean },
    at: string,
  ): Promise<void>;
  /** Notes what the CRM has of its own accord, such as currencies: these, and no others. */
  noteGiven(tenant: string, object: string, ids: readonly string[]): Promise<void>;
  countCatalog(tenant: string, objects: readonly string[]): Promise<readonly CatalogCount[]>;
  /** What a refresh has shown of these kinds that is not as it counts so far; before `commitShown`. At most `most` ids of each. */
  catalogChanges(
    tenant: string,
    refresh: string,
    objects: readonly string[],
    most: number,
  ): Promise<readonly CatalogChange[]>;
}
