import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../src/ledger/core/connect.ts';
import { toLedgerError } from '../../src/ledger/ledger-error.ts';
import { MIGRATIONS } from '../../src/ledger/migrations/index.ts';
import { migrate } from '../../src/ledger/migrations/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createSealing } from '../../src/platform/sealing.ts';
import { at } from '../support/ledger/ledger-samples.ts';
import { freshDatabase, queryOnce } from '../support/ledger/postgres.ts';
import { until } from '../support/until.ts';

const sealing = createSealing({ id: 'k', bytes: randomBytes(32) });

describe('migrate', () => {
  it('runs each migration once, whoever and how many run it', async () => {
    const url = await freshDatabase();
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    expect(runs.flat()).toEqual(Object.keys(MIGRATIONS));
    expect(await migrate(url)).toEqual([]);
  });

  it('refuses a database of a newer version', async () => {
    const url = await freshDatabase();
    await migrate(url);
    await queryOnce(url, "insert into kysely_migration values ('9999-future', '2030-01-01T00:00:00Z')");
    await expect(migrate(url)).rejects.toMatchObject({ code: 'NEWER' });
    const ledger = await openLedger({ url, sealing });
    onTestFinished(() => ledger.close());
    await ledger.ping();
  });
});

describe('openLedger', () => {
  it('refuses a database that was not migrated, with the command to run', async () => {
    const all = Object.keys(MIGRATIONS).length;
    await expect(openLedger({ url: await freshDatabase(), sealing })).rejects.toThrow(
      `The ledger's database lacks ${all} migration(s), first "0001-initial": run "lockstep migrate".`,
    );
  });

  it('says that nobody answers, without the password', async () => {
    const url = 'postgres://lockstep:hush-hush@127.0.0.1:1/lockstep';
    for (const attempt of [openLedger({ url, sealing }), migrate(url)]) {
      const error = await attempt.catch((reason: Error) => reason);
      expect(error).toMatchObject({ name: 'LedgerError', code: 'ECONNREFUSED', transient: true });
      expect(String((error as Error).stack)).not.toContain('hush-hush');
    }
  });

  it('survives the loss of its connections: calls fail as transient until one works', async () => {
    const url = await freshDatabase();
    await migrate(url);
    const ledger = await openLedger({ url, sealing, poolSize: 1 });
    onTestFinished(() => ledger.close());
    await ledger.resolveLink('acme', { crmId: 'C1' }, at(0));
    await queryOnce(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lockstep'",
    );
    const failures: unknown[] = [];
    const found = await until('a call works', () =>
      ledger.findLink('acme', 'C1').catch((error: unknown) => {
        failures.push(error);
        return null;
      }),
    );
    expect(found).toMatchObject({ key: 'C1' });
    for (const error of failures) expect(error).toMatchObject({ name: 'LedgerError', transient: true });
  });

  it('survives the loss of a connection between two statements of a transaction', async () => {
    const url = await freshDatabase();
    const db = connect({ url, poolSize: 1 });
    onTestFinished(() => db.destroy());
    const work = db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await queryOnce(url, 'select pg_terminate_backend($1)', [rows[0]?.pid]);
      await until('the server has closed the connection', async () => {
        const open = await queryOnce(url, 'select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]);
        return open.length === 0;
      });
      // The news of the end is on its way to us: an uncaught one would end this process here.
      await setTimeout(100);
      await sql`select 1`.execute(tx);
    });
    const error = await work.catch((reason: unknown) => toLedgerError(reason));
    expect(error).toMatchObject({ name: 'LedgerError', transient: true });
    await sql`select 1`.execute(db);
  });

  it('holds half of the connections that the server lets it have, so that no call is turned away', async () => {
    const url = await freshDatabase();
    await migrate(url);
    const limited = new URL(url);
    limited.username = `limited_${randomBytes(4).toString('hex')}`;
    await queryOnce(
      url,
      `create role ${limited.username} login password '${limited.password}' connection limit 4 in role ${new URL(url).username}`,
    );
    const ledger = await openLedger({ url: limited.href, sealing, poolSize: 30 });
    onTestFinished(() => ledger.close());
    const calls = Array.from({ length: 30 }, (_, n) => ledger.resolveLink('acme', { crmId: `C${n}` }, at(0)));
    expect((await Promise.allSettled(calls)).filter(({ status }) => status === 'rejected')).toEqual([]);
    const held = await queryOnce(url, 'select 1 from pg_stat_activity where usename = $1', [
      limited.username,
    ]);
    expect(held).toHaveLength(2);
  });

  it('ends a statement that takes too long, as what may be tried again', async () => {
    const db = connect({ url: await freshDatabase(), poolSize: 1, statementTimeoutMs: 50 });
    onTestFinished(() => db.destroy());
    const error = await sql`select pg_sleep(60)`
      .execute(db)
      .catch((reason: unknown) => toLedgerError(reason));
    expect(error).toMatchObject({ name: 'LedgerError', code: '57014', transient: true });
  });

  it('tells a ping that the database is gone', async () => {
    const url = await freshDatabase();
    await migrate(url);
    const ledger = await openLedger({ url, sealing });
    await ledger.ping();
    await ledger.close();
    await expect(ledger.ping()).rejects.toThrow();
  });
});

/** Brings a database to an earlier version. */
async function migrateTo(url: string, name: string): Promise<void> {
  const db = connect({ url, poolSize: 1, statementTimeoutMs: 0 });
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateTo(name);
  await db.destroy();
  if (error !== undefined) throw error;
}

it('takes over links under the names of before, to be compared anew', async () => {
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
