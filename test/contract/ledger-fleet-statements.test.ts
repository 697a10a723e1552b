import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { fillLedger } from '../../bench/fleet/fill-ledger.ts';
import { connect } from '../../src/ledger/core/connect.ts';
import { streamMetrics } from '../../src/operator/metrics/stream-metrics.ts';
import { tenantMetrics } from '../../src/operator/metrics/tenant-metrics.ts';
import { readStatus } from '../../src/operator/status/status.ts';
import { plansOf, recordStatements } from '../support/ledger/explain.ts';
import { FLEET_CALLS, type LedgerCall, RECORD_CALLS, TENANT_CALLS } from '../support/ledger/ledger-calls.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { planFaults } from '../support/ledger/plan-faults.ts';
import { withLedger } from '../support/ledger/postgres.ts';
import { aTenant } from '../support/stack/webhooks.ts';

const { open, url } = await withLedger();
const ledger = await open(1);

const TENANTS = Array.from({ length: 30 }, (_, n) => `T${n}`);
/** Of each tenant, and of each kind of what lies beside them: 20,000 in all. */
const LINKS = 667;
/** What one statement may meet: all that its tenant has, at most five kinds in a table, and far from what thirty have of one. */
const OF_A_TENANT = 5 * LINKS;
/** Rows that a query about all tenants may read: some of each tenant, however many links it has. */
const OF_THE_FLEET = 20 * TENANTS.length;
/** Seven of all tenants at once and eight of up to a hundred, with what processes cannot serve. */
const MOST_STATEMENTS = 15;
/** Tables here are too small to be worth an index; whether there is one shows all the same. */
const AS_IF_LARGE = { enable_seqscan: 'off' };

/** It came after PostgreSQL had looked at what its tables hold. */
const NEW = 'T-new';
/** What is about a record or a page meets of it: never all. */
const OF_A_PAGE = LINKS - 1;
/** May meet all, and why. */
const MEETS_ALL: Readonly<Record<string, string>> = {
  moveCursors: 'forgets all that was seen',
  crmUse: 'the calls of all hours, of all tenants',
  noteReported: 'as many as are given: for a hundred it is quicker to read so few rows',
  renewInDoubt: 'as many as are uncertain',
  unlinkedRows: 'what changed since an instant, of which PostgreSQL expects a third',
};

beforeAll(async () => {
  const pairs = Array.from({ length: LINKS }, (_, n) => ({ crmId: `C${n + 1}`, vendorId: `V${n + 1}` }));
  const kinds = ['deliveries', 'journal', 'plans', 'seenRows', 'orders', 'products'] as const;
  const more = ['dueDetails', 'barredPairs', 'auditMarks', 'backfillRows'] as const;
  const counts = [...kinds, ...more].map((kind) => [kind, LINKS] as const);
  const beside = Object.fromEntries(counts) as Record<(typeof counts)[number][0], number>;
  const filling = { pairs, beside, sealedBytes: 0, at: at(0), like: null };
  await fillLedger(url, { ...filling, tenants: TENANTS });
  await fillLedger(url, { ...filling, tenants: [NEW], statistics: null });
}, 60_000);

/** What the statements of a call do that grows with the rows of other tenants. */
async function faultsOf(call: LedgerCall, mostRows: number, tenant = 'T7'): Promise<readonly string[]> {
  const sent = recordStatements(url);
  await call(ledger, tenant, LINKS);
  const statements = sent();
  expect(statements).not.toHaveLength(0);
  // Each connection asks for the second kind; where a pooler does not keep that for it, PostgreSQL chooses.
  const custom = tenant === NEW ? [] : await plansOf(url, statements, AS_IF_LARGE);
  const generic = await plansOf(url, statements, AS_IF_LARGE, 'generic');
  return [...custom, ...generic].flatMap(({ statement, plan }) =>
    planFaults(plan, mostRows).map((fault) => `${fault}: ${statement}`),
  );
}

describe(`beside ${TENANTS.length - 1} tenants of ${LINKS} records each, every statement uses an index and meets no neighbour's rows`, () => {
  it.each(Object.entries({ ...RECORD_CALLS, ...TENANT_CALLS }))('in %s', async (_, call) => {
    expect(await faultsOf(call, OF_A_TENANT)).toEqual([]);
  });
});

describe('of a tenant that the statistics do not know', () => {
  it.each(Object.entries(RECORD_CALLS))('few rows are met in %s', async (name, call) => {
    const faults = await faultsOf(call, MEETS_ALL[name] === undefined ? OF_A_PAGE : OF_A_TENANT, NEW);
    expect(faults).toEqual([]);
  });

  it('every connection asks for the plans under which that holds', async () => {
    const db = connect({ url, poolSize: 1 });
    onTestFinished(() => db.destroy());
    const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(db);
    expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }]);
  });
});

describe('what is asked of all tenants at once', () => {
  it.each(Object.entries(FLEET_CALLS))('meets a few rows of each in %s', async (_, call) => {
    expect(await faultsOf(call, OF_THE_FLEET)).toEqual([]);
  });
});

describe('monitoring', () => {
  /** The answers for this many tenants, and the statements that they took. */
  async function tell(tenants: readonly string[]) {
    const sent = recordStatements(url);
    const before = sent().length;
    const served = tenants.map((tenant) => aTenant({ tenant }));
    const now = (): string => at(60);
    const parts = [streamMetrics(ledger, () => served, now), tenantMetrics(ledger, now)];
    const text = (await Promise.all(parts.map((part) => part()))).join('');
    return { text, statements: sent().slice(before) };
  }

  it('asks the ledger as often for thirty tenants as for one, and meets a few rows of each', async () => {
    const [one, all] = [await tell(['T7']), await tell(TENANTS)];
    expect(all.statements.length).toBe(one.statements.length);
    for (const tenant of TENANTS)
      expect(all.text).toContain(`lockstep_stream_age_seconds{tenant="${tenant}",stream="pollVendor"} 60`);
    const plans = await plansOf(url, all.statements, AS_IF_LARGE);
    const most = 2 * OF_THE_FLEET;
    expect(plans.flatMap(({ plan }) => planFaults(plan, most))).toEqual([]);
  });
});

describe('the status', () => {
  it('of thirty tenants takes as many statements as that of one, each by an index', async () => {
    const sent = recordStatements(url);
    const result = async (tenants: readonly string[]) => {
      const before = sent().length;
      const served = tenants.map((tenant) => aTenant({ tenant }));
      const status = await readStatus(ledger, served, at(60));
      return { status, statements: sent().slice(before) };
    };
    const [one, all] = [await result(['T7']), await result(TENANTS)];
    const { tenants } = all.status;
    expect(tenants.map(({ tenant }) => tenant)).toEqual(TENANTS);
    // Other tests have changed what T7 has.
    for (const { records, attention } of tenants.filter(({ tenant }) => tenant !== 'T7'))
      expect([records['in-sync'], attention.length]).toEqual([LINKS - attention.length, 7]);
    expect([one.statements.length, all.statements.length]).toEqual([MOST_STATEMENTS, MOST_STATEMENTS]);
    const custom = await plansOf(url, all.statements, AS_IF_LARGE);
    const generic = await plansOf(url, all.statements, AS_IF_LARGE, 'generic');
    const ofAll = OF_A_TENANT * TENANTS.length;
    const faults = [...custom, ...generic].flatMap(({ plan }) => planFaults(plan, ofAll));
    expect(faults).toEqual([]);
  });
});
