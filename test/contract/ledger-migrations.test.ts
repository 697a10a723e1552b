import { Migrator } from 'kysely/migration';
import { expect, it } from 'vitest';
import { connect } from '../../src/ledger/core/connect.ts';
import { MIGRATIONS } from '../../src/ledger/migrations/index.ts';
import { migrate } from '../../src/ledger/migrations/migrate.ts';
import { freshDatabase, queryOnce } from '../support/ledger/postgres.ts';

/** Brings a database to an earlier version. */
async function migrateTo(url: string, name: string): Promise<void> {
  const db = connect({ url, poolSize: 1, statementTimeoutMs: 0 });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateTo(name);
  await db.destroy();
  if (error !== undefined) throw error;
}

it('takes over links under the names of before, to be compared again', async () => {
  const url = await freshDatabase();
  await migrateTo(url, '0004-crm-refused');
  await queryOnce(
    url,
    `insert into links (tenant, key, crm_id, vendor_id, state, base, vendor_seen, vendor_read_at, left_at, updated_at)
     values ('acme', 'a', null, null, 'absorbed', null, null, null, null, now()),
            ('acme', 'b', 'b', 'v', 'detached', 'x', 'x', now(), now(), now())`,
  );
  await queryOnce(
    url,
    `insert into plans (tenant, id, key, created_at, generation, next, plan)
     values ('acme', 'p', 'b', now(), 0, 'write-crm', 'x')`,
  );
  await queryOnce(
    url,
    `insert into cursors (tenant, stream, position, updated_at)
     values ('acme', 'vendor-changes', '{"until": "b", "overlapUntil": "a"}', now()),
       ('acme', 'crm:Account', '{}', now()), ('acme', 'vendor-linked', '{}', now())`,
  );
  expect((await migrate(url))[0]).toBe('0005-one-vocabulary');
  const links = await queryOnce(
    url,
    `select key, state, base, vendor_observation as observed, detached_at is null as stays from links order by key`,
  );
  expect(links).toEqual([
    { key: 'a', state: 'superseded', base: null, observed: null, stays: true },
    { key: 'b', state: 'detached', base: null, observed: null, stays: false },
  ]);
  expect(await queryOnce(url, 'select id from plans')).toEqual([]);
  expect(await queryOnce(url, 'select stream, position from cursors order by stream')).toMatchObject([
    { stream: 'checkVendorRecords' },
    { stream: 'pollVendor', position: { until: 'a', settledUntil: 'a' } },
    { stream: 'sweepSalesforce:Account' },
  ]);
  const named = queryOnce(url, "update links set state = 'superseded' where key = 'b'");
  await expect(named).rejects.toThrow('links_superseded_has_no_ids');
});

it('takes over the lines of a journal that was one table, in their order', async () => {
  const url = await freshDatabase();
  await migrateTo(url, '0031-order-news');
  await queryOnce(
    url,
    `insert into links (tenant, key, crm_id, state, updated_at) values ('acme', 'b', 'b', 'in-sync', now())`,
  );
  await queryOnce(
    url,
    `insert into journal (tenant, key, id, at, kind, summary, decisions)
     select 'acme', 'b', 'J' || n, now() - n * interval '300 days', 'look', '{"n": 1}', 'x' from generate_series(1, 5) n`,
  );
  expect(await migrate(url)).toContain('0034-retention');
  const lines = await queryOnce(
    url,
    'select seq, id, expires_on >= current_date as stays, decisions from journal order by seq',
  );
  const decisions = Buffer.from('x');
  expect(lines).toEqual([1, 2, 3, 4, 5].map((n) => ({ seq: `${n}`, id: `J${n}`, stays: true, decisions })));
  expect(await queryOnce(url, 'select id from journal_rest')).toEqual([]);
  expect(await queryOnce(url, "select nextval('journal_lines') as next")).toEqual([{ next: '6' }]);
});
