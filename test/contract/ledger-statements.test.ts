import { beforeAll, describe, expect, it } from 'vitest';
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
  await query(
    `insert into links (tenant, key, crm_id, vendor_id, state, generation, due_since, waiting_since, marked_at, updated_at)
     select $1, 'C' || n, 'C' || n, 'V' || n, 'in-sync', 1, $2, $2, $2, $2::timestamptz + n * interval '1 second' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into deliveries (tenant, id, source, keys, received_at, signalled_at)
     select $1, 'D' || n, 'event', '{}', $2, $2 from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into journal (tenant, key, id, at, kind, summary)
     select $1, 'C' || n, 'J' || n, $2, 'state', '{}' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into plans (tenant, id, key, created_at, generation, next, plan)
     select $1, 'P' || n, 'C' || n, $2, 1, 'nothing', '' from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into seen_rows (tenant, stream, row_id, stamp)
     select $1, 'sweepSalesforce:Account', 'R' || n, $2 from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into mirror_rows (tenant, object, row_id, master, stamp, fingerprint, pending, taken, opportunity)
     select $1, 'Vendor_Order__c', 'O' || n, null::text, $2::timestamptz, 'f', null::bytea, true, 'V' || n
     from generate_series(1, ${LINKS}) n
     union all select $1, 'Vendor_Order_Line__c', 'O' || n || '/1', 'O' || n, null, 'f', null, true, null
     from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into mirror_rows (tenant, object, row_id, fingerprint, taken, seen, follow)
     select $1, 'product', 'P' || n, 'f', true, 'r1', 'R1' from generate_series(1, ${LINKS}) n
     union all select $1, 'component', 'P' || n || '/1', 'f', true, 'r1', null from generate_series(1, ${LINKS}) n`,
    [ACME],
  );
  await query(
    `insert into due_details (tenant, stream, row_id, stamp, retry_at, of_load)
     select $1, stream, 'O' || n, $2, $2, stream = 'pausedLoad'
     from generate_series(1, ${LINKS}) n, (values ('pullOrders'), ('pausedLoad')) of (stream)`,
    [ACME, at(0)],
  );
  await query(
    `insert into barred_pairs (tenant, crm_id, vendor_id, at)
     select $1, 'C' || n, 'W' || n, $2::timestamptz from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
  await query(
    `insert into audit_marks (tenant, key, vendor_at, crm_at)
     select $1, 'C' || n, $2::timestamptz, $2::timestamptz from generate_series(1, ${LINKS}) n`,
    [ACME, at(0)],
  );
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
    const sent = recordStatements();
    await call(ledger, ACME, LINKS);
    const statements = sent();
    const read = await rowsReadBy(url, statements);
    expect(statements).not.toHaveLength(0);
    expect(read.filter(({ rows }) => rows > MOST_ROWS)).toEqual([]);
  });
});
