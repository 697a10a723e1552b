import { beforeAll, expect, it } from 'vitest';
import { ISSUE_CATALOG } from '../../src/domain/record/issue-catalog.ts';
import { tenantMetrics } from '../../src/operator/metrics/tenant-metrics.ts';
import { at, ISSUE, savePlan } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** The figures for monitoring of two tenants in one query, compared with the ledger's answers for each alone. */
const { ledger, query } = await withLedger();
const TENANTS = ['acme', 'globex'];

beforeAll(async () => {
  for (const [n, tenant] of TENANTS.entries()) {
    const ids = Array.from({ length: 3 + n }, (_, i) => ({ crmId: `C${i}` }));
    await ledger.markDue(tenant, ids, at(n));
    const planId = await savePlan(ledger, tenant, 'C0');
    const values = { at: at(2), issues: [ISSUE], state: 'parked', observedGeneration: 1 } as const;
    await ledger.settle(tenant, 'C0', { ...values, planId, outcome: 'applied' });
    await ledger.reportQuota(tenant, 'vendor-sales', {
      ...{ limit: 60, remaining: 10 + n, resetSeconds: 60, at: at(0) },
    });
  }
  await ledger.pause('globex', 'vendor-order', 'the key is refused', at(1));
  const refused = [{ id: 'O1', row: { Name: 'One' }, reason: 'STRING_TOO_LONG' }];
  await ledger.settleRows('acme', 'sweepSalesforce:Account', { taken: [], refused }, at(1));
  for (const process of ['worker 1', 'worker 2'])
    await ledger.reportUnavailable(process, [{ tenant: 'initech', reason: 'it has no key' }], at(20));
});

it('are the figures that the ledger tells of each tenant', async () => {
  const figures = await ledger.figures();
  const of = <T extends { tenant: string }>(rows: readonly T[], tenant: string) =>
    rows.filter((row) => row.tenant === tenant);
  for (const tenant of TENANTS) {
    const [backlog] = of(figures.backlog, tenant);
    const waiting = await ledger.countWaiting(tenant, at(9));
    expect(backlog?.records).toBe(waiting.reduce((sum, { records }) => sum + records, 0));
    expect(backlog?.since).toBe(waiting.map(({ since }) => since).sort()[0]);
    const issues = of(figures.issues, tenant).map(({ code, records }) => ({ code, records }));
    expect(issues).toEqual(await ledger.countByIssue(tenant));
    const [quota] = of(figures.quotas, tenant);
    expect(await ledger.quotas(tenant)).toMatchObject([{ remaining: quota?.remaining, limit: quota?.limit }]);
  }
  expect(figures.paused).toEqual([{ tenant: 'globex', group: 'vendor-order' }]);
  expect(figures.refusedRows).toEqual([{ tenant: 'acme', stream: 'sweepSalesforce', rows: 1 }]);
  expect(figures.bytes).toBeGreaterThan(1_000_000);
});

it('are exported to Prometheus by tenant, without a value of a record', async () => {
  expect(ISSUE_CATALOG[ISSUE.code].severity).toBe('waits');
  const text = await tenantMetrics(ledger, () => at(30))();
  const lines = text.split('\n').filter((line) => /^lockstep_(?!ledger_bytes)/.test(line));
  expect(lines.sort()).toEqual([
    `lockstep_attention_records{tenant="acme",code="${ISSUE.code}"} 1`,
    `lockstep_attention_records{tenant="globex",code="${ISSUE.code}"} 1`,
    'lockstep_backlog_oldest_seconds{tenant="acme"} 30',
    'lockstep_backlog_oldest_seconds{tenant="globex"} 29',
    'lockstep_backlog_records{tenant="acme"} 2',
    'lockstep_backlog_records{tenant="globex"} 3',
    'lockstep_paused{tenant="globex",group="vendor-order"} 1',
    'lockstep_refused_rows{tenant="acme",stream="sweepSalesforce"} 1',
    'lockstep_tenant_unavailable{tenant="initech"} 2',
    'lockstep_vendor_quota_limit{tenant="acme",quota="vendor-sales"} 60',
    'lockstep_vendor_quota_limit{tenant="globex",quota="vendor-sales"} 60',
    'lockstep_vendor_quota_remaining{tenant="acme",quota="vendor-sales"} 10',
    'lockstep_vendor_quota_remaining{tenant="globex",quota="vendor-sales"} 11',
  ]);
});

it('forget what is over, and count a window that ended as full', async () => {
  let now = at(30);
  const metrics = tenantMetrics(ledger, () => now);
  await metrics();
  await ledger.resume('globex', 'vendor-order', at(31));
  now = at(300);
  const text = await metrics();
  expect(text).not.toMatch(/^lockstep_paused\{/m);
  expect(text).toMatch(/^lockstep_vendor_quota_remaining\{tenant="acme",quota="vendor-sales"\} 60$/m);
});

it('are found by the index, however many records are well', async () => {
  await query(
    `insert into links (tenant, key, crm_id, state, updated_at)
     select 'acme', 'W' || n, 'W' || n, 'in-sync', now() from generate_series(1, 5000) n`,
  );
  await query('analyze links');
  const plan = await query(
    `explain select tenant, code, count(*) from links, unnest(issue_codes) as code where issue_codes <> '{}' group by tenant, code`,
  );
  expect(JSON.stringify(plan)).toContain('links_with_issues');
});
