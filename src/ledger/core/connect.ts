import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { preparingClient } from './prepared-statements.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export type ConnectOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** 0: none, for migrations. */
  readonly statementTimeoutMs?: number;
  /** False: no statement is prepared, for a pooler that does not know them. */
  readonly prepares?: boolean;
};

/** One made for a tenant that the statistics do not know looks each of its records up among all (docs/decisions/0045-plans-for-any-tenant.md). */
const PLANS_FOR_ANY_TENANT = 'set plan_cache_mode = force_generic_plan';

/** A connection pool behind Kysely; connects on first use. Reads no settings of libpq from the environment but the url. */
export function connect(options: ConnectOptions): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: options.url,
    ...(options.prepares === false ? {} : { Client: preparingClient() }),
    max: options.poolSize,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: 2 * STATEMENT_TIMEOUT_MS,
    application_name: 'lockstep',
    keepAlive: true,
    verify: (client, done) => {
      client.query(PLANS_FOR_ANY_TENANT).then(() => done(), done);
    },
  });
  // A connection that breaks is replaced at the next use; without a listener it would end the process. The pool listens
  // for those that lie idle in it; one that breaks between two statements of a transaction tells only itself.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

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
