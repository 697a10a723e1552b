import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
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
    const held = await queryOnce(url, 'select 1 from pg_stat_activity where usename = $1', [limited.username]);
    expect(held).toHaveLength(2);
  });

  it('ends a statement that takes too long, as what may be tried again', async () => {
    const db = connect({ url: await freshDatabase(), poolSize: 1, statementTimeoutMs: 50 });
    onTestFinished(() => db.destroy());
    const error = await sql`select pg_sleep(60)`.execute(db).catch((reason: unknown) => toLedgerError(reason));
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
