import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { connect } from '../core/connect.ts';
import type { Database } from '../core/database.ts';
import { LedgerError, toLedgerError } from '../ledger-error.ts';
import { MIGRATIONS } from './index.ts';

/**
 * Migrates the database at `url` to this release, in one transaction, and returns the names of the migrations that ran, oldest first.
 * Concurrent callers wait for each other. Throws LedgerError with the code `NEWER` (a newer release has migrated the database), a SQLSTATE
 * or a connection error's code.
 */
export async function migrate(url: string): Promise<string[]> {
  const db = connect({ url, poolSize: 2, statementTimeoutMs: 0 });
  try {
    const missing = await unknownHere(db);
    if (missing !== null) {
      throw new LedgerError('NEWER', `The ledger was migrated by a newer version ("${missing}"): run that version.`);
    }
    const { error, results } = await migrator(db).migrateToLatest();
    if (error !== undefined) throw error;
    return (results ?? []).map((result) => result.migrationName);
  } catch (error) {
    throw toLedgerError(error);
  } finally {
    await db.destroy();
  }
}

/** Names of the migrations that the database lacks. */
export async function pendingMigrations(db: Kysely<Database>): Promise<readonly string[]> {
  const migrations = await migrator(db).getMigrations();
  return migrations.filter((migration) => migration.executedAt === undefined).map(({ name }) => name);
}

function migrator(db: Kysely<Database>): Migrator {
  return new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
}

/** The first migration in the database that this release does not contain; null if this release contains all of them. */
async function unknownHere(db: Kysely<Database>): Promise<string | null> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some((table) => table.name === 'kysely_migration')) return null;
  const rows = await (db as Kysely<unknown> as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name).find((name) => MIGRATIONS[name] === undefined) ?? null;
}
