import { type Kysely, sql } from 'kysely';

/**
 * Adds `linked_by` to links: how a pair came to be linked; null for pairs of earlier releases. Adds columns to the console's tokens for
 * programs: the token's name, who made it and when, and when it was last used.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table links add column linked_by jsonb`.execute(db);
  await sql`alter table console_tokens
    drop constraint console_tokens_kind_check,
    add constraint console_tokens_kinds check (kind in ('link', 'session', 'program')) not valid,
    add column name text, add column made_by text, add column created_at timestamptz, add column used_at timestamptz`.execute(
    db,
  );
}
