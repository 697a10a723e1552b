import type { LinkState } from '../../domain/record/link-state.ts';
import type { OfTenants } from '../core/by-tenant.ts';
import type { IssueCount, LinkRow } from '../links/link-ledger.ts';
import type { MirrorCounts } from '../mirror/mirror-ledger.ts';
import type { RefusedNotices } from '../mirror/news-ledger.ts';
import type { WaitingCount } from '../queue/waiting-ledger.ts';
import type { Pause, QuotaKnown } from '../quota/quota-ledger.ts';
import type { NotedCode, StreamRead } from '../streams/stream-ledger.ts';
import type { LedgerFigures } from './figures.ts';

/**
 * States that users see of a link even while a new change of its record waits to be synced. Two states are left out: `pending`, and
 * `in-sync`, because a link in sync with such a change is shown as `pending`.
 */
export type KeptState = Exclude<LinkState, 'in-sync' | 'pending'>;

/**
 * The status of many tenants. Each call reads one kind of fact about many tenants with one statement, and returns the results by tenant.
 * Other parts of the ledger have a call of a similar name for one tenant.
 */
export interface StatusLedger {
  streamReadsOf(tenants: readonly string[]): Promise<OfTenants<readonly StreamRead[]>>;
  countByStateOf(tenants: readonly string[]): Promise<OfTenants<Readonly<Record<string, number>>>>;
  countByIssueOf(tenants: readonly string[]): Promise<OfTenants<readonly IssueCount[]>>;
  countWaitingOf(tenants: readonly string[], before: string): Promise<OfTenants<readonly WaitingCount[]>>;
  countMirroredOf(tenants: readonly string[]): Promise<OfTenants<MirrorCounts>>;
  pausesOf(tenants: readonly string[]): Promise<OfTenants<readonly Pause[]>>;
  quotasOf(tenants: readonly string[]): Promise<OfTenants<readonly QuotaKnown[]>>;
  refusedNoticesOf(tenants: readonly string[]): Promise<OfTenants<readonly RefusedNotices[]>>;
  /**
   * The links of each tenant in the given states: sorted by state in the given order, then newest change first, at most `limit` of each
   * state.
   */
  listLinksOf(
    tenants: readonly string[],
    filter: { readonly states: readonly KeptState[]; readonly limit: number },
  ): Promise<OfTenants<readonly LinkRow[]>>;
}

/** When a stream (a regular read) last stored its position (`readAt`), and when it last found a change (`foundAt`; null if never), ISO. */
export type StreamTimes = {
  readonly tenant: string;
  readonly stream: string;
  readonly readAt: string;
  readonly foundAt: string | null;
};

/** One property of a stream's cursor (stored position). `path`: the names of the nested properties that lead to it. */
export type CursorPart = { readonly stream: string; readonly path: readonly string[] };

/** The value of one property of a tenant's cursor (the stored position of a stream). Properties that the cursor lacks are left out. */
export type FoundPart = CursorPart & { readonly tenant: string; readonly value: unknown };

/**
 * Facts from which Lockstep plans its work for many tenants: times and positions of streams (regular reads), unknown vendor codes, and
 * which tenants have overdue work. Each call is one statement.
 */
export interface FleetLedger {
  streamTimes(tenants: readonly string[]): Promise<readonly StreamTimes[]>;
  cursorParts(tenants: readonly string[], parts: readonly CursorPart[]): Promise<readonly FoundPart[]>;
  /** For each tenant, the codes of the vendor that were read and that Lockstep does not know, with the number of reads (`NotedCode`). */
  notedCodesOf(tenants: readonly string[]): Promise<ReadonlyMap<string, readonly NotedCode[]>>;
  /** Stores when a stream (a regular read) of a tenant has found a change, so that the stream is then read more often. */
  noteStreamFound(tenant: string, stream: string, at: string): Promise<void>;
  /**
   * The tenants for which there is overdue work. Each of these five is work. A link has been due since `before` or longer. A retry is due
   * at `at`. A link has waited since `unreportedSince` or longer without a report to users. A report was about to be sent at
   * `reportingSince` or earlier and has no result. News of a deal must be sent to its owner, or dropped, at `at`.
   */
  tenantsToWake(
    tenants: readonly string[],
    when: {
      readonly before: string;
      readonly unreportedSince: string;
      readonly reportingSince: string;
      readonly at: string;
    },
  ): Promise<readonly string[]>;
}

export interface StatsLedger extends StatusLedger, FleetLedger {
  /** The figures that monitoring reads, of all tenants, with a fixed number of statements. */
  figures(): Promise<LedgerFigures>;
}
