import { AUDIT_CURSOR } from '../../domain/audit/audit-result.ts';
import { CATALOG_STREAMS, seenOf } from '../../domain/streams/catalog-refresh.ts';
import { LOAD_PAUSE } from '../../domain/streams/orders-load.ts';
import { expectedReadOf } from '../../domain/streams/read-at.ts';
import { cursorOf, POLLED_STREAMS } from '../../domain/streams/streams.ts';
import type { BudgetLedger } from '../../ledger/quota/quota-ledger.ts';
import type { CursorPart, FleetLedger, FoundPart, StreamTimes } from '../../ledger/stats/stats-ledger.ts';
import type { OrgWatch } from '../../observe/mapping/org-watch.ts';
import type { StreamTenant } from '../../platform/stream-rhythm.ts';
import type { Tenant } from '../../platform/tenant.ts';
import { CHANGES_PART, type FollowedChanges, followedChanges } from '../status/followed-changes.ts';
import { overdueStreams } from '../status/overdue-streams.ts';
import { unknownCodes } from '../status/vendor-watch.ts';
import { callGauges, showCalls } from './crm-calls-metrics.ts';
import { type Gauge, type GaugeText, gaugeText } from './gauge-text.ts';

type StreamMetricsTenant = StreamTenant &
  Pick<Tenant, 'mapping'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

type AskedLedger = Pick<FleetLedger, 'streamTimes' | 'cursorParts' | 'notedCodesOf'>;

/**
 * Makes a function that returns the Prometheus metrics of each tenant's streams (sources of changes), org and catalog, as text. Each call
 * sends a fixed number of SQL statements. The text is empty if the ledger (Lockstep's database) cannot be read.
 */
export function streamMetrics(
  ledger: AskedLedger & Pick<BudgetLedger, 'crmUse'>,
  tenantsNow: () => readonly StreamMetricsTenant[],
  now: () => string,
): () => Promise<string> {
  return async () => {
    try {
      const gauges = gaugeText();
      const ages = ageGauges(gauges);
      const drift = gauges.gauge(
        'lockstep_drift_records',
        'Records that differed without a known reason in the last audit.',
        'tenant',
      );
      const org = orgGauges(gauges);
      const vendor = vendorGauges(gauges);
      const paused = gauges.gauge(
        'lockstep_orders_load_paused_seconds',
        'Seconds since an operator paused the first load of orders.',
        'tenant',
      );
      const changes = changesGauges(gauges);
      const calls = callGauges(gauges);
      const tenants = tenantsNow();
      const names = tenants.map(({ tenant }) => tenant);
      // In parallel, because a busy worker resumes late after every await.
      const [{ times, parts, codes }] = await Promise.all([
        askOf(ledger, names),
        showCalls(calls, ledger, tenants, now()),
      ]);
      for (const of of tenants) {
        const { tenant, mapping } = of;
        const kept = partsOf(parts.get(tenant) ?? []);
        if (kept.differing !== null) drift.set({ tenant }, kept.differing);
        setOrg(org, tenant, kept.org);
        if (kept.changes !== null) setChanges(changes, tenant, kept.changes, now());
        vendor.codes.set({ tenant }, unknownCodes(codes.get(tenant) ?? [], mapping).length);
        vendor.changes.set({ tenant }, kept.catalogChanges);
        const reads = times.get(tenant) ?? [];
        setAges(ages, of, reads, now());
        const pause = reads.find(({ stream }) => stream === LOAD_PAUSE);
        if (pause !== undefined) paused.set({ tenant }, secondsSince(pause.readAt, now()));
      }
      return gauges.text();
    } catch {
      return '';
    }
  };
}

async function askOf(ledger: AskedLedger, names: readonly string[]) {
  const [times, parts, codes] = await Promise.all([
    ledger.streamTimes(names),
    ledger.cursorParts(names, Object.values(PARTS).flat()),
    ledger.notedCodesOf(names),
  ]);
  const byTenant = <T extends { readonly tenant: string }>(rows: readonly T[]) =>
    Map.groupBy(rows, ({ tenant }) => tenant);
  return { times: byTenant(times), parts: byTenant(parts), codes };
}

const ORG = cursorOf('watchOrg');

/**
 * The properties of cursors that the metrics need. A cursor is a value that the ledger stores for a tenant by name, such as the result of
 * the last check of the org. Other properties are not read, because they can be long, such as the description of the org.
 */
const PARTS = {
  differing: [{ stream: AUDIT_CURSOR, path: ['last', 'differing'] }],
  problems: [{ stream: ORG, path: ['problems'] }],
  orgChanges: [{ stream: ORG, path: ['changes'] }],
  followed: [CHANGES_PART],
  catalogChanges: CATALOG_STREAMS.map((stream) => ({ stream: seenOf(stream), path: ['changes'] })),
} as const satisfies Readonly<Record<string, readonly CursorPart[]>>;

