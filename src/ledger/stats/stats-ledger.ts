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
 * The states of a link that users see exactly as the ledger stores them. Two states are left out, because a link in sync is shown as
 * `pending` while a new change of its record waits. So the stored state `in-sync` may be shown as `pending`, and the shown state `pending`
 * includes links that are stored as `in-sync`.
 */
export type KeptState = Exclude<LinkState, 'in-sync' | 'pending'>;

/**
 * Facts that show how the sync of many tenants is doing, such as the last reads of streams, the number of links in each state, and quotas.
 * Each call reads one of these facts for all given tenants with one statement, and returns the results by tenant. For one tenant only,
 * other parts of the ledger have the same calls without `Of` in the name, such as `quotas`.
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
  /**
   * For each tenant, the unknown codes that the vendor's records contained: values of coded fields (such as the status) that Lockstep
   * cannot translate. Each comes with the number of reads that contained it (`NotedCode`).
   */
  notedCodesOf(tenants: readonly string[]): Promise<ReadonlyMap<string, readonly NotedCode[]>>;
  /** Stores when a stream (a regular read) of a tenant has found a change, so that the stream is then read more often. */
  noteStreamFound(tenant: string, stream: string, at: string): Promise<void>;
  /**
   * Finds the tenants that have overdue work, so that Lockstep wakes (signals) their workflows. One of these conditions is enough:
   * - `before`: a link has been due (has had a change to sync) since this instant or longer.
   * - `unreportedSince`: a change has waited since this instant or longer, and CRM users have got no report that it waits.
   * - `reportingSince`: a report to CRM users was begun at this instant or earlier, and its result is not known.
   * - `at` (the present instant): the retry of a link has come due.
   * - `at`: news of a deal (changed answers of the vendor) must be sent to the deal's owner, or is so old that it must be dropped.
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
