import { AUDIT_CURSOR, type AuditResult } from '../../domain/audit/audit-result.ts';
import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import type { VendorChange } from '../../domain/streams/announced-changes.ts';
import { CATALOG_STREAMS, seenOf } from '../../domain/streams/catalog-refresh.ts';
import { LOAD_PAUSE } from '../../domain/streams/orders-load.ts';
import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { failureOf, type StreamFailure } from '../../domain/streams/stream-failure.ts';
import { cursorOf, STREAM_NAMES, type StreamName } from '../../domain/streams/streams.ts';
import type { LinkRow } from '../../ledger/links/link-ledger.ts';
import type { Undelivered } from '../../ledger/notices/notice-ledger.ts';
import type { WaitingCount } from '../../ledger/queue/waiting-ledger.ts';
import type { TenantLedger, UnavailableReport } from '../../ledger/tenants/tenant-ledger.ts';
import type { OrgWatch } from '../../observe/mapping/org-watch.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { type LoadKept, type OrdersProgress, ordersProgress } from '../runs/orders-progress.ts';
import { type CrmCallsToday, crmCallsToday } from './crm-calls.ts';
import { type Flow, type FlowTenant, flowOf } from './flow.ts';
import { CHANGES_PART, type FollowedChanges, followedChanges } from './followed-changes.ts';
import { overdueStreams } from './overdue-streams.ts';
import { type OwnerNotices, withRepair } from './owner-notices.ts';
import { pauseOpens } from './pause-opens.ts';
import { type FactsLedger, type Kept, statusFacts, type TenantFacts } from './status-facts.ts';
import { type StoppedStream, stopsOf } from './stopped-streams.ts';
import { type VendorWatch, vendorWatchOf } from './vendor-watch.ts';

export type TenantStatus = {
  readonly tenant: string;
  readonly records: Readonly<Record<string, number>>;
  readonly paused: readonly {
    readonly group: OperationGroup;
    readonly reason: string;
    readonly since: string;
    /** What will end the pause, in words, with the commands that show its cause and end it. */
    readonly opens: string;
  }[];
  /** Streams (sources of changes) whose last read failed at the CRM or the vendor, with the reason. */
  readonly failing: readonly FailingStream[];
  readonly overdue: readonly OverdueStream[];
  /** How change events are received from Salesforce's Pub/Sub API; null if they never were. */
  readonly changes: FollowedChanges | null;
  /**
   * Streams (sources of changes) that are stopped because the org lacks their object or fields, or hides them from the integration user.
   * The next read of a stopped stream continues where its last complete read ended, so no change is lost.
   */
  readonly stopped: readonly StoppedStream[];
  /**
   * The number of rows that Salesforce refused to store, by stream (source of the rows) and reason. Under the reason `UNREADABLE`: rows
   * that the vendor's search returns, but whose details the vendor does not return. Lockstep tries all of them again.
   */
  readonly refusedRows: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Notices that Salesforce refuses, grouped by reason. A notice is a message to the owner of a deal or an order. */
  readonly ownerNotices: readonly OwnerNotices[];
  /** Channels (such as e-mail or Slack) that do not accept the messages to operators about this tenant. */
  readonly undelivered: readonly Undelivered[];
  /** How many rows of each stream (source of changes) Lockstep read but did not sync, because they have no usable record id. */
  readonly parkedRows: Readonly<Record<string, number>>;
  /**
   * Records whose change has waited for more than five seconds, counted by what they wait for. These waits end without a user or operator.
   */
  readonly waiting: readonly WaitingCount[];
  /** The number of records in which the last audit found a difference that no open issue explains; null if no audit was ever completed. */
  readonly drift: Drift | null;
  /** The changes and problems that the last check of the org found; null before the first check. */
  readonly org: Pick<OrgWatch, 'changes' | 'problems'> | null;
  /**
   * The newest published mapping if this process cannot decrypt it, with the version that applies instead; null if the newest one applies.
   */
  readonly unopenedMapping: NonNullable<Tenant['unopenedMapping']> | null;
  /** Codes in vendor records that neither the vendor's documents nor the tenant's mapping contain, and changes of the vendor's catalog. */
  readonly vendor: VendorWatch;
  /** How fast changes are synced: times of the last reads, number of due records, causes of waiting, and quota. */
  readonly flow: Flow;
  /** Lockstep's part of the org's daily API calls; null if the org reported no numbers within a day. */
  readonly crmCalls: CrmCallsToday | null;
  /**
   * How many of the vendor's orders were copied into the CRM; null if no order was ever found and no first load of orders is running or
   * paused.
   */
  readonly orders: OrdersProgress | null;
  /** The records that need a user or operator, up to twenty for each sync state. */
  readonly attention: readonly Pick<LinkRow, 'key' | 'crmId' | 'vendorId' | 'state' | 'issues'>[];
};

/**
 * The last audit's drift: in how many records CRM and vendor differed although no open issue explains it, and for how many of these the
 * audit requested a sync (`repaired`). `at`: when the audit began, ISO.
 */
export type Drift = { readonly records: number; readonly repaired: number; readonly at: string };

