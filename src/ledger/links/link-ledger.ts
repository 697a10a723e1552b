import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { WithFormerIds } from '../../domain/record/former-ids.ts';
import type { Issue, IssueCode } from '../../domain/record/issue.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { PickedSide } from '../../domain/record/pick.ts';

export type OneSide = { readonly crmId: string } | { readonly vendorId: string };

export type LinkIds = { readonly crmId?: string; readonly vendorId?: string };

/** Identifies a version of a link, for optimistic locking. The version changes whenever a writer stores an outcome or a plan. */
export type LinkVersion = Pick<Link, 'updatedAt' | 'newestPlan'>;

/**
 * A fencing token: the version of the link `key` that the writer has read. Calls throw LedgerError `CHANGED` if another writer has changed
 * the link since.
 */
export type Fence = LinkVersion & { readonly key: string };

export type LinkRow = {
  readonly tenant: string;
  readonly key: string;
  readonly crmId: string | null;
  readonly vendorId: string | null;
  readonly state: LinkState;
  readonly due: boolean;
  readonly issues: readonly Issue[];
  readonly updatedAt: string;
};

export type IssueCount = { readonly code: IssueCode; readonly records: number };

/** A vendor record that waits instead of being imported, because it may belong to an existing opportunity. */
export type WaitingRecord = {
  readonly vendorId: string;
  /** The opportunities among which a person has to choose; empty unless several shared opportunities match the record. */
  readonly rivals: readonly string[];
  /**
   * Set if a user entered the vendor record's id in the opportunity and no evidence confirms the pair, so that the pair does not count as a
   * match.
   */
  readonly isClaimed?: true;
};

/** The status of a link, without values of business records. */
export type LinkStatus = Pick<LinkRow, 'crmId' | 'vendorId' | 'state'> &
  Pick<Link, 'failingSince'> & {
    readonly work: WorkClass;
    readonly inLane?: true;
  };

export type LinkedPair = Pick<LinkRow, 'key' | 'state'> & {
  readonly vendorId: string;
  /** The CRM id that the vendor's record contains as partner reference; null if it contains none. */
  readonly reference: string | null;
};

/** A pair of linked records. */
export type LinkedIds = Pick<LinkRow, 'key'> &
  Required<WithFormerIds> & {
    readonly crmId: string;
    readonly vendorId: string;
  };

/** The position of a journal line in the order by link and time, in which `journalPage` reads. `seq`: the line's number, a decimal text. */
export type JournalPlace = { readonly key: string; readonly at: string; readonly seq: string };

/** A journal line with its position, and the present ids of its record's pair; an id is null if that side has no record. */
export type JournalLine = Pick<LinkRow, 'crmId' | 'vendorId'> & {
  readonly place: JournalPlace;
  readonly entry: JournalEntry;
};

