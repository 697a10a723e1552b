import { type Kysely, sql } from 'kysely';

/**
 * Adds the audit log of operators: who did what, when, from where and why. Rows are only added. Each row contains the hash of the previous
 * row, and its own hash in encrypted form as a proof.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table operator_actions (
    seq bigint primary key,
    action uuid not null,
    at timestamptz not null,
    phase text not null check (phase in ('attempted', 'succeeded', 'failed')),
    verb text not null,
    tenants text[] not null,
    details jsonb not null,
    reason text,
    os_user text not null,
    host text not null,
    db_user text not null,
    error text,
    previous text not null,
    hash text not null,
    proof bytea not null
  )`.execute(db);
  await sql`create index operator_actions_action on operator_actions (action)`.execute(db);
  await sql`create function operator_actions_only_grow() returns trigger language plpgsql as $$
    begin
      raise exception 'operator_actions: rows are only added' using errcode = 'insufficient_privilege';
    end $$`.execute(db);
  await sql`create trigger operator_actions_only_grow before update or delete or truncate on operator_actions
    for each statement execute function operator_actions_only_grow()`.execute(db);
}