type Kept = {
  /**
   * In how many records CRM and vendor differed at the last completed audit although no open issue explains it; null if no audit was ever
   * completed.
   */
  readonly differing: number | null;
  /** The problems and changes that the last check of the org found; null before the first check. */
  readonly org: Pick<OrgWatch, 'problems' | 'changes'> | null;
  readonly catalogChanges: number;
  readonly changes: FollowedChanges | null;
};

function partsOf(found: readonly FoundPart[]): Kept {
  const of = <T>(asked: readonly CursorPart[]): readonly T[] =>
    found.filter((part) => asked.some(({ stream, path }) => isSame(part, stream, path))).map(({ value }) => value as T);
  const [problems] = of<OrgWatch['problems']>(PARTS.problems);
  const [changes = []] = of<OrgWatch['changes']>(PARTS.orgChanges);
  return {
    differing: of<number>(PARTS.differing)[0] ?? null,
    org: problems === undefined ? null : { problems, changes },
    changes: followedChanges(of(PARTS.followed)[0]),
    catalogChanges: of<readonly unknown[]>(PARTS.catalogChanges).flat().length,
  };
}

function isSame(part: FoundPart, stream: string, path: readonly string[]): boolean {
  return part.stream === stream && part.path.join() === path.join();
}

type AgeGauges = {
  readonly age: Gauge<'tenant' | 'stream'>;
  readonly overdue: Gauge<'tenant' | 'stream'>;
};

function ageGauges({ gauge }: GaugeText): AgeGauges {
  const of = ['tenant', 'stream'] as const;
  return {
    age: gauge('lockstep_stream_age_seconds', 'Seconds since a stream was read.', ...of),
    overdue: gauge('lockstep_stream_overdue', '1 while a stream has not been read for too long.', ...of),
  };
}

function secondsSince(at: string, now: string): number {
  return Math.max(0, (Date.parse(now) - Date.parse(at)) / 1000);
}

function setAges(gauges: AgeGauges, tenant: StreamTenant, reads: readonly StreamTimes[], now: string): void {
  const late = new Set(overdueStreams(tenant, reads, now).map(({ stream }) => stream));
  for (const stream of POLLED_STREAMS) {
    const readAt = expectedReadOf(stream, reads);
    if (readAt === undefined) continue;
    const labels = { tenant: tenant.tenant, stream };
    gauges.age.set(labels, secondsSince(readAt, now));
    gauges.overdue.set(labels, late.has(stream) ? 1 : 0);
  }
}

type ChangesGauges = {
  readonly followed: Gauge<'tenant'>;
  readonly age: Gauge<'tenant'>;
  readonly gaps: Gauge<'tenant' | 'cause'>;
};

function changesGauges({ gauge }: GaugeText): ChangesGauges {
  return {
    followed: gauge('lockstep_change_events_followed', '1 while change events of the CRM are followed.', 'tenant'),
    age: gauge('lockstep_change_events_age_seconds', 'Seconds since the stream of change events answered.', 'tenant'),
    gaps: gauge('lockstep_change_event_gaps', 'Gaps of the stream of change events so far.', 'tenant', 'cause'),
  };
}

function setChanges(gauges: ChangesGauges, tenant: string, changes: FollowedChanges, now: string): void {
  const { answeredAt, failed, gaps } = changes;
  gauges.followed.set({ tenant }, failed === null ? 1 : 0);
  if (answeredAt !== null) gauges.age.set({ tenant }, secondsSince(answeredAt, now));
  for (const [cause, count] of Object.entries(gaps)) gauges.gaps.set({ tenant, cause }, count);
}

type OrgGauges = { readonly problems: Gauge<'tenant' | 'verdict'>; readonly changes: Gauge<'tenant'> };

function orgGauges({ gauge }: GaugeText): OrgGauges {
  return {
    problems: gauge('lockstep_org_problems', 'Problems of the org with the mapping.', 'tenant', 'verdict'),
    changes: gauge('lockstep_org_changes', 'Changes of mapped fields in the org within a week.', 'tenant'),
  };
}

function setOrg(gauges: OrgGauges, tenant: string, org: Kept['org']): void {
  if (org === null) return;
  for (const verdict of ['fails', 'warns'] as const)
    gauges.problems.set({ tenant, verdict }, org.problems.filter((problem) => problem.verdict === verdict).length);
  gauges.changes.set({ tenant }, org.changes.length);
}

type VendorGauges = { readonly codes: Gauge<'tenant'>; readonly changes: Gauge<'tenant'> };

function vendorGauges({ gauge }: GaugeText): VendorGauges {
  return {
    codes: gauge('lockstep_vendor_unknown_codes', 'Unknown codes that the vendor shows.', 'tenant'),
    changes: gauge(
      'lockstep_vendor_changes',
      'Announced changes of portfolio, products and price lists within a week.',
      'tenant',
    ),
  };
}