/** Links: which two records are the same deal, what both sides agreed on, and the journal of each deal. */
export interface LinkLedger {
  /**
   * Finds the link of a deal by key, alias or either id, or opens a new link. If the ids belong to two links, merges them: the link with
   * the CRM id stays, and the other link's key becomes its alias (state `superseded`, key in `superseded`). If an operator separated the
   * two records, returns the CRM id's link unchanged. One transaction; safe to call concurrently.
   */
  resolveLink(
    tenant: string,
    ids: LinkIds,
    at: string,
    fence?: Fence,
  ): Promise<{ link: Link; opened: boolean; superseded: string | null }>;
  /**
   * Links a vendor record to the opportunity that matched it, and adds a journal line, in one transaction. Changes nothing and returns null
   * if either has another counterpart, if a create of the opportunity may be under way, or if an operator separated the pair. `word`: an
   * operator's command, which also links a separated pair and may name the side whose values win.
   */
  adopt(
    tenant: string,
    ids: { readonly crmId: string; readonly vendorId: string },
    entry: JournalEntry,
    by?: { readonly word?: { readonly prefer: PickedSide | null }; readonly fence?: Fence | undefined },
  ): Promise<Link | null>;
  /**
   * Separates a pair into two links, both due and without a base (last agreed values). Afterwards only an operator can link the two again.
   * False if they are not linked.
   */
  unlink(tenant: string, pair: { readonly crmId: string; readonly vendorId: string }, at: string): Promise<boolean>;
  /**
   * Moves a deal, with its unhandled changes, from the opportunity `from` of another org to the opportunity `to` of this org. Drops what
   * the two sides agreed on. Changes nothing and returns false if `from` is not linked to the vendor record, if `to` has a vendor record,
   * or while a create of either may be under way.
   */
  relink(
    tenant: string,
    move: { readonly from: string; readonly to: string; readonly vendorId: string },
    prefer: PickedSide | null,
    at: string,
  ): Promise<boolean>;
  /**
   * Moves a deal from a converted lead to its opportunity, with vendor record, last agreed values, unhandled changes and journal. The
   * lead's key becomes an alias. Returns the opportunity's link, or changes nothing and returns `unknown` (the lead has no link), `busy` (a
   * create of either may be under way) or `taken` (both have a vendor record). One transaction.
   */
  moveToOpportunity(
    tenant: string,
    move: { readonly leadId: string; readonly opportunityId: string },
    at: string,
  ): Promise<Link | 'unknown' | 'busy' | 'taken'>;
  /** All linked pairs in any state: at most `limit`, by key, beginning after `afterKey`. */
  linkedIds(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedIds[]>;
  /** Ids of records on the other side that an operator separated from this record. */
  barredFrom(tenant: string, side: OneSide): Promise<readonly string[]>;
  /** Finds a link by key or alias; null if unknown. For an alias, returns the link that took over. */
  findLink(tenant: string, key: string): Promise<Link | null>;
  /** Finds links as `findLink` does, with one statement. Returns them by the given key; unknown keys are left out. */
  findLinks(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, Link>>;
  findLinkByIds(tenant: string, ids: LinkIds): Promise<Link | null>;
  /**
   * Stores the time at which a link is about to be detached; the next stored outcome clears it. Returns how many links have such a time
   * since `since`.
   */
  noteDetaching(tenant: string, key: string, at: string, since: string): Promise<number>;
  /** Counts the linked pairs, except those detached before `since`. Stops counting at `limit`. */
  countLinked(tenant: string, since: string, limit: number): Promise<number>;
  /**
   * Resolves one open conflict: stores the side that a person picked, adds a journal line, and invalidates the current plan, in one
   * transaction. False if the field has no open conflict.
   */
  pickSide(
    tenant: string,
    key: string,
    pick: { readonly field: FieldName; readonly side: PickedSide },
    entry: JournalEntry,
  ): Promise<boolean>;
  /** Forgets what each side refused, so that the next decision sends these values again. For a manual retry. */
  forgetRefusals(tenant: string, key: string): Promise<void>;
  /** Schedules a retry at `at` (ISO) for all records with an issue of this code, except those with an earlier retry. */
  retryIssue(tenant: string, code: IssueCode, at: string): Promise<void>;
  /**
   * Accepts a sync request that a CRM user made at `asked`: forgets refusals and marks both sides due. False if this request, or a later
   * one, was accepted before.
   */
  acceptSyncRequest(tenant: string, key: string, asked: string, at: string): Promise<boolean>;
  /** The status of the links with these keys, by key. Unknown keys are left out. */
  linkStatuses(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
  /** Of these opportunities, those with a link that is neither detached nor superseded. */
  activeCrmIds(tenant: string, crmIds: readonly string[]): Promise<readonly string[]>;
  /** Pairs that are synced, or whose vendor record is missing: at most `limit`, by key, beginning after `afterKey`. */
  linkedPairs(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedPair[]>;
  /**
   * For each opportunity, the vendor records that wait because they may be the same deal. Opportunities without such records are left out.
   */
  waitingFor(tenant: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, readonly WaitingRecord[]>>;
  /**
   * Of these vendor ids, those that still have to be marked due: leaves out ids whose link had a vendor change noted at or after `since`,
   * because that change causes a new read anyway.
   */
  vendorIdsNotMarkedSince(tenant: string, vendorIds: readonly string[], since: string): Promise<readonly string[]>;
  /** Lists links, newest change first. `code`: only links with an issue of this code. */
  listLinks(
    tenant: string,
    filter: { readonly state?: LinkState; readonly code?: IssueCode; readonly limit: number },
  ): Promise<readonly LinkRow[]>;
  /** How many links have an issue of each code, largest number first. */
  countByIssue(tenant: string): Promise<readonly { readonly code: IssueCode; readonly records: number }[]>;
  countByState(tenant: string): Promise<Readonly<Record<string, number>>>;
  journal(tenant: string, key: string, limit: number): Promise<readonly JournalEntry[]>;
  /**
   * Journal lines of a tenant since an instant (ISO): at most `limit`, by link and then by time, beginning after the
   * place `after`; null begins at the start.
   */
  journalPage(
    tenant: string,
    order: { readonly since: string; readonly after: JournalPlace | null; readonly limit: number },
  ): Promise<readonly JournalLine[]>;
  /** Adds a journal line without any other change, for example that an operator viewed the record. */
  addToJournal(tenant: string, key: string, entry: JournalEntry): Promise<void>;
}
