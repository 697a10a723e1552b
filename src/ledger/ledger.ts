/**
 * The ledger's port. Every call names its tenant first and can touch no other tenant's rows. Values that come
 * from business records (bases, observations, plans, journal values) are sealed before they reach PostgreSQL.
 * All instants are ISO strings. Times are given by the caller, never read from a clock here.
 */

import type { LinkChange } from '../domain/evolve/change.ts';
import type { Quota } from '../domain/loop/operation-groups.ts';
import type { FieldName } from '../domain/record/canonical.ts';
import type { CrmFields, CrmGraph } from '../domain/record/crm-graph.ts';
import type { IssueCode } from '../domain/record/issue.ts';
import type { JournalEntry } from '../domain/record/journal.ts';
import type { Link } from '../domain/record/link.ts';
import type { LinkState } from '../domain/record/link-state.ts';
import type { PickedSide } from '../domain/record/pick.ts';
import type { Plan } from '../domain/record/plan.ts';
import type { Retention } from '../domain/record/retention.ts';
import type { AuditLedger } from './audit-ledger.ts';
import type { BackfillLedger } from './backfill-ledger.ts';
import type { CatalogLedger } from './catalog-ledger.ts';
import type { CursorMove, QuietMove, RowVersion } from './cursor-move.ts';
import type { LedgerFigures } from './figures.ts';
import type { FleetLedger } from './fleet-ledger.ts';
import type { KeyLedger } from './key-ledger.ts';
import type { LaneLedger } from './lane-ledger.ts';
import type { MirrorLedger } from './mirror-ledger.ts';
import type { NewsLedger } from './news-ledger.ts';
import type { PauseLedger } from './pause-ledger.ts';
import type { QuotaClaim } from './quota-window.ts';
import type { Forgotten } from './retention.ts';
import type { LinkRow, QuotaKnown, StreamRead } from './status-rows.ts';
import type { TenantLedger } from './tenant-ledger.ts';
import type { WaitingLedger } from './waiting-ledger.ts';
import type { WatchLedger } from './watch-ledger.ts';
import type { WholeLedger } from './whole-ledger.ts';

export type { CursorMove, QuietMove, RowVersion } from './cursor-move.ts';
export type { LinkRow, QuotaKnown, StreamRead, WaitingCount } from './status-rows.ts';

/** What a webhook told: an id that is the same when it is sent again, and the records to look at. */
export type Delivery = { readonly id: string; readonly source: string; readonly crmIds: readonly string[] };

/** `keys` of its links, in the order of its records. */
export type RecordedDelivery = { readonly fresh: boolean; readonly keys: readonly string[] };

/** A record of one side. */
export type OneSide = { readonly crmId: string } | { readonly vendorId: string };

export type LinkIds = { readonly crmId?: string; readonly vendorId?: string };

/** What is left of a plan whose outcome is known. */
export type SettledPlan = { readonly next: 'settled' };

export type StoredPlan = {
  readonly id: string;
  readonly tenant: string;
  readonly key: string;
  readonly createdAt: string;
  /** When the CRM and the vendor were read for this plan; null for a side it does not rest on. */
  readonly crmReadAt: string | null;
  readonly vendorReadAt: string | null;
  /** The CRM graph the plan rests on, so that a vendor read of the same round can decide again without a second CRM read. */
  readonly graph: CrmGraph | null;
  /** `generation` when the work began. */
  readonly generation: number;
  readonly plan: Plan | SettledPlan;
  /** Set by `markSent` before the remote call leaves. */
  readonly sentAt: string | null;
  readonly outcome: string | null;
};

/** Everything that one step settles, applied in one transaction; `planId`: the plan whose outcome it tells. */
export type Settlement = LinkChange & {
  readonly at: string;
  readonly planId?: string;
  /**
   * What the outcome does to the link where the plan is its newest no more, or, without a plan, where it is not as `expected`, by the
   * link as it is; absent or null: nothing. The vendor's side is due then; without a plan the CRM's.
   */
  readonly ifStale?: (link: Link) => LinkChange | null;
  /** As its writer knows the link: where another has settled or planned anything since, nothing is settled but `ifStale`. */
  readonly expected?: LinkVersion;
  /** With `expected`: the mark of what its users were told, as its writer knows it; that is no change of the link itself. */
  readonly reportedBefore?: string | null;
  /** Its users are still to be told of this: in the lane it stays until they were, and `unconfirmedReports` gives it elsewhere, whoever dies. */
  readonly reportDue?: true;
  /** Mark of what users were told, as its writer knows it, after which this is no news: told another meanwhile, they are still to be told. */
  readonly noNewsAfter?: string | null;
  /** Its users were told all there is. */
  readonly isReported?: true;
  /** How often the link had been given to the lane when the lane began this work: with its last mark it leaves, unless it was given since. */
  readonly laneGeneration?: number;
};

