import type { IssueCode } from '../../domain/record/issue.ts';
import { ISSUE_CATALOG } from '../../domain/record/issue-catalog.ts';
import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { POLLED_STREAMS, type StreamName } from '../../domain/streams/streams.ts';
import type { WaitingCount } from '../../ledger/queue/waiting-ledger.ts';
import type { QuotaKnown } from '../../ledger/quota/quota-ledger.ts';
import type { StreamTenant } from '../../platform/stream-rhythm.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { costOf } from '../plan/plan-cost.ts';
import type { TenantFacts } from './status-facts.ts';

export type FlowTenant = StreamTenant & {
  readonly vendor: StreamTenant['vendor'] & Pick<Tenant['vendor'], 'ratePerSecond'>;
};

/** How fast a tenant's changes are synced. */
export type Flow = {
  /**
   * When each stream (source of changes) was last read, and how many seconds ago. Leaves out streams that were never read, and the first
   * load of orders while an operator has paused it.
   */
  readonly lag: readonly { readonly stream: StreamName; readonly readAt: string; readonly seconds: number }[];
  /**
   * How many records are due (have a change to sync), since when, and in how many seconds they will probably be synced. `boundBy`: the
   * limit that determines this time. Null if no record is due.
   */
  readonly backlog: {
    readonly records: number;
    readonly since: string;
    readonly seconds: number;
    readonly boundBy: 'rate' | 'quota';
  } | null;
  /** The numbers of records that wait until a user or operator acts, or for their next retry, by issue code, most frequent first. */
  readonly causes: readonly { readonly code: IssueCode; readonly records: number }[];
  /** The known states of the vendor's rate limits, from its last answers. */
  readonly quotas: readonly QuotaKnown[];
};

/**
 * Computes how fast a tenant's changes are synced. The estimated time for the due records assumes one vendor update for each record. `now`:
 * ISO.
 */
export function flowOf(
  { vendor }: FlowTenant,
  { reads, quotas, issues, waiting }: Pick<TenantFacts, 'reads' | 'quotas' | 'issues' | 'waiting'>,
  now: string,
): Flow {
  const causes = issues.filter(({ code }) => ISSUE_CATALOG[code].severity !== 'informs');
  return {
    lag: POLLED_STREAMS.flatMap((stream) => {
      const readAt = expectedReadOf(stream, reads);
      return readAt === undefined ? [] : [{ stream, readAt, seconds: secondsBetween(readAt, now) }];
    }),
    backlog: backlogOf(waiting.atAll, quotas, {
      ratePerSecond: vendor.ratePerSecond,
      now,
    }),
    causes,
    quotas,
  };
}

function backlogOf(
  waiting: readonly WaitingCount[],
  quotas: readonly QuotaKnown[],
  at: { readonly ratePerSecond: number; readonly now: string },
): Flow['backlog'] {
  const records = waiting.reduce((sum, count) => sum + count.records, 0);
  const [since] = waiting.map((count) => count.since).sort();
  if (since === undefined) return null;
  const quota = quotas.find((known) => known.quota === 'vendor-sales') ?? null;
  const { seconds, boundBy } = costOf({ actions: { 'update-at-vendor': records } }, quota, at);
  return { records, since, seconds, boundBy };
}

function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
}
