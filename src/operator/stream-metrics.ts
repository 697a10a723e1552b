import { Gauge, Registry } from 'prom-client';
import { readOf } from '../domain/streams/read-at.ts';
import { STREAM_NAMES } from '../domain/streams/streams.ts';
import type { StreamRead } from '../ledger/ledger.ts';
import type { StreamTenant } from '../platform/stream-rhythm.ts';
import type { Tenant } from '../platform/tenant.ts';
import { lastAudit } from './audit.ts';
import { callGauges, showCalls } from './crm-calls-metrics.ts';
import { readOrg } from './org-watch.ts';
import { overdueStreams } from './overdue-streams.ts';
import type { StatusLedger } from './status.ts';
import { readVendorWatch, type VendorWatch } from './vendor-watch.ts';

type StreamMetricsTenant = StreamTenant &
  Pick<Tenant, 'mapping'> & { readonly salesforce: Pick<Tenant['salesforce'], 'apiShare'> };

/**
 * What Prometheus is told of each tenant's streams: how long ago each was read, and whether that is too long; how many records
 * the last audit found to differ; what of the org's daily calls is ours; of its org, in what it does not go with the mapping and what of it changed within a week; and of its
 * vendor, which codes no table knows and what of the catalog changed.
 * Looked up when asked; text of its format, nothing where the ledger does not answer.
 */
export function streamMetrics(
  ledger: Pick<StatusLedger, 'streamReads' | 'cursor' | 'notedCodes' | 'crmUse'>,
  tenantsNow: () => readonly StreamMetricsTenant[],
  now: () => string,
): () => Promise<string> {
  const registry = new Registry();
  const ages = ageGauges(registry);
  const drift = new Gauge({
    name: 'lockstep_drift_records',
    help: 'Records whose sides differ by the last audit, and nothing open explains it.',
    labelNames: ['tenant'] as const,
    registers: [registry],
  });
  const org = orgGauges(registry);
  const vendor = vendorGauges(registry);
  const calls = callGauges(registry);
  return async () => {
    try {
      // Of a tenant that is gone nothing is said.
      registry.resetMetrics();
      await showCalls(calls, ledger, tenantsNow(), now());
      for (const tenant of tenantsNow()) {
        const reads = await ledger.streamReads(tenant.tenant);
        const audit = await lastAudit(ledger, tenant.tenant);
        if (audit !== null) drift.set({ tenant: tenant.tenant }, audit.differing);
        tellOrg(org, tenant.tenant, await readOrg(ledger, tenant.tenant));
        tellVendor(vendor, tenant.tenant, await readVendorWatch(ledger, tenant.tenant, tenant.mapping));
        tellAges(ages, tenant, reads, now());
      }
      return await registry.metrics();
    } catch {
      return '';
    }
  };
}

type AgeGauges = {
  readonly age: Gauge<'tenant' | 'stream'>;
  readonly overdue: Gauge<'tenant' | 'stream'>;
};

function ageGauges(registry: Registry): AgeGauges {
  const of = { labelNames: ['tenant', 'stream'] as const, registers: [registry] };
  const age = new Gauge({
    ...of,
    name: 'lockstep_stream_age_seconds',
    help: 'Seconds since a stream was read.',
  });
  const overdue = new Gauge({
    ...of,
    name: 'lockstep_stream_overdue',
    help: '1 where a stream has not been read for longer than it should.',
  });
  return { age, overdue };
}

function tellAges(gauges: AgeGauges, tenant: StreamTenant, reads: readonly StreamRead[], now: string): void {
  const late = new Set(overdueStreams(tenant, reads, now).map(({ stream }) => stream));
  for (const stream of STREAM_NAMES) {
    const readAt = readOf(stream, reads);
    if (readAt === undefined) continue;
    const labels = { tenant: tenant.tenant, stream };
    gauges.age.set(labels, Math.max(0, (Date.parse(now) - Date.parse(readAt)) / 1000));
    gauges.overdue.set(labels, late.has(stream) ? 1 : 0);
  }
}

type OrgGauges = { readonly problems: Gauge; readonly changes: Gauge };

function orgGauges(registry: Registry): OrgGauges {
  const registers = [registry];
  const problems = new Gauge({
    labelNames: ['tenant', 'verdict'],
    registers,
    name: 'lockstep_org_problems',
    help: 'In how many things the org does not go with the mapping.',
  });
  const changes = new Gauge({
    labelNames: ['tenant'],
    registers,
    name: 'lockstep_org_changes',
    help: 'What of the org that the mapping touches changed within a week.',
  });
  return { problems, changes };
}

function tellOrg(gauges: OrgGauges, tenant: string, org: Awaited<ReturnType<typeof readOrg>>): void {
  if (org === null) return;
  for (const verdict of ['fails', 'warns'] as const)
    gauges.problems.set(
      { tenant, verdict },
      org.problems.filter((problem) => problem.verdict === verdict).length,
    );
  gauges.changes.set({ tenant }, org.changes.length);
}

type VendorGauges = { readonly codes: Gauge; readonly changes: Gauge };

function vendorGauges(registry: Registry): VendorGauges {
  const of = { labelNames: ['tenant'], registers: [registry] };
  const codes = new Gauge({
    ...of,
    name: 'lockstep_vendor_unknown_codes',
    help: 'Codes that the vendor shows and no table knows.',
  });
  const changes = new Gauge({
    ...of,
    name: 'lockstep_vendor_changes',
    help: 'What of the portfolio, the products and the price lists changed within a week.',
  });
  return { codes, changes };
}

function tellVendor(gauges: VendorGauges, tenant: string, { codes, changes }: VendorWatch): void {
  gauges.codes.set({ tenant }, codes.length);
  gauges.changes.set({ tenant }, changes.length);
}
