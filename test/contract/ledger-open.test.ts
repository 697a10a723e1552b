import { randomBytes } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../src/ledger/migrate.ts';
import { openLedger } from '../../src/ledger/open.ts';
import { createSealing } from '../../src/platform/sealing.ts';
import { at } from '../support/ledger-samples.ts';
import { freshDatabase, queryOnce } from '../support/postgres.ts';

const sealing = createSealing({ id: 'k', bytes: randomBytes(32) });

describe('migrate', () => {
  it('runs each migration once, whoever and how many run it', async () => {
    const url = await freshDatabase();
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    expect(runs.flat()).toEqual(['0001-initial', '0002-vendor-due']);
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
    await expect(openLedger({ url: await freshDatabase(), sealing })).rejects.toThrow(
      'The ledger\'s database lacks 2 migration(s), first "0001-initial": run "lockstep migrate".',
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

  it('survives the loss of its connections: one call fails as transient, the next works', async () => {
    const url = await freshDatabase();
    await migrate(url);
    const ledger = await openLedger({ url, sealing, poolSize: 1 });
    onTestFinished(() => ledger.close());
    await ledger.resolveLink('acme', { crmId: 'C1' }, at(0));
    await queryOnce(
      url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'lockstep'",
    );
    const first = await ledger.ping().catch((error: unknown) => error);
    if (first !== undefined) expect(first).toMatchObject({ name: 'LedgerError', transient: true });
    expect(await ledger.findLink('acme', 'C1')).toMatchObject({ key: 'C1' });
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
