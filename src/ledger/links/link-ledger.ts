import type { MoveOfLead } from '../../domain/base/after-conversion.ts';
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

/**
 * A version of a link (the stored pair of CRM record and vendor record), for optimistic locking. The version changes, for example, when a
 * writer stores a plan or the outcome of a step. It does not change when the link is only marked due.
 */
export type LinkVersion = Pick<Link, 'version' | 'newestPlan'>;

/**
 * A fencing token: the version of the link `key` that a writer has read. A ledger call with it throws LedgerError `CHANGED` if another
 * writer has changed the link since.
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

/** A vendor record for which no opportunity is created yet, because an existing opportunity may be its deal. */
export type WaitingRecord = {
  readonly vendorId: string;
  /**
   * The opportunities that match the vendor record, if there are several and a user or an operator must choose one; otherwise empty. All of
   * them are shared with the vendor.
   */
  readonly rivals: readonly string[];
  /**
   * Set if a user entered the vendor record's id in the opportunity, but nothing proves that the two belong together. Such an opportunity
   * does not count as a match.
   */
  readonly isClaimed?: true;
};

/** The status of a link, without values of business records. */
export type LinkStatus = Pick<LinkRow, 'crmId' | 'vendorId' | 'state'> &
  Pick<Link, 'failingSince'> & {
    readonly work: WorkClass;
    readonly inLane?: true;
    /** When the link last changed, ISO. Storing the outcome of a write counts as a change. */
    readonly updatedAt: string;
  };

export type LinkedPair = Pick<LinkRow, 'key' | 'state'> & {
  readonly vendorId: string;
  /**
   * The CRM id that the vendor record carries as its partner reference; null if it carries none. If the ledger has no reading of the vendor
   * record, it is the pair's own CRM id.
   */
  readonly reference: string | null;
};

/** A pair of linked records, with the CRM ids that the deal had before. */
export type LinkedIds = Pick<LinkRow, 'key'> &
  Required<WithFormerIds> & {
    readonly crmId: string;
    readonly vendorId: string;
  };

/**
 * The place of a journal line in the order in which `journalPage` reads: by link, then by time, then by number. `seq`: the line's number,
 * as a decimal text.
 */
export type JournalPlace = { readonly key: string; readonly at: string; readonly seq: string };

/**
 * A journal line, with its place in the order in which `journalPage` reads, and the present ids of its deal. An id is null if the deal has
 * no record in that system.
 */
export type JournalLine = Pick<LinkRow, 'crmId' | 'vendorId'> & {
  readonly place: JournalPlace;
  readonly entry: JournalEntry;
};

/**
 * Links: which two records are the same deal, the values on which both sides last agreed, and each deal's journal (log of decisions and
 * writes).
 */
