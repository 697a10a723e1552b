import { type Kysely, sql } from 'kysely';
import { connect } from '../core/connect.ts';
import type { Database } from '../core/database.ts';
import { LedgerError, toLedgerError } from '../ledger-error.ts';
import { ROLE_RIGHTS, ROLES } from './role-rights.ts';
import { type LedgerTable, rightStatements, roleName, roleStatements } from './role-sql.ts';

/** The result of granting rights. `missing`: statements that a user with more rights must run before the call is repeated. */
export type RolesGranted = { readonly prefix: string; readonly missing: readonly string[] };

/**
 * Creates the roles (`<prefix>_worker` and others), gives them their rights on the ledger's tables, and sets up row-level security between
 * tenants. Repeatable; must be repeated after each migration. Throws LedgerError.
 */
export async function grantRoles(url: string, prefix: string): Promise<RolesGranted> {
  const db = connect({ url, poolSize: 1, statementTimeoutMs: 0 });
  try {
    const missing = await makeRoles(db, prefix);
    if (missing.length === 0) await grant(db, prefix);
    return { prefix, missing };
  } catch (error) {
    throw toLedgerError(error);
  } finally {
    await db.destroy();
  }
}

/** The prefix of the PostgreSQL roles that already have rights on this database; null if there are none. */
export async function grantedPrefix(url: string): Promise<string | null> {
  const db = connect({ url, poolSize: 1 });
  try {
    const { rows } = await sql<{ name: string }>`
      select r.rolname as name from pg_class c, aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
      where c.oid = to_regclass('links') and r.rolname like '%\\_worker' order by 1 limit 1`.execute(db);
    return rows[0]?.name.replace(/_worker$/, '') ?? null;
  } catch (error) {
    throw toLedgerError(error);
  } finally {
    await db.destroy();
  }
}

/** Creates the roles that the database lacks. Returns the `create role` statements that this database user has no right to run. */
async function makeRoles(db: Kysely<Database>, prefix: string): Promise<readonly string[]> {
  const names = ROLES.map((role) => roleName(prefix, role));
  const { rows } = await sql<{ name: string }>`
    select rolname as name from pg_roles where rolname = any(${names}::text[])`.execute(db);
  const there = new Set(rows.map(({ name }) => name));
  const wanted = roleStatements(prefix).filter((_, n) => !there.has(names[n] ?? ''));
  const refused: string[] = [];
  for (const statement of wanted) {
    try {
      await sql.raw(statement).execute(db);
    } catch (error) {
      const failure = toLedgerError(error);
      if (!(failure instanceof LedgerError && failure.code === '42501')) throw failure;
      refused.push(statement);
    }
  }
  return refused;
}

/** Grants all rights in one transaction, so that no process finds a table without its rights. */
async function grant(db: Kysely<Database>, prefix: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ schema: string }>`select quote_ident(current_schema()) as schema`.execute(tx);
    for (const statement of rightStatements(prefix, rows[0]?.schema ?? 'public', await ledgerTables(tx)))
      await sql.raw(statement).execute(tx);
  });
}

/** The ledger's tables and views in this database. Partitions are left out, because no statement names them. */
async function ledgerTables(db: Kysely<Database>): Promise<readonly LedgerTable[]> {
  const { rows } = await sql<LedgerTable>`
    select c.relname as name, c.relkind = 'v' as "isView",
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant') as "hasTenant"
    from pg_class c
    where c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
      and c.relname = any(${Object.keys(ROLE_RIGHTS)}::text[]) and c.relkind in ('r', 'p', 'v')
    order by 1`.execute(db);
  return rows;
}
