import type { LinkState } from '../../domain/record/link-state.ts';
import type { OfTenants } from '../core/by-tenant.ts';
import type { IssueCount, LinkRow } from '../links/link-ledger.ts';
import type { MirrorCounts } from '../mirror/mirror-ledger.ts';
import type { RefusedNotices } from '../mirror/news-ledger.ts';
import type { WaitingCount } from '../queue/waiting-ledger.ts';
import type { Pause, QuotaKnown } from '../quota/quota-ledger.ts';
import type { NotedCode, StreamRead } from '../streams/stream-ledger.ts';
import type { LedgerFigures } from './figures.ts';

/** States that are told as they are kept, whatever is due. */
export type KeptState = Exclude<LinkState, 'in-sync' | 'pending'>;

/**
 * Where many tenants stand, each as the call of a similar name tells it of one. One statement each, however many tenants there are, which meets
 * the rows of those alone that it names.
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
  /** At most `limit` of each state of each tenant, by state in the order given, newest change first. */
  listLinksOf(
    tenants: readonly string[],
    filter: { readonly states: readonly KeptState[]; readonly limit: number },
  ): Promise<OfTenants<readonly LinkRow[]>>;
}

/** When a cursor was moved last, and when its stream last told of something; ISO. */
export type StreamTimes = {
  readonly tenant: string;
  readonly stream: string;
  readonly readAt: string;
  readonly foundAt: string | null;
};

/** A part of what the cursor of a stream, or of what is kept beside streams, holds: the names that lead there. */
export type CursorPart = { readonly stream: string; readonly path: readonly string[] };

/** What stands there of a tenant; parts that are not there are left out. */
export type FoundPart = CursorPart & { readonly tenant: string; readonly value: unknown };

/** What is asked of many tenants at once. One statement each, however many they are. */
export interface FleetLedger {
  streamTimes(tenants: readonly string[]): Promise<readonly StreamTimes[]>;
  cursorParts(tenants: readonly string[], parts: readonly CursorPart[]): Promise<readonly FoundPart[]>;
  /** As `notedCodes` of each. */
  notedCodesOf(tenants: readonly string[]): Promise<ReadonlyMap<string, readonly NotedCode[]>>;
  /** Notes that a tenant's stream told of something. */
  noteStreamFound(tenant: string, stream: string, at: string): Promise<void>;
  /**
   * Those of the tenants of which something is due since `before` or longer, is to be tried again by `at`, or waits since `unreportedSince`
   * or longer without the CRM's having been told, or was perhaps told at `reportingSince` or before: what `wakeOverdue` is about.
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
  /** What monitoring asks of all tenants, for the same few statements however many they are. */
  figures(): Promise<LedgerFigures>;
}
