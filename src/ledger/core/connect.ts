import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { preparingClient } from './prepared-statements.ts';
import { walledClient } from './tenant-wall.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 30_000;

export type ConnectOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** The time limit of a statement in milliseconds, 30 seconds by default; 0 for no limit, which migrations need. */
  readonly statementTimeoutMs?: number;
  /**
   * Whether statements are prepared. Must be false if the database is behind a connection pooler that does not support prepared statements.
   */
  readonly prepares?: boolean;
  /**
   * Whether each statement is sent together with its tenant's name. Needed if the database role is under row-level security. Such a
   * connection prepares no statements.
   */
  readonly isWalled?: boolean;
};

/**
 * Makes PostgreSQL use one query plan for all tenants, because a plan made for one tenant may scan whole tables for another
 * (docs/decisions/0045-plans-for-any-tenant.md).
 */
const PLANS_FOR_ANY_TENANT = 'set plan_cache_mode = force_generic_plan';

/** Opens a connection pool behind Kysely. The pool connects on first use, and reads no environment variables of libpq. */
export function connect(options: ConnectOptions): Kysely<Database> {
  const pool = new pg.Pool({
    connectionString: options.url,
    ...clientOf(options),
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
  // Without listeners a broken connection would end the process. With them the pool replaces it. The pool listens only to idle connections,
  // so each connection gets a listener too.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}

function clientOf({ prepares, isWalled }: ConnectOptions): Pick<pg.PoolConfig, 'Client'> {
  if (isWalled === true) return { Client: walledClient() };
  return prepares === false ? {} : { Client: preparingClient() };
}

/** The number of connections that all processes together may open: the smallest of the limits of the server, the database and the role. */
export async function connectionLimit(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ allowed: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int,
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
    ) as allowed`.execute(db);
  return rows[0]?.allowed ?? 1;
}
