import { sql } from 'kysely';
import type { Store } from './store.ts';

/** Rows by table. */
export type RowCounts = Readonly<Record<string, number>>;

/** Deleted in one statement, so that none holds others up for long. */
const AT_ONCE = 10_000;

/** How many rows each table has of a tenant; tables without any are left out, and so is what tells that it was removed. */
export async function countRows(store: Store, tenant: string): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables(store)) {
    const { rows } = await sql<{ n: string }>`
      select count(*) as n from ${sql.table(table)} where tenant = ${tenant} ${notEmptied(table)}`.execute(
      store.db,
    );
    const n = Number(rows[0]?.n);
    if (n > 0) counts[table] = n;
  }
  return counts;
}

/**
 * Deletes all rows of a tenant that was removed, and empties what is declared of it: its name and that it was removed stay, so that
 * whoever comes late with its work is told so. How many rows of which table; null, and nothing is deleted, where it was not removed.
 * Repeatable.
 */
export async function eraseRows(store: Store, tenant: string): Promise<RowCounts | null> {
  const { rows } = await sql<{ state: string }>`select state from tenants where tenant = ${tenant}`.execute(
    store.db,
  );
  if (rows[0]?.state !== 'removed') return null;
  const counts: Record<string, number> = {};
  for (const table of await tenantTables(store)) {
    const n =
      table === 'tenants' ? await emptyDeclaration(store, tenant) : await deleteAll(store, table, tenant);
    if (n > 0) counts[table] = n;
  }
  return counts;
}

/**
 * By the database itself, so that a table that is added later is not forgotten; those that others refer to come last. Partitions
 * are parts of their table.
 */
async function tenantTables({ db }: Store): Promise<readonly string[]> {
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

function notEmptied(table: string) {
  return table === 'tenants' ? sql`and declaration <> '{}'` : sql``;
}

async function emptyDeclaration({ db }: Store, tenant: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update tenants set declaration = '{}', mapping = null, secrets = null
    where tenant = ${tenant} and state = 'removed' and declaration <> '{}'`.execute(db);
  return Number(numAffectedRows);
}

/** A row's place tells it from others of its partition alone: so it is the tenant's as well. */
async function deleteAll({ db }: Store, table: string, tenant: string): Promise<number> {
  const name = sql.table(table);
  let total = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${name}
      where tenant = ${tenant} and ctid = any(array(select ctid from ${name} where tenant = ${tenant} limit ${AT_ONCE}))`.execute(
      db,
    );
    total += Number(numAffectedRows);
    if (numAffectedRows < BigInt(AT_ONCE)) return total;
  }
}
