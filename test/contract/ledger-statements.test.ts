import { beforeAll, describe, expect, it } from 'vitest';
import { fillLedger } from '../../bench/fleet/fill-ledger.ts';
import { recordStatements, rowsReadBy } from '../support/ledger/explain.ts';
import { RECORD_CALLS } from '../support/ledger/ledger-calls.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { open, url, query } = await withLedger();
// With one connection, a call that asks for a second while it holds the first waits for itself.
const ledger = await open(1);

const LINKS = 20_000;
/** Enough for what a call answers and its neighbours in an index; far from all that a tenant has. */
const MOST_ROWS = 200;
const ACME = 'acme';

/** A large tenant in which everything flows, and all that grows with it. */
beforeAll(async () => {
  const pairs = Array.from({ length: LINKS }, (_, n) => ({ crmId: `C${n + 1}`, vendorId: `V${n + 1}` }));
  const kinds = ['deliveries', 'journal', 'plans', 'seenRows', 'orders', 'products'] as const;
  const more = ['dueDetails', 'barredPairs', 'auditMarks'] as const;
  const counts = [...kinds, ...more].map((kind) => [kind, LINKS] as const);
  const of = Object.fromEntries(counts) as Record<(typeof counts)[number][0], number>;
  const beside = { ...of, backfillRows: 0 };
  await fillLedger(url, { tenants: [ACME], pairs, beside, sealedBytes: 0, at: at(0), like: null });
  await query(
    `insert into backfill_rows (tenant, side, id, state)
     select $1, side, left(upper(side), 1) || n, state
     from generate_series(1, ${LINKS}) n, (values ('crm', 'found'), ('vendor', 'matched')) of (side, state)`,
    [ACME],
  );
  await query(
    `insert into tenants (tenant, declaration, state, version, change, changed_at)
     select 'T' || n, '{}', 'active', 1, n, $1::timestamptz from generate_series(1, ${LINKS}) n`,
    [at(0)],
  );
  await query(
    `insert into crm_calls (tenant, hour, calls, used, org_limit, reported_at)
     select 'T' || n % 900, date_trunc('hour', $1::timestamptz) - n / 900 * interval '1 hour', 9, 9, 99, $1 from generate_series(1, ${LINKS}) n`,
    [at(0)],
  );
  await query('analyze');
});

describe(`in a tenant of ${LINKS} records`, () => {
  it.each(Object.entries(RECORD_CALLS))('%s reads what it is about, and not the tenant', async (_, call) => {
    const sent = recordStatements(url);
    await call(ledger, ACME, LINKS);
    const statements = sent();
    const read = await rowsReadBy(url, statements);
    expect(statements).not.toHaveLength(0);
    expect(read.filter(({ rows }) => rows > MOST_ROWS)).toEqual([]);
  });
});
