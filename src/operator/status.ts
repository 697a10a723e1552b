import type { OperationGroup } from '../domain/loop/operation-groups.ts';
import { readOf } from '../domain/streams/read-at.ts';
import { failureOf, type StreamFailure } from '../domain/streams/stream-failure.ts';
import { STREAM_NAMES, type StreamName } from '../domain/streams/streams.ts';
import type { Ledger, LinkRow, StreamRead, WaitingCount } from '../ledger/ledger.ts';
import type { UnavailableReport } from '../ledger/tenant-ledger.ts';
import type { OrgWatch } from '../observe/mapping/org-watch.ts';
import { reportedSince } from '../platform/live-roster.ts';
import type { Tenant } from '../platform/tenant.ts';
import { lastAudit } from './audit.ts';
import { type CrmCallsToday, crmCallsToday } from './crm-calls.ts';
import { type Flow, type FlowLedger, type FlowTenant, readFlow } from './flow.ts';
import { type OrdersProgress, readOrdersProgress } from './orders-progress.ts';
import { readOrg } from './org-watch.ts';
import { overdueStreams } from './overdue-streams.ts';
import { type OwnerNotices, withRepair } from './owner-notices.ts';
import { pauseOpens } from './pause-opens.ts';
import { type StoppedStream, stoppedStreams } from './stopped-streams.ts';
import { readVendorWatch, type VendorWatch } from './vendor-watch.ts';

/** States of a link that stay as they are until somebody acts. */
const NEEDS_ATTENTION = ['parked', 'conflict', 'vendor-missing'] as const;
/** Of each such state. */
const MOST_RECORDS = 20;

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

export type StatusLedger = FlowLedger &
  Pick<
    Ledger,
    | 'listLinks'
    | 'countByState'
    | 'countWaiting'
    | 'countMirrored'
    | 'pauses'
    | 'streamReads'
    | 'cursor'
    | 'cursors'
    | 'crmUse'
    | 'notedCodes'
    | 'refusedNotices'
    | 'unavailableTenants'
  >;

/** As many as a command has connections: who waits for one of a thousand others gives up. */
const TENANTS_AT_ONCE = 10;

/** What is on its way for less is usual. */
const MOMENTS_MS = 5_000;

/**
 * How many records of each tenant are in which state, what is paused or overdue, what waits, and which records need somebody. `now` is an
 * ISO instant.
 */
export async function readStatus(
  ledger: StatusLedger,
  tenants: readonly StatusTenant[],
  now: string,
): Promise<Status> {
  const statuses: TenantStatus[] = [];
  const left = tenants.entries();
  const readSome = async (): Promise<void> => {
    for (const [place, tenant] of left) statuses[place] = await readTenant(ledger, tenant, now);
  };
  await Promise.all(Array.from({ length: TENANTS_AT_ONCE }, readSome));
  return {
    shape: 'status/1',
    tenants: statuses,
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

async function readTenant(ledger: StatusLedger, of: StatusTenant, now: string): Promise<TenantStatus> {
  const { tenant } = of;
  const reads = await ledger.streamReads(tenant);
  const parked = reads.filter(({ parkedRows }) => parkedRows > 0);
  const lists = await Promise.all(
    NEEDS_ATTENTION.map((state) => ledger.listLinks(tenant, { state, limit: MOST_RECORDS })),
  );
  return {
    tenant,
    records: await ledger.countByState(tenant),
    paused: (await ledger.pauses(tenant)).map((pause) => ({
      ...pause,
      opens: pauseOpens(pause.group, tenant),
    })),
    failing: await failingStreams(ledger, tenant, reads),
    overdue: overdueStreams(of, reads, now),
    stopped: await stoppedStreams(ledger, tenant),
    parkedRows: Object.fromEntries(parked.map(({ stream, parkedRows }) => [stream, parkedRows])),
    refusedRows: Object.fromEntries(
      reads.flatMap(({ stream, refusedRows }) =>
        Object.keys(refusedRows).length === 0 ? [] : [[stream, refusedRows]],
      ),
    ),
    ownerNotices: (await ledger.refusedNotices(tenant)).map(withRepair),
    waiting: await ledger.countWaiting(tenant, new Date(Date.parse(now) - MOMENTS_MS).toISOString()),
    drift: await driftOf(ledger, tenant),
    org: await readOrg(ledger, tenant),
    vendor: await readVendorWatch(ledger, tenant, of.mapping),
    flow: await readFlow(ledger, of, reads, now),
    crmCalls: crmCallsToday((await ledger.crmUse([tenant], now)).get(tenant), of.salesforce.apiShare),
    orders: await readOrdersProgress(ledger, tenant, now),
    attention: lists
      .flat()
      .map(({ key, crmId, vendorId, state, issues }) => ({ key, crmId, vendorId, state, issues })),
  };
}

/** What was read since has not failed. */
async function failingStreams(
  ledger: Pick<StatusLedger, 'cursors'>,
  tenant: string,
  reads: readonly StreamRead[],
): Promise<readonly FailingStream[]> {
  const failures = await ledger.cursors(tenant, STREAM_NAMES.map(failureOf));
  return STREAM_NAMES.flatMap((stream, place) => {
    const readAt = readOf(stream, reads);
    const failure = (failures[place] ?? null) as StreamFailure | null;
    return failure === null || readAt === undefined || failure.at <= readAt
      ? []
      : [{ stream, readAt, ...failure }];
  });
}

async function driftOf(ledger: Pick<StatusLedger, 'cursor'>, tenant: string): Promise<Drift | null> {
  const last = await lastAudit(ledger, tenant);
  return last === null ? null : { records: last.differing, repaired: last.repaired, at: last.startedAt };
}