/** A stream (source of changes) that has not been read for longer than allowed. `readAt`: when it was last read, ISO. */
export type OverdueStream = { readonly stream: StreamName; readonly readAt: string };

/** A stream (source of changes) whose last read failed. `readAt`: the time of its last successful read, ISO. */
export type FailingStream = StreamFailure & { readonly stream: StreamName; readonly readAt: string };

export type Status = {
  readonly shape: 'status/1';
  readonly tenants: readonly TenantStatus[];
  /** Tenants that a process cannot serve, with the reason. */
  readonly unavailable: readonly UnavailableReport[];
};

export type StatusTenant = FlowTenant &
  Pick<Tenant, 'mapping' | 'unopenedMapping'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

export type StatusLedger = FactsLedger & Pick<TenantLedger, 'unavailableTenants'>;

/**
 * Reads the state of every tenant from the ledger (Lockstep's database): records, pauses, overdue streams, waiting records, and records
 * that need a user or operator. `now`: ISO.
 */
export async function readStatus(ledger: StatusLedger, tenants: readonly StatusTenant[], now: string): Promise<Status> {
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

/**
 * Whether an operator or administrator must act, for example because of a waiting record, a pause, or a tenant that cannot be served.
 * Overdue and stopped streams, refused rows and undelivered notices count too. A stream whose last read failed does not count before it is
 * overdue.
 */
export function needsAttention({ tenants, unavailable }: Omit<Status, 'shape'>): boolean {
  return (
    unavailable.length > 0 ||
    tenants.some(
      ({
        attention,
        paused,
        overdue,
        stopped,
        ownerNotices,
        undelivered,
        parkedRows,
        refusedRows,
        org,
        unopenedMapping,
      }) =>
        unopenedMapping !== null ||
        org?.problems.some(({ verdict }) => verdict === 'fails') === true ||
        [attention, paused, overdue, stopped, ownerNotices, undelivered].some(({ length }) => length > 0) ||
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
    paused: facts.pauses.map((pause) => ({ ...pause, opens: pauseOpens(pause.group, tenant, pause.reason) })),
    failing: failingStreams(facts),
    overdue: overdueStreams(of, reads, now),
    changes: followedChanges(kept(CHANGES_PART.stream)),
    stopped: stopsOf(kept),
    parkedRows: Object.fromEntries(parked.map(({ stream, parkedRows }) => [stream, parkedRows])),
    refusedRows: Object.fromEntries(
      reads.flatMap(({ stream, refusedRows }) =>
        Object.keys(refusedRows).length === 0 ? [] : [[stream, refusedRows]],
      ),
    ),
    ownerNotices: facts.refusedNotices.map(withRepair),
    undelivered: facts.undelivered,
    waiting: facts.waiting.long,
    drift: driftOf(kept),
    org: orgOf(kept),
    unopenedMapping: of.unopenedMapping ?? null,
    vendor: vendorWatchOf(vendorChanges(kept), facts.codes, of.mapping),
    flow: flowOf(of, facts, now),
    crmCalls: crmCallsToday(facts.crmUse, of.salesforce.apiShare),
    orders: ordersProgress(facts.mirrored, loadOf(kept), now),
    attention: facts.attention.map(({ key, crmId, vendorId, state, issues }) => ({
      ...{ key, crmId, vendorId, state, issues },
    })),
  };
}

const LOADED = cursorOf('loadOrders');
const ORG = cursorOf('watchOrg');

function failingStreams({ reads, kept }: Pick<TenantFacts, 'reads' | 'kept'>): readonly FailingStream[] {
  return STREAM_NAMES.flatMap((stream) => {
    const readAt = expectedReadOf(stream, reads);
    const failure = (kept(failureOf(stream)) ?? null) as StreamFailure | null;
    return failure === null || readAt === undefined || failure.at <= readAt ? [] : [{ stream, readAt, ...failure }];
  });
}

export function driftOf(kept: Kept): Drift | null {
  const of = <K extends keyof AuditResult>(name: K) => kept(AUDIT_CURSOR, 'last', name) as AuditResult[K] | undefined;
  const [records, repaired, at] = [of('differing'), of('repaired'), of('startedAt')];
  return records === undefined || repaired === undefined || at === undefined ? null : { records, repaired, at };
}

export function orgOf(kept: Kept): TenantStatus['org'] {
  const problems = kept(ORG, 'problems') as OrgWatch['problems'] | undefined;
  const changes = kept(ORG, 'changes') as OrgWatch['changes'] | undefined;
  return problems === undefined && changes === undefined ? null : { changes: changes ?? [], problems: problems ?? [] };
}

function loadOf(kept: Kept): LoadKept {
  const since = kept(LOADED, 'since') as string | null | undefined;
  const until = kept(LOADED, 'at', 'until') as string | undefined;
  const loaded = since == null || until === undefined ? null : { since, until };
  return { loaded, pausedSince: (kept(LOAD_PAUSE, 'since') ?? null) as string | null };
}

function vendorChanges(kept: Kept): readonly VendorChange[] {
  return CATALOG_STREAMS.flatMap((stream) => (kept(seenOf(stream), 'changes') ?? []) as readonly VendorChange[]);
}
