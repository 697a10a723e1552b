import { expect, it } from 'vitest';
import { at } from '../support/ledger/ledger-samples.ts';
import { withLedger } from '../support/ledger/postgres.ts';

/** A tenant that leaves: all of its rows go, and nobody else's. */

const { ledger, query } = await withLedger();
const DECLARED = { content: { tenant: 'x' }, mapping: 'values: {}', secrets: { 'vendor.apiKey': 'k' } };

/** A row in every table that has rows of tenants. */
async function fill(tenant: string): Promise<readonly string[]> {
  await ledger.declareTenant(tenant, DECLARED, null, at(0));
  await ledger.publishMapping(tenant, { text: '{}', files: '', takenBackTo: null, by: 'x', reason: null }, 0, at(0));
  // Links first: rows of other tables lead to them.
  const tables = await query(
    `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'public' and column_name = 'tenant' and table_type = 'BASE TABLE'
       and not (select relispartition from pg_class where oid = to_regclass(quote_ident(table_name)))
     order by table_name <> 'links', table_name`,
  );
  const names = tables.map(({ name }) => String(name));
  for (const name of names.filter((one) => one !== 'tenants' && one !== 'mapping_versions'))
    await insertOne(name, tenant);
  return names.sort();
}

/** A row of this tenant, with something in each column that needs it. */
async function insertOne(table: string, tenant: string): Promise<void> {
  const columns = await query(
    `select column_name as name, data_type as type from information_schema.columns
     where table_name = $1 and is_nullable = 'NO' and column_default is null and is_identity = 'NO'`,
    [table],
  );
  const fillerOf = (name: unknown, type: unknown): unknown => {
    if (name === 'tenant') return tenant;
    if (type === 'ARRAY') return [];
    if (/timestamp|date/.test(String(type))) return at(0);
    if (/json/.test(String(type))) return '{}';
    if (type === 'bytea') return Buffer.from('x');
    if (type === 'boolean') return true;
    return /int|real|numeric|double/.test(String(type)) ? 1 : 'x';
  };
  const names = columns.map(({ name }) => `"${name}"`);
  const places = columns.map((_, n) => `$${n + 1}`);
  await query(
    `insert into "${table}" (${names.join()}) values (${places.join()})`,
    columns.map(({ name, type }) => fillerOf(name, type)),
  );
}

it('erases every row of every table, keeps that it was removed, and touches no other tenant', async () => {
  const tables = await fill('leaver');
  await fill('stayer');
  const stays = await ledger.tenantRows('stayer');
  expect(Object.keys(stays).sort()).toEqual(tables);
  expect(tables.length).toBeGreaterThan(15);

  expect(await ledger.eraseTenant('leaver')).toBeNull();
  expect(Object.keys(await ledger.tenantRows('leaver')).sort()).toEqual(tables);
  await ledger.removeTenant('leaver', 1, at(1));
  expect(await ledger.eraseTenant('leaver')).toEqual(await ledger.tenantRows('stayer'));
  expect(await ledger.tenantRows('leaver')).toEqual({});
  expect(await ledger.eraseTenant('leaver')).toEqual({});
  expect(
    await query("select tenant, declaration, mapping, secrets, state from tenants where tenant = 'leaver'"),
  ).toEqual([{ tenant: 'leaver', declaration: {}, mapping: null, secrets: null, state: 'removed' }]);
  expect(await ledger.tenantRows('stayer')).toEqual(stays);
  expect(await ledger.eraseTenant('nobody')).toBeNull();
});

it('erases many rows in parts', async () => {
  await ledger.declareTenant('large', DECLARED, null, at(0));
  await query(
    `insert into deliveries (tenant, id, source, keys, received_at)
     select 'large', 'D' || n, 'event', '{}', $1 from generate_series(1, 25000) n`,
    [at(0)],
  );
  await ledger.removeTenant('large', 1, at(1));
  expect(await ledger.eraseTenant('large')).toEqual({ data_keys: 1, deliveries: 25_000, tenants: 1 });
});

it('erases lines of the journal in whichever month they end, and no line of another that stands at the same place', async () => {
  for (const tenant of ['left', 'right']) {
    await ledger.declareTenant(tenant, DECLARED, null, at(0));
    await ledger.markDue(tenant, [{ crmId: 'C1' }], at(0));
  }
  const line = `insert into journal (tenant, key, id, at, kind, summary, expires_on)
    select $1, 'C1', 'J' || n, $2, 'look', '{}', current_date + n * 31 from generate_series($3::integer, 9, 2) n`;
  await query(line, ['left', at(0), 1]);
  await query(line, ['right', at(0), 2]);
  const before = await ledger.tenantRows('right');
  await ledger.removeTenant('left', 1, at(1));
  expect(await ledger.eraseTenant('left')).toMatchObject({ journal: 5 });
  expect(await ledger.tenantRows('right')).toEqual(before);
});

it('erases no more of a tenant that is declared again meanwhile', async () => {
  await fill('again');
  await ledger.removeTenant('again', 1, at(1));
  await query(`create function declare_again() returns trigger language plpgsql as $$ begin
    update tenants set state = 'active' where tenant = 'again'; return old; end $$`);
  // The data keys are destroyed first.
  await query('create trigger again after update on data_keys for each row execute function declare_again()');
  expect(Object.keys((await ledger.eraseTenant('again')) ?? {})).toEqual(['data_keys']);
  await query('drop trigger again on data_keys');
});
