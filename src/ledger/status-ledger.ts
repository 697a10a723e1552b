import type { IssueCode } from '../domain/record/issue.ts';
import type { LinkState } from '../domain/record/link-state.ts';
import type { MirrorCounts } from './mirror-ledger.ts';
import type { RefusedNotices } from './news-ledger.ts';
import type { Pause } from './pause-ledger.ts';
import type { LinkRow, QuotaKnown, StreamRead, WaitingCount } from './status-rows.ts';

/** By the tenants that were named; those of which there is nothing to tell are left out. */
export type OfTenants<T> = ReadonlyMap<string, T>;

/** States that are told as they are kept, whatever is due. */
export type KeptState = Exclude<LinkState, 'in-sync' | 'pending'>;

export type IssueCount = { readonly code: IssueCode; readonly records: number };

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
