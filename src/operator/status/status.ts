import { AUDIT_CURSOR, type AuditResult } from '../../domain/audit/audit-result.ts';
import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import type { VendorChange } from '../../domain/streams/announced-changes.ts';
import { CATALOG_STREAMS, seenOf } from '../../domain/streams/catalog-refresh.ts';
import { LOAD_PAUSE } from '../../domain/streams/orders-load.ts';
import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { failureOf, type StreamFailure } from '../../domain/streams/stream-failure.ts';
import { cursorOf, STREAM_NAMES, type StreamName } from '../../domain/streams/streams.ts';
import type { LinkRow } from '../../ledger/links/link-ledger.ts';
import type { WaitingCount } from '../../ledger/queue/waiting-ledger.ts';
import type { TenantLedger, UnavailableReport } from '../../ledger/tenants/tenant-ledger.ts';
import type { OrgWatch } from '../../observe/mapping/org-watch.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { type LoadKept, type OrdersProgress, ordersProgress } from '../runs/orders-progress.ts';
import { type CrmCallsToday, crmCallsToday } from './crm-calls.ts';
import { type Flow, type FlowTenant, flowOf } from './flow.ts';
import { overdueStreams } from './overdue-streams.ts';
import { type OwnerNotices, withRepair } from './owner-notices.ts';
import { pauseOpens } from './pause-opens.ts';
import { type FactsLedger, statusFacts, type TenantFacts } from './status-facts.ts';
import { type StoppedStream, stopsOf } from './stopped-streams.ts';
import { type VendorWatch, vendorWatchOf } from './vendor-watch.ts';

export type TenantStatus = {
  readonly tenant: string;
  /** How many records are in which state. */
  readonly records: Readonly<Record<string, number>>;
  readonly paused: readonly {
    readonly group: OperationGroup;
    readonly reason: string;
    readonly since: string;
    /** Where its cause is looked at, and what ends it. */
    readonly opens: string;
  }[];
  /** Streams whose last try failed by a remote system, and why. */
  readonly failing: readonly FailingStream[];
  /** Streams that have not been read for long. */
  readonly overdue: readonly OverdueStream[];
  /** Streams of which the org lacks an object or a field, or does not let our user: their cursors stay where they are. */
  readonly stopped: readonly StoppedStream[];
  /** How many rows of a stream Salesforce refused, by stream and reason; they are kept, and tried again. */
  readonly refusedRows: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Owners whom Salesforce does not let be told of their orders, by reason. */
  readonly ownerNotices: readonly OwnerNotices[];
  /** Rows of streams that name no record, by stream. */
  readonly parkedRows: Readonly<Record<string, number>>;
  /** What is known and on its way for longer than moments, by what it waits for: it ends without anybody's acting. */
  readonly waiting: readonly WaitingCount[];
  /** What the last audit found to differ, that nothing open explains; null where none has ended yet. */
  readonly drift: Drift | null;
  /** What the last look at the org has shown; null before the first. */
  readonly org: Pick<OrgWatch, 'changes' | 'problems'> | null;
  /** What of the vendor's side is not as the tables say, or not as it was. */
  readonly vendor: VendorWatch;
  /** How its changes get through: lag, backlog, causes, quota. */
  readonly flow: Flow;
  /** What of the org's daily API calls is ours; null where the org has told nothing within a day. */
  readonly crmCalls: CrmCallsToday | null;
  /** How far the vendor's orders have come into the CRM; null where none was found. */
  readonly orders: OrdersProgress | null;
  /** The records that need somebody, up to twenty of a state. */
  readonly attention: readonly Pick<LinkRow, 'key' | 'crmId' | 'vendorId' | 'state' | 'issues'>[];
};

/** How many records differ, and how many of them were marked due. `at`: when the audit began, ISO. */
export type Drift = { readonly records: number; readonly repaired: number; readonly at: string };

/** A stream that has not been read for longer than it should. */
export type OverdueStream = { readonly stream: StreamName; readonly readAt: string };

/** `readAt`: when it was read last. */
export type FailingStream = StreamFailure & { readonly stream: StreamName; readonly readAt: string };

export type Status = {
  readonly shape: 'status/1';
  readonly tenants: readonly TenantStatus[];
  /** What processes cannot serve, and why. */
  readonly unavailable: readonly UnavailableReport[];
};

export type StatusTenant = FlowTenant &
  Pick<Tenant, 'mapping'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

export type StatusLedger = FactsLedger & Pick<TenantLedger, 'unavailableTenants'>;

/**
 * How many records of each tenant are in which state, what is paused or overdue, what waits, and which records need somebody. `now` is an
 * ISO instant.
 */
