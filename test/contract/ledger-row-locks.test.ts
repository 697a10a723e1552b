/** A row that another writer is only adding under a link, such as an alias, keeps nobody from the link itself. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

const { ledger, url } = await withLedger();
const TENANT = 'acme';
const other = new pg.Client({ connectionString: url });
beforeAll(() => other.connect());
afterAll(() => other.end());

it('a link whose alias is being added becomes due when its time has come', async () => {
  await ledger.resolveLink(TENANT, { crmId: 'C1' }, at(0));
  await ledger.settle(TENANT, 'C1', { at: at(0), retryAt: at(10) });
  await other.query('begin');
  await other.query("insert into link_aliases (tenant, alias, key, at) values ($1, 'A1', 'C1', now())", [
    TENANT,
  ]);
  const marked = await ledger.markRetries(TENANT, at(20), 10);
  await other.query('rollback');
  expect(marked).toEqual(['C1']);
});
