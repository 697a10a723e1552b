import type { FieldName } from '../../domain/record/canonical.ts';
import type { Issue, IssueCode } from '../../domain/record/issue.ts';
import type { JournalEntry } from '../../domain/record/journal.ts';
import type { Link } from '../../domain/record/link.ts';
import type { LinkState } from '../../domain/record/link-state.ts';
import type { PickedSide } from '../../domain/record/pick.ts';

/** A record of one side. */
export type OneSide = { readonly crmId: string } | { readonly vendorId: string };

export type LinkIds = { readonly crmId?: string; readonly vendorId?: string };

/** By what it is seen that nobody else has settled or planned anything of a link. */
export type LinkVersion = Pick<Link, 'updatedAt' | 'newestPlan'>;

/** A link as the one writer that works at it knows it: LedgerError `CHANGED`, and nothing is changed, where that is not so any more. */
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

/** A vendor record that waits because an opportunity may be it. */
export type WaitingRecord = {
  readonly vendorId: string;
  /** The opportunities that may be it, where several are shared so that only a person can tell; else empty. */
  readonly rivals: readonly string[];
};

/** Where a link stands, as far as it may be shown anywhere. */
export type LinkStatus = Pick<LinkRow, 'crmId' | 'vendorId' | 'state'> &
  Pick<Link, 'failingSince' | 'inBurst'> & {
    /** The share of the vendor's quota that its requests come out of; absent where they are not of bulk work. */
    readonly bulkShare?: number;
    /** All that it is due for is that a write of ours be read back, as far as is known. */
    readonly isEcho?: true;
    /** Its tenant's lane is to carry it. */
    readonly inLane?: true;
  };

export type LinkedPair = Pick<LinkRow, 'key' | 'state'> & {
  readonly vendorId: string;
  /** What the vendor's record carries for one of the CRM; null where it carries nothing. */
  readonly reference: string | null;
};

/** Which records are the same deal, what is agreed of each pair, and what was done to it. */
export interface LinkLedger {
  /**
   * The link of a deal: found by key, alias or either id, opened when there is none. When the two ids belong to
   * two links they are merged in one transaction; the one with the CRM id stays, the other becomes its alias
   * (state `superseded`), and `superseded` names it. A barred pair is not made: the CRM id's link is answered as it is.
   * Safe under concurrency (unique keys decide).
   */
  resolveLink(
    tenant: string,
    ids: LinkIds,
    at: string,
    fence?: Fence,
  ): Promise<{ link: Link; opened: boolean; superseded: string | null }>;
  /**
   * Links a vendor record to an opportunity that it was recognised as, with its line in the journal, in one
   * transaction. Null when one of the two has another counterpart, a create of the opportunity may be under way, or the
   * pair is barred: then nothing is changed. On a person's `word` the bar is lifted, and where the two differ the side that is
   * preferred stays.
   */
  adopt(
    tenant: string,
    ids: { readonly crmId: string; readonly vendorId: string },
    entry: JournalEntry,
    by?: { readonly word?: { readonly prefer: PickedSide | null }; readonly fence?: Fence | undefined },
  ): Promise<Link | null>;
  /**
   * Separates a pair and bars it, so that nothing but a person's word makes it again: two links, which agree on nothing and are
   * due. False when the two are no pair.
   */
  unlink(
    tenant: string,
    pair: { readonly crmId: string; readonly vendorId: string },
    at: string,
  ): Promise<boolean>;
  /** Records of the other side that a person has separated this one from. */
  barredFrom(tenant: string, side: OneSide): Promise<readonly string[]>;
  /** By key or alias; null when unknown. An alias answers the link that took over. */
  findLink(tenant: string, key: string): Promise<Link | null>;
  findLinkByIds(tenant: string, ids: LinkIds): Promise<Link | null>;
  /**
   * Notes that a link is about to be detached or missing, and counts those of which that is so since `since`; see
   * `isMassChange`. Settling another state forgets the note.
   */
  noteDetaching(tenant: string, key: string, at: string, since: string): Promise<number>;
  /** Records of both sides that flow, or did at `since`; counted up to `limit`. */
  countLinked(tenant: string, since: string, limit: number): Promise<number>;
  /**
   * Notes whose value a person keeps of one conflict that waits, with the line of the journal, in one transaction; an earlier
   * plan may leave no more. False where no conflict waits in that field.
   */
  pickSide(
    tenant: string,
    key: string,
    pick: { readonly field: FieldName; readonly side: PickedSide },
    entry: JournalEntry,
  ): Promise<boolean>;
  /** Forgets what the two sides refused of a link: a person wants it sent again. */
  forgetRefusals(tenant: string, key: string): Promise<void>;
  /**
   * Heeds that a person asked in the CRM, at the instant `asked`, for a record to be looked at: what was refused is forgotten, and
   * both sides are due. False where this word, or a later one, was heeded before.
   */
  acceptSyncRequest(tenant: string, key: string, asked: string, at: string): Promise<boolean>;
  /** Where these links stand, by key; links that do not exist are left out. */
  linkStatuses(tenant: string, keys: readonly string[]): Promise<ReadonlyMap<string, LinkStatus>>;
  /** Those of the opportunities whose link flows: neither unknown, nor detached, nor superseded. */
  activeCrmIds(tenant: string, crmIds: readonly string[]): Promise<readonly string[]>;
  /** Pairs that flow, or whose vendor record is missing, in the order of their keys after one; at most `limit`. */
  linkedPairs(tenant: string, afterKey: string, limit: number): Promise<readonly LinkedPair[]>;
  /** Which vendor records wait because they may be one of these opportunities, by opportunity; others are left out. */
  waitingFor(
    tenant: string,
    crmIds: readonly string[],
  ): Promise<ReadonlyMap<string, readonly WaitingRecord[]>>;
  /**
   * Those of the vendor ids whose link was not marked at or after `since` because the vendor's side changed; the read that
   * such a mark asks for begins after it. Unknown ids included; one that the CRM's side marked since may be among them.
   */
  vendorIdsNotMarkedSince(
    tenant: string,
    vendorIds: readonly string[],
    since: string,
  ): Promise<readonly string[]>;
  /** Newest change first; `code`: those of which an issue has it. */
  listLinks(
    tenant: string,
    filter: { readonly state?: LinkState; readonly code?: IssueCode; readonly limit: number },
  ): Promise<readonly LinkRow[]>;
  /** How many links have an issue of which code, most first. */
  countByIssue(tenant: string): Promise<readonly { readonly code: IssueCode; readonly records: number }[]>;
  countByState(tenant: string): Promise<Readonly<Record<string, number>>>;
  journal(tenant: string, key: string, limit: number): Promise<readonly JournalEntry[]>;
  /** Adds a line to a record's journal that changes nothing of the record, such as that somebody looked at it. */
  addToJournal(tenant: string, key: string, entry: JournalEntry): Promise<void>;
}
