import type { LedgerFigures } from '../../ledger/stats/figures.ts';
import type { StatsLedger } from '../../ledger/stats/stats-ledger.ts';
import type { TenantLedger } from '../../ledger/tenants/tenant-ledger.ts';
import { reportedSince } from '../../platform/live-roster.ts';
import { WAITING_CODES } from '../status/inbox.ts';
import { type Gauge, gaugeText } from './gauge-text.ts';

/**
 * Makes a function that returns the Prometheus metrics of each tenant's work, as text. Every worker reports these values for the whole
 * installation, so a query must take the maximum over the workers and not the sum. The text is empty if the ledger (Lockstep's database)
 * cannot be read.
 */
export function tenantMetrics(
  ledger: Pick<StatsLedger, 'figures'> & Pick<TenantLedger, 'unavailableTenants'>,
  now: () => string,
): () => Promise<string> {
  return async () => {
    try {
      const [figures, reports] = await Promise.all([ledger.figures(), ledger.unavailableTenants(reportedSince(now()))]);
      const gauges = gaugeText();
      const shown = gaugesOf(gauges);
      show(shown, figures, now());
      for (const [tenant, { length }] of Map.groupBy(reports, ({ tenant }) => tenant))
        shown.unavailable.set({ tenant }, length);
      return gauges.text();
    } catch {
      return '';
    }
  };
}

function gaugesOf({ gauge }: ReturnType<typeof gaugeText>): Shown {
  const own = <L extends string>(name: string, help: string, ...labels: readonly L[]): Gauge<L> =>
    gauge(`lockstep_${name}`, help, ...labels);
  return {
    bytes: own('ledger_bytes', 'Size of the database that holds the ledger.'),
    paused: own('paused', '1 while a group of operations of a tenant is paused.', 'tenant', 'group'),
    records: own('backlog_records', 'Records with a change that is still on its way.', 'tenant'),
    oldest: own('backlog_oldest_seconds', 'Seconds since the oldest change on its way was noticed.', 'tenant'),
    attention: own('attention_records', 'Records that need a repair, by cause.', 'tenant', 'code'),
    remaining: own(
      'vendor_quota_remaining',
      "Requests left in the current window of the vendor's quota.",
      'tenant',
      'quota',
    ),
    limit: own('vendor_quota_limit', "Requests that the vendor's quota allows in a window.", 'tenant', 'quota'),
    unavailable: own('tenant_unavailable', 'Processes that cannot serve a tenant.', 'tenant'),
    refused: own(
      'refused_rows',
      'Rows of a stream that Salesforce refused and Lockstep tries again.',
      'tenant',
      'stream',
    ),
    forgotten: own('forgotten_rows', 'Rows that Lockstep deleted after their time of retention.', 'tenant', 'kind'),
  };
}

type Shown = {
  readonly bytes: Gauge<never>;
  readonly paused: Gauge<'tenant' | 'group'>;
  readonly records: Gauge<'tenant'>;
  readonly oldest: Gauge<'tenant'>;
  readonly attention: Gauge<'tenant' | 'code'>;
  readonly remaining: Gauge<'tenant' | 'quota'>;
  readonly limit: Gauge<'tenant' | 'quota'>;
  readonly unavailable: Gauge<'tenant'>;
  readonly refused: Gauge<'tenant' | 'stream'>;
  readonly forgotten: Gauge<'tenant' | 'kind'>;
};

function show(shown: Shown, figures: LedgerFigures, now: string): void {
  shown.bytes.set({}, figures.bytes);
  for (const labels of figures.paused) shown.paused.set(labels, 1);
  for (const { tenant, records, since } of figures.backlog) {
    shown.records.set({ tenant }, records);
    shown.oldest.set({ tenant }, Math.max(0, (Date.parse(now) - Date.parse(since)) / 1000));
  }
  for (const { tenant, code, records } of figures.issues) {
    if (WAITING_CODES.includes(code)) shown.attention.set({ tenant, code }, records);
  }
  for (const { tenant, quota, limit, remaining, until } of figures.quotas) {
    const left = Date.parse(until) <= Date.parse(now) ? limit : remaining;
    if (limit !== null) shown.limit.set({ tenant, quota }, limit);
    if (left !== null) shown.remaining.set({ tenant, quota }, left);
  }
  for (const { tenant, stream, rows } of figures.refusedRows) shown.refused.set({ tenant, stream }, rows);
  for (const { tenant, kind, rows } of figures.forgotten) shown.forgotten.set({ tenant, kind }, rows);
}