/** By what it is seen that nobody else has settled or planned anything of a link. */
export type LinkVersion = Pick<Link, 'updatedAt' | 'newestPlan'>;

/** A link as the one writer that works at it knows it: LedgerError `CHANGED`, and nothing is changed, where that is not so any more. */
export type Fence = LinkVersion & { readonly key: string };

/** What a write needs to leave. */
export type Sending = {
  readonly at: string;
  /** What is not known of the vendor's record from now on; null for a write to the CRM. */
  readonly uncertain: 'create' | 'update' | null;
  /** The plan rests on no observation from before. */
  readonly notBefore: string;
};

export type QuotaVerdict = { readonly allowed: true } | { readonly allowed: false; readonly until: string };

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

/** What became of rows that were written to the CRM, by their external ids; `reason`: codes and names of fields. */
export type RowOutcomes = {
  readonly taken: readonly string[];
  readonly refused: readonly { readonly id: string; readonly row: CrmFields; readonly reason: string }[];
};

export interface Ledger
  extends WholeLedger,
    WaitingLedger,
    MirrorLedger,
    NewsLedger,
    CatalogLedger,
    KeyLedger,
    PauseLedger,
    AuditLedger,
    BackfillLedger,
    LaneLedger,
    TenantLedger,
    WatchLedger,
    FleetLedger {
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

  /** Rejects with LedgerError `CHANGED` where another writer has settled or planned anything of the link since it was as `expected`. */
  savePlan(
    tenant: string,
    plan: Omit<StoredPlan, 'id' | 'tenant' | 'sentAt' | 'outcome' | 'plan'> & { readonly plan: Plan },
    expected?: LinkVersion,
  ): Promise<string>;
  loadPlan(tenant: string, planId: string): Promise<StoredPlan | null>;
  /** When a write of the link left last, ISO, whatever came of it; null where none is known. */
  lastSentAt(tenant: string, key: string): Promise<string | null>;
  /**
   * Notes that the plan's write is about to leave and that its outcome is unknown until settled, in one
   * transaction. False when it had already left once, when it is not its link's newest or rests on an observation from
   * before `notBefore`, or when it is a create and the link has a counterpart by now, or was separated from one: then
   * nothing may be sent, and the record is observed again.
   */
  markSent(tenant: string, planId: string, sending: Sending): Promise<boolean>;
  settle(tenant: string, key: string, settlement: Settlement): Promise<Link>;

  /**
   * Counts the links up as due, opening those that do not exist; the keys, in the order given. One transaction with the
   * cursor when given. An entry with a vendor id alone says that the vendor's side changed (`Link.vendorDue`).
   */
  markDue(
    tenant: string,
    ids: readonly LinkIds[],
    at: string,
    cursor?: CursorMove,
  ): Promise<readonly string[]>;
  /** Those of the row versions that the stream has not shown before, in the order given. */
  unseenRows<Row extends RowVersion>(
    tenant: string,
    stream: string,
    rows: readonly Row[],
  ): Promise<readonly Row[]>;
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
  /**
   * Counts the links up as due, on both sides, that are to be looked at again by themselves by now and are not due, so many
   * at most; their keys.
   */
  markRetries(tenant: string, at: string, limit: number): Promise<readonly string[]>;
  /** Keys of due links, longest waiting first. `olderThan` leaves out those marked later, and adds those left in the lane since, untold. */
  dueKeys(tenant: string, limit: number, olderThan?: string): Promise<readonly string[]>;

  /** How many links of bursts are due outside of the lane, and work on them is not held up by anything that passes by itself; more than 200 are not counted. */
  countOnTheirWay(tenant: string): Promise<number>;
  /**
   * Records of bursts that are due, in sync, and of which no change at the vendor was marked since they were read, longest waiting
   * first; at most `limit`, none of the vendor ids in `but`.
   */
  dueTogether(
    tenant: string,
    excluding: readonly string[],
    limit: number,
  ): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]>;
  /** Moves the waiting time of due links to `at`, so that `dueKeys` with `olderThan` leaves alone what was just woken. */
  markWoken(tenant: string, keys: readonly string[], at: string): Promise<void>;
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

  /**
   * Notes rows of a stream that cannot be taken in, by what stands in the place of their id, of which only a hash is kept. How
   * many of them were not known before.
   */
  parkRows(tenant: string, stream: string, ids: readonly string[], at: string): Promise<number>;
  /** When each of a tenant's cursors was last moved, and what is parked of its rows. */
  streamReads(tenant: string): Promise<readonly StreamRead[]>;

  /**
   * Keeps rows of a stream that the CRM refused, sealed, to be tried again later each time, and forgets those that it took.
   * False, and none is kept, where there are too many.
   */
  settleRows(tenant: string, stream: string, outcomes: RowOutcomes, at: string): Promise<boolean>;
  /** Rows of a stream that the CRM refused and that are to be tried again by now; at most `limit`. */
  refusedRows(tenant: string, stream: string, at: string, limit: number): Promise<readonly CrmFields[]>;
  /**
   * Has all of a tenant's rows that were refused, by the CRM or by the vendor that was asked for their details, tried again
   * with the next read of their streams; how many would have waited.
   */
  retryRefusedRows(tenant: string, at: string): Promise<number>;

  /** Moves a cursor, and what its stream is known to have shown with it, in one transaction. */
  moveCursor(tenant: string, move: CursorMove, at: string): Promise<void>;
  /** The same for streams of which nothing is to be remembered, each once. One statement. */
  moveCursors(tenant: string, moves: readonly QuietMove[], at: string): Promise<void>;
  cursor(tenant: string, stream: string): Promise<unknown | null>;
  /** The same of several streams, in the order given. */
  cursors(tenant: string, streams: readonly string[]): Promise<readonly (unknown | null)[]>;
  saveCursor(tenant: string, stream: string, position: unknown, at: string): Promise<void>;
  /** Has streams begin anew with their next read. */
  forgetCursors(tenant: string, streams: readonly string[]): Promise<void>;

  /**
   * Stores webhook deliveries and marks their links due, in one transaction; answers in the order given. `fresh` is
   * false for one that was stored and signalled before; one that was stored and not signalled counts as fresh again.
   */
  recordDeliveries(
    tenant: string,
    deliveries: readonly Delivery[],
    at: string,
  ): Promise<readonly RecordedDelivery[]>;
  markSignalled(tenant: string, deliveryIds: readonly string[], at: string): Promise<void>;
  /**
   * Deletes what was kept of a tenant long enough, a bounded number of rows, and how many; null where that was done within the hour.
   * Lines of the journal that are written from then on stay for as long as it says.
   */
  keepRetention(tenant: string, keep: Retention, at: string): Promise<Forgotten | null>;

  /**
   * Takes one request out of the tenant's known quota, or tells until when to wait. Unknown quota allows.
   * Atomic across the fleet: with n left, n callers pass.
   */
  reserveRequest(tenant: string, quota: Quota, at: string, claim?: QuotaClaim): Promise<QuotaVerdict>;
  /** Feeds an answer's rate-limit headers (sales spec section 8), or a 429 (`remaining` 0) with its reset. */
  reportQuota(
    tenant: string,
    quota: Quota,
    seen: {
      readonly limit: number | null;
      readonly remaining: number;
      readonly resetSeconds: number;
      readonly at: string;
    },
  ): Promise<void>;

  /** What is known of a tenant's quotas, as it was told last; nothing is taken out of them. */
  quotas(tenant: string): Promise<readonly QuotaKnown[]>;

  /** Newest change first; `code`: those of which an issue has it. */
  listLinks(
    tenant: string,
    filter: { readonly state?: LinkState; readonly code?: IssueCode; readonly limit: number },
  ): Promise<readonly LinkRow[]>;
  /** How many links have an issue of which code, most first. */
  countByIssue(tenant: string): Promise<readonly { readonly code: IssueCode; readonly records: number }[]>;
  countByState(tenant: string): Promise<Readonly<Record<string, number>>>;
  /** What monitoring asks of all tenants, for the same few statements however many they are. */
  figures(): Promise<LedgerFigures>;
  journal(tenant: string, key: string, limit: number): Promise<readonly JournalEntry[]>;
  /** Adds a line to a record's journal that changes nothing of the record, such as that somebody looked at it. */
  addToJournal(tenant: string, key: string, entry: JournalEntry): Promise<void>;

  /** Size of the whole database on disk, in bytes. */
  sizeBytes(): Promise<number>;
  /** Runs a trivial query; throws when the database is not there. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