export interface LinkLedger {
  /**
   * Finds the link of a deal (its stored pair of records) by CRM id, vendor id or both, and adds an id that the link lacks. Opens a new
   * link if there is none. If the ids belong to two links, merges them: the link with the CRM id remains, and the key of the other link
   * becomes its alias (state `superseded`; the result names this key in `superseded`). The id of a converted or merged lead leads to the
   * link of the record that the lead became. If the two records cannot be linked, because one of them is linked to another record or
   * because an operator separated them, returns the link of the CRM id without this vendor id. One transaction; may be called concurrently.
   */
  resolveLink(
    tenant: string,
    ids: LinkIds,
    at: string,
    fence?: Fence,
  ): Promise<{ link: Link; opened: boolean; superseded: string | null }>;
  /**
   * Links a vendor record to the opportunity that matches it, and adds a journal line, in one transaction. Changes nothing and returns null
   * if either record is already linked, if a write of the opportunity at the vendor may be on its way, or if an operator separated the two
   * records. `by.word`: set if an operator ordered the link. The two records are then linked even if an operator separated them before.
   * `by.word.prefer`: the side whose values win; null if none was named. `by.fence`: the version of the link that the caller has read.
   */
  adopt(
    tenant: string,
    ids: { readonly crmId: string; readonly vendorId: string },
    entry: JournalEntry,
    by?: { readonly word?: { readonly prefer: PickedSide | null }; readonly fence?: Fence | undefined },
  ): Promise<Link | null>;
  /**
   * Separates a linked pair: each record gets a link of its own, which is due and has no base (last agreed values). Afterwards only an
   * operator can link the two again. False if they are not linked.
   */
  unlink(tenant: string, pair: { readonly crmId: string; readonly vendorId: string }, at: string): Promise<boolean>;
  /**
   * Moves a deal, with its unsynced changes, from the opportunity `from` of the tenant's previous Salesforce org to the opportunity `to` of
   * the present org. Deletes the base (last agreed values). Moves nothing and returns false in three cases: `from` is not linked to the
   * vendor record, `to` already has a vendor record, or a create at the vendor may be on its way for one of the two opportunities.
   */
  relink(
    tenant: string,
    move: { readonly from: string; readonly to: string; readonly vendorId: string },
    prefer: PickedSide | null,
    at: string,
  ): Promise<boolean>;
  /**
   * Moves a deal from a lead to the record that the lead became: after a conversion the opportunity, after a merge the other lead
   * (`opportunityId` is then its id). Moves the vendor record, base (last agreed values), unsynced changes and journal. The lead's key
   * becomes an alias. Returns the link of the record that the lead became. Otherwise moves nothing and returns the reason: `unknown` (the
   * lead has no link of its own), `busy` (a create at the vendor may be on its way for one of the two records) or `taken` (both have a
   * vendor record). One transaction.
   */
  moveToOpportunity(
    tenant: string,
    move: Omit<MoveOfLead, 'crmId'> & { readonly opportunityId: string },
    at: string,
  ): Promise<Link | 'unknown' | 'busy' | 'taken'>;
  /** All linked pairs, in any state: at most `limit`, sorted by key, beginning after `afterKey`. */
  linkedIds(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedIds[]>;
  /**
   * Ids of the other system's records from which an operator separated this record with `lockstep unlink`. For a CRM id they are vendor
   * ids, for a vendor id CRM ids.
   */
  barredFrom(tenant: string, side: OneSide): Promise<readonly string[]>;
  /**
   * Finds a link by its key or by an alias; null if there is none. An alias is the key of a link whose deal another link now has; that link
   * is returned.
   */
  findLink(tenant: string, key: string): Promise<Link | null>;
  /** Finds several links by their keys or aliases, with one statement. Returns them by the given keys; unknown keys are left out. */
  findLinks(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, Link>>;
  findLinkByIds(tenant: string, ids: LinkIds): Promise<Link | null>;
  /**
   * Stores that the sync of a link is about to stop, with the time `at`. The next stored outcome of a step that gives the link another
   * state than `detached` or `vendor-missing` deletes this time. Returns the number of linked pairs with such a time at or after `since`,
   * from which the caller judges whether too many records stop at once.
   */
  noteDetaching(tenant: string, key: string, at: string, since: string): Promise<number>;
  /**
   * Counts the linked pairs, except those whose sync stopped before `since`. The caller compares this number with the result of
   * `noteDetaching`, the pairs whose sync has stopped or is about to stop since `since`. Those pairs must be in the count, so that it shows
   * which share of all pairs stops at once. Does not count beyond `limit`.
   */
  countLinked(tenant: string, since: string, limit: number): Promise<number>;
  /**
   * Decides one open conflict (a field that changed on both sides) as a user chose: stores the side that wins, adds a journal line, and
   * makes the present plan invalid, in one transaction. False if the field has no open conflict.
   */
  pickSide(
    tenant: string,
    key: string,
    pick: { readonly field: FieldName; readonly side: PickedSide },
    entry: JournalEntry,
  ): Promise<boolean>;
  /** Forgets which values the CRM and the vendor have refused, so that the next decision sends them again. For a retry by an operator. */
  forgetRefusals(tenant: string, key: string): Promise<void>;
  /**
   * Sets the retry time of all records with an issue (reason to wait) of this code to `at` (ISO). A record with an earlier retry time keeps
   * its own.
   */
  retryIssue(tenant: string, code: IssueCode, at: string): Promise<void>;
  /**
   * Accepts a sync request that a CRM user made at the time `asked`. Refused values may then be sent again, and both records of the link
   * are marked due. False if this request, or a later one, was accepted before.
   */
  acceptSyncRequest(tenant: string, key: string, asked: string, at: string): Promise<boolean>;
  /** The status of the links with these keys, by key. Aliases are not followed, and unknown keys are left out. */
  linkStatuses(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
  /**
   * Those of these opportunities whose link is synced or waits. Opportunities without a link, and those whose link has ended (`detached`,
   * `superseded`), are left out.
   */
  activeCrmIds(tenant: string, crmIds: readonly string[]): Promise<readonly string[]>;
  /** Linked pairs in any state except `detached`: at most `limit`, sorted by key, beginning after `afterKey`. */
  linkedPairs(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedPair[]>;
  /**
   * The vendor records that wait because they may be the same deal as one of these opportunities, by opportunity. Opportunities without
   * such records are left out.
   */
  waitingFor(tenant: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, readonly WaitingRecord[]>>;
  /**
   * Those of these vendor ids that must still be marked due. A vendor id is left out if its link was last marked due at or after `since`,
   * because of a change at the vendor. Lockstep then reads this record anyway.
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
   * Journal lines of a tenant from an instant (ISO) on: at most `limit`, sorted by link and then by time, beginning after the place `after`
   * (null: from the start).
   */
  journalPage(
    tenant: string,
    order: { readonly since: string; readonly after: JournalPlace | null; readonly limit: number },
  ): Promise<readonly JournalLine[]>;
  /** Adds a journal line and changes nothing else, for example if an operator looked at the record's values. */
  addToJournal(tenant: string, key: string, entry: JournalEntry): Promise<void>;
}