export async function readStatus(
  ledger: StatusLedger,
  tenants: readonly StatusTenant[],
  now: string,
): Promise<Status> {
  const names = tenants.map(({ tenant }) => tenant);
  const facts = await statusFacts(ledger, names, now);
  return {
    shape: 'status/1',
    tenants: tenants.flatMap((of) => {
      const own = facts.get(of.tenant);
      return own === undefined ? [] : [statusOf(of, own, now)];
    }),
    unavailable: await ledger.unavailableTenants(reportedSince(now)),
  };
}

/** True when a record needs somebody, a tenant is paused or cannot be served, the org lets a field not travel, or what a remote shows is not read. */
export function needsAttention({ tenants, unavailable }: Omit<Status, 'shape'>): boolean {
  return (
    unavailable.length > 0 ||
    tenants.some(
      ({ attention, paused, overdue, stopped, ownerNotices, parkedRows, refusedRows, org }) =>
        org?.problems.some(({ verdict }) => verdict === 'fails') === true ||
        [attention, paused, overdue, stopped, ownerNotices].some(({ length }) => length > 0) ||
        [parkedRows, refusedRows].some((rows) => Object.keys(rows).length > 0),
    )
  );
}

function statusOf(of: StatusTenant, facts: TenantFacts, now: string): TenantStatus {
  const { tenant } = of;
  const { reads, kept } = facts;
  const parked = reads.filter(({ parkedRows }) => parkedRows > 0);
  return {
    tenant,
    records: facts.records,
    paused: facts.pauses.map((pause) => ({ ...pause, opens: pauseOpens(pause.group, tenant) })),
    failing: failingStreams(facts),
    overdue: overdueStreams(of, reads, now),
    stopped: stopsOf(kept),
    parkedRows: Object.fromEntries(parked.map(({ stream, parkedRows }) => [stream, parkedRows])),
    refusedRows: Object.fromEntries(
      reads.flatMap(({ stream, refusedRows }) =>
        Object.keys(refusedRows).length === 0 ? [] : [[stream, refusedRows]],
      ),
    ),
    ownerNotices: facts.refusedNotices.map(withRepair),
    waiting: facts.waiting.long,
    drift: driftOf(kept),
    org: orgOf(kept),
    vendor: vendorWatchOf(vendorChanges(kept), facts.codes, of.mapping),
    flow: flowOf(of, facts, now),
    crmCalls: crmCallsToday(facts.crmUse, of.salesforce.apiShare),
    orders: ordersProgress(facts.mirrored, loadOf(kept), now),
    attention: facts.attention.map(({ key, crmId, vendorId, state, issues }) => ({
      ...{ key, crmId, vendorId, state, issues },
    })),
  };
}

type Kept = TenantFacts['kept'];

const LOADED = cursorOf('loadOrders');
const ORG = cursorOf('watchOrg');

/** What was read since has not failed. */
function failingStreams({ reads, kept }: Pick<TenantFacts, 'reads' | 'kept'>): readonly FailingStream[] {
  return STREAM_NAMES.flatMap((stream) => {
    const readAt = expectedReadOf(stream, reads);
    const failure = (kept(failureOf(stream)) ?? null) as StreamFailure | null;
    return failure === null || readAt === undefined || failure.at <= readAt
      ? []
      : [{ stream, readAt, ...failure }];
  });
}

/** Null where no audit has ended yet. */
function driftOf(kept: Kept): Drift | null {
  const of = <K extends keyof AuditResult>(name: K) =>
    kept(AUDIT_CURSOR, 'last', name) as AuditResult[K] | undefined;
  const [records, repaired, at] = [of('differing'), of('repaired'), of('startedAt')];
  return records === undefined || repaired === undefined || at === undefined
    ? null
    : { records, repaired, at };
}

/** Null before the first look at it. */
function orgOf(kept: Kept): TenantStatus['org'] {
  const problems = kept(ORG, 'problems') as OrgWatch['problems'] | undefined;
  const changes = kept(ORG, 'changes') as OrgWatch['changes'] | undefined;
  return problems === undefined && changes === undefined
    ? null
    : { changes: changes ?? [], problems: problems ?? [] };
}

function loadOf(kept: Kept): LoadKept {
  const since = kept(LOADED, 'since') as string | null | undefined;
  const until = kept(LOADED, 'at', 'until') as string | undefined;
  const loaded = since == null || until === undefined ? null : { since, until };
  return { loaded, pausedSince: (kept(LOAD_PAUSE, 'since') ?? null) as string | null };
}

function vendorChanges(kept: Kept): readonly VendorChange[] {
  return CATALOG_STREAMS.flatMap(
    (stream) => (kept(seenOf(stream), 'changes') ?? []) as readonly VendorChange[],
  );
}
