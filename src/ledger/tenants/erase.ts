import { type RawBuilder, sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import type { TenantLedger } from './tenant-ledger.ts';

/** How many rows one statement deletes at most, so that row locks stay short. */
const AT_ONCE = 10_000;

/**
 * How many rows of a tenant each table contains. Leaves out empty tables, and rows that an erasure keeps (that the tenant was removed, and
 * when its keys were destroyed).
 */
export const countRows: Statement<TenantLedger, 'tenantRows'> = async (store, tenant) => {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables(store)) {
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from ${sql.table(table)} where tenant = ${tenant} ${notEmptied(table)}`.execute(store.db);
    const n = Number(rows[0]?.n);
    if (n > 0) counts[table] = n;
  }
  return counts;
};

/**
 * Erases a removed tenant: destroys its data key, deletes its rows and empties its declaration. Keeps the tenant's name in state `removed`,
 * so that late work for the tenant is refused. Returns the number of deleted rows by table. If the tenant was not removed, changes nothing
 * and returns null. If it is declared again meanwhile, deletes no more. Repeatable.
 */
export const eraseRows: Statement<TenantLedger, 'eraseTenant'> = async (store, tenant) => {
  const { rows } = await sql<{ state: string }>`select state from tenants where tenant = ${tenant}`.execute(store.db);
  if (rows[0]?.state !== 'removed') return null;
  const counts: Record<string, number> = {};
  const erased = (table: string, n: number): void => {
    if (n > 0) counts[table] = n;
  };
  // Destroys the key first, so that from now on no process can read the rows that are still to be deleted.
  erased('data_keys', await destroyKeys(store, tenant));
  for (const table of await tenantTables(store)) {
    if (table === 'tenants') erased(table, await emptyDeclaration(store, tenant));
    else if (table !== 'data_keys') erased(table, await deleteAll(store, table, tenant));
  }
  return counts;
};

export const destroyedKeys: Statement<TenantLedger, 'destroyedKeys'> = async ({ db }, tenant) => {
  const { rows } = await sql<{ id: string; at: Date }>`
    select id, destroyed_at as at from data_keys
    where tenant = ${tenant} and destroyed_at is not null order by destroyed_at, id`.execute(db);
  return rows.map(({ id, at }) => ({ id, at: at.toISOString() }));
};

/** Part of each statement that erases, because the tenant may be declared again while it is erased. */
function isRemoved(tenant: string): RawBuilder<unknown> {
  return sql`exists (select from tenants where tenant = ${tenant} and state = 'removed')`;
}

async function destroyKeys({ db }: Store, tenant: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update data_keys set sealed = null, destroyed_at = now()
    where tenant = ${tenant} and sealed is not null and ${isRemoved(tenant)}`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Tables with a column for the tenant, from PostgreSQL's catalog, without partitions. A table comes after the tables that refer to it, so
 * that rows can be deleted in this order.
 */
export async function tenantTables({ db }: Store): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and c.column_name = 'tenant' and t.table_type = 'BASE TABLE'
      and not (select relispartition from pg_class where oid = to_regclass(quote_ident(c.table_name)))
    order by exists (
      select 1 from pg_constraint f where f.contype = 'f' and f.confrelid = to_regclass(quote_ident(c.table_name))
    ), 1`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * For tables in which an erasure keeps rows: the SQL condition for rows that still contain something to erase. The kept rows say that the
 * tenant was removed, and when its keys were destroyed.
 */
const LEFT: Readonly<Record<string, RawBuilder<unknown>>> = {
  tenants: sql`and declaration <> '{}'`,
  data_keys: sql`and sealed is not null`,
};

function notEmptied(table: string): RawBuilder<unknown> {
  return LEFT[table] ?? sql``;
}

async function emptyDeclaration({ db }: Store, tenant: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update tenants set declaration = '{}', mapping = null, secrets = null
    where tenant = ${tenant} and state = 'removed' and declaration <> '{}'`.execute(db);
  return Number(numAffectedRows);
}

/**
 * Deletes a tenant's rows from a table, a limited number with each statement. Finds them by `ctid` (PostgreSQL's row address) and tenant,
 * because a `ctid` is unique only within one partition.
 */
async function deleteAll({ db }: Store, table: string, tenant: string): Promise<number> {
  const name = sql.table(table);
  let total = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${name}
      where tenant = ${tenant} and ${isRemoved(tenant)} and ctid = any(array(select ctid from ${name} where tenant = ${tenant} limit ${AT_ONCE}))`.execute(
      db,
    );
    total += Number(numAffectedRows);
    if (numAffectedRows < BigInt(AT_ONCE)) return total;
  }
}
