import { type Kysely, sql } from 'kysely';
import type { Database } from './database.ts';

/** Connections that the server, the database and the role let us have, all processes together. */
export async function connectionLimit(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ allowed: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as allowed`.execute(db);
  return rows[0]?.allowed ?? 1;
}
