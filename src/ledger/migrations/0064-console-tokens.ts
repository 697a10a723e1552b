import { type Kysely, sql } from 'kysely';

/**
 * Adds the console's one-time sign-in links and sessions. A row contains the SHA-256 of a token, never the token. The owner's identity is
 * encrypted, so that an attacker who can only write to the database cannot sign in.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table console_tokens (
    hash text primary key,
    kind text not null check (kind in ('link', 'session')),
    identity bytea not null,
    expires_at timestamptz not null
  )`.execute(db);
  await sql`create index console_tokens_expires_at on console_tokens (expires_at)`.execute(db);
}
