/** Prepared statements on a server that changes under them: by a migration beside a running process, and by a pooler. */
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/ledger/core/connect.ts';
import { statementNames } from '../../src/ledger/core/prepared-statements.ts';
import { inTransaction, type Store } from '../../src/ledger/core/store.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { at, BASE } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { open, url, query } = await withLedger();
/** After so many, a statement is prepared, and its plan no longer made for its parameters alone. */
const TIMES = 12;

/** How many statements were sent under a name since. */
function namesSent(): () => number {
  const spy = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => spy.mockRestore());
  const calls = spy.mock.calls as unknown as readonly (readonly { readonly name?: string }[])[];
  return () => calls.filter(([asked]) => asked?.name !== undefined).length;
}

describe('a column that a migration adds to a table', () => {
  const settled = (ledger: Ledger, seq: number) =>
    ledger.settle('acme', 'C1', { at: at(seq), state: 'in-sync', base: BASE });

  async function prepared(): Promise<Ledger> {
    // One connection: what is prepared on it is asked of it again.
    const ledger = await open(1);
    await ledger.markDue('acme', [{ crmId: 'C1' }], at(0));
    for (let seq = 1; seq < TIMES; seq += 1) {
      await settled(ledger, seq);
      await ledger.findLink('acme', 'C1');
    }
    return ledger;
  }

  it('is not noticed by a statement that was prepared before', async () => {
    const sent = namesSent();
    const ledger = await prepared();
    expect(sent()).toBeGreaterThan(TIMES);
    await query('alter table links add column added_later text');
    for (let time = 0; time < TIMES; time += 1)
      expect(await ledger.findLink('acme', 'C1')).toMatchObject({ key: 'C1', state: 'in-sync' });
  });

  it('has a transaction begun again that meets it', async () => {
    const ledger = await prepared();
    await query('alter table links add column added_later_still text');
    for (let seq = 50; seq < 50 + TIMES; seq += 1)
      expect(await settled(ledger, seq)).toMatchObject({ key: 'C1', updatedAt: at(seq) });
  });
});

describe('a pooler that gives each transaction whatever connection is free', () => {
  const asked = (n: number) => sql<{ n: number }>`select ${n}::integer as n`;
  /** As `asked` is sent. */
  const TEXT = 'select $1::integer as n';

  function pooled(prepares = true): Store {
    const db = connect({ url, poolSize: 1, prepares });
    onTestFinished(() => db.destroy());
    return { db, sealer: undefined as never };
  }

  async function asks({ db }: Store, times = TIMES): Promise<void> {
    for (let n = 0; n < times; n += 1) expect((await asked(n).execute(db)).rows).toEqual([{ n }]);
  }

  it('is noticed where it does not know a statement, and none is prepared from then on', async () => {
    const sent = namesSent();
    const store = pooled();
    await asks(store);
    const before = sent();
    expect(before).toBeGreaterThan(0);
    await sql`deallocate all`.execute(store.db);
    await asks(store);
    expect(sent()).toBe(before + 1);
  });

  it('has a transaction begun again', async () => {
    const store = pooled();
    await asks(store);
    await sql`deallocate all`.execute(store.db);
    let attempts = 0;
    const answer = await inTransaction(store, async ({ db }) => {
      attempts += 1;
      return (await asked(7).execute(db)).rows;
    });
    expect([answer, attempts]).toEqual([[{ n: 7 }], 2]);
  });

  it('is noticed where it has a statement already that somebody else prepared', async () => {
    const names = statementNames();
    const name = Array.from({ length: TIMES }, () => names.nameOf(TEXT)).at(-1);
    const store = pooled();
    await sql.raw(`prepare "${name}" as select $1::integer as n`).execute(store.db);
    await asks(store);
  });

  it('need not notice where nothing is to be prepared', async () => {
    const sent = namesSent();
    await asks(pooled(false));
    expect(sent()).toBe(0);
  });
});
