import type { WorkClass } from '../../domain/loop/work-class.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { Issue, IssueCode } from '../../domain/record/issue.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { PickedSide } from '../../domain/record/pick.ts';

export type OneSide = { readonly crmId: string } | { readonly vendorId: string };

export type LinkIds = { readonly crmId?: string; readonly vendorId?: string };

/** Identifies a version of a link: it changes whenever a writer settles or plans something. */
export type LinkVersion = Pick<Link, 'updatedAt' | 'newestPlan'>;

/** A fencing token: the link as its writer knows it. If the link has changed since, calls throw LedgerError `CHANGED`. */
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

/** A vendor record that waits with its import, because it may belong to an existing opportunity. */
export type WaitingRecord = {
  readonly vendorId: string;
  /** The candidate opportunities, if several are shared and a person has to choose; else empty. */
  readonly rivals: readonly string[];
  /** A user entered the vendor record's id in the opportunity, and no evidence confirms the pair, so it does not count as a match. */
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
  /** The CRM id that the vendor's record carries as partner reference; null if it carries none. */
  readonly reference: string | null;
};

/** Links: which records are the same deal, what the two sides agreed on, and the journal of each deal. */
export interface LinkLedger {
  /**
   * Finds the link of a deal by key, alias or either id, or opens one. If the ids belong to two links, merges them in one transaction: the
   * link with the CRM id stays, and the other becomes its alias (state `superseded`, key in `superseded`). A barred pair is not joined:
   * returns the CRM id's link unchanged. Safe under concurrency, because the keys are unique.
   */
  resolveLink(
    tenant: string,
    ids: LinkIds,
    at: string,
    fence?: Fence,
  ): Promise<{ link: Link; opened: boolean; superseded: string | null }>;
  /**
   * Links a vendor record to the opportunity that matched it, and adds a journal line, in one transaction. Null, with no change, if either
   * has another counterpart, a create of the opportunity may be under way, or the pair is barred. `word` is an operator's command: it lifts
   * the bar and may name the side whose values win.
   */
  adopt(
    tenant: string,
    ids: { readonly crmId: string; readonly vendorId: string },
    entry: JournalEntry,
    by?: { readonly word?: { readonly prefer: PickedSide | null }; readonly fence?: Fence | undefined },
  ): Promise<Link | null>;
  /** Separates a pair into two due links without a base, and bars it: only an operator can link it again. False if it is not linked. */
  unlink(tenant: string, pair: { readonly crmId: string; readonly vendorId: string }, at: string): Promise<boolean>;
  /** Ids of the other side's records from which an operator has separated this record. */
  barredFrom(tenant: string, side: OneSide): Promise<readonly string[]>;
  /** Finds a link by key or alias; null if unknown. An alias returns the link that superseded it. */
  findLink(tenant: string, key: string): Promise<Link | null>;
  findLinkByIds(tenant: string, ids: LinkIds): Promise<Link | null>;
  /** Notes that a link is about to detach, until another state is settled. Returns how many links detached since `since`. */
  noteDetaching(tenant: string, key: string, at: string, since: string): Promise<number>;
  /** Counts the linked pairs, without those detached before `since`. Stops counting at `limit`. */
  countLinked(tenant: string, since: string, limit: number): Promise<number>;
  /**
   * Stores whose value a person picked in one open conflict, adds the journal line, and voids the current plan, in one transaction. False
   * if the field has no open conflict.
   */
  pickSide(
    tenant: string,
    key: string,
    pick: { readonly field: FieldName; readonly side: PickedSide },
    entry: JournalEntry,
  ): Promise<boolean>;
  /** Forgets the values that the two sides refused, on a manual retry, so that the next decision sends them again. */
  forgetRefusals(tenant: string, key: string): Promise<void>;
  /** Retries all records with an issue of this code at `at` (ISO), unless they are retried earlier. */
  retryIssue(tenant: string, code: IssueCode, at: string): Promise<void>;
  /**
   * Accepts a sync request that a person made in the CRM at `asked`: forgets refusals and marks both sides due. False if this request, or a
   * later one, was accepted before.
   */
  acceptSyncRequest(tenant: string, key: string, asked: string, at: string): Promise<boolean>;
  /** The status of each link, by key. Unknown keys are left out. */
  linkStatuses(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
  /** Returns the given opportunities that have a link, unless it is detached or superseded. */
  activeCrmIds(tenant: string, crmIds: readonly string[]): Promise<readonly string[]>;
  /** Pairs that are synced, or whose vendor record is missing: by key, after `afterKey`, at most `limit`. */
  linkedPairs(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedPair[]>;
  /** By opportunity, the vendor records that wait because they may be the same deal. Opportunities without any are left out. */
  waitingFor(tenant: string, crmIds: readonly string[]): Promise<ReadonlyMap<string, readonly WaitingRecord[]>>;
  /**
   * Omits vendor ids whose links have a vendor change marked at or after `since`, because that change causes a new read anyway. Keeps ids
   * without a link, and may keep links that a CRM change marked later.
   */
  vendorIdsNotMarkedSince(tenant: string, vendorIds: readonly string[], since: string): Promise<readonly string[]>;
  /** Links, newest change first. `code`: only links with an issue of this code. */
  listLinks(
    tenant: string,
    filter: { readonly state?: LinkState; readonly code?: IssueCode; readonly limit: number },
  ): Promise<readonly LinkRow[]>;
  /** How many links have an issue of each code, most first. */
  countByIssue(tenant: string): Promise<readonly { readonly code: IssueCode; readonly records: number }[]>;
  countByState(tenant: string): Promise<Readonly<Record<string, number>>>;
  journal(tenant: string, key: string, limit: number): Promise<readonly JournalEntry[]>;
  /** Adds a journal line that changes nothing else, such as that an operator viewed the record. */
  addToJournal(tenant: string, key: string, entry: JournalEntry): Promise<void>;
}
