import { type Kysely, sql } from 'kysely';

/**
 * Adds the states of tenants (such as an outage) about which operators get notices, and the messages. A message is stored together with the
 * change of the state, and sent afterwards. `generation` counts the changes of a tenant's states, so that a writer with old data is
 * refused. The row of a digest (a collected message about many tenants) has '' as its tenant.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table notice_generations (
    tenant text primary key,
    generation bigint not null
  )`.execute(db);
  await sql`create table notice_states (
    tenant text not null,
    cause text not null,
    subject text not null,
    since timestamptz,
    records integer,
    found_at timestamptz not null,
    is_announced boolean not null,
    gone_since timestamptz,
    targets jsonb not null,
    primary key (tenant, cause, subject)
  )`.execute(db);
  await sql`create table notice_messages (
    tenant text not null,
    id text not null,
    seq bigint generated always as identity,
    channel text not null,
    cause text not null,
    subject text not null,
    message jsonb not null,
    state text not null,
    created_at timestamptz not null,
    due_at timestamptz not null,
    expires_at timestamptz not null,
    attempts integer not null default 0,
    claim uuid,
    claimed_until timestamptz,
    ended_at timestamptz,
    error text,
    primary key (tenant, id)
  )`.execute(db);
  await sql`create index notice_messages_due on notice_messages (due_at, seq) where state = 'waits'`.execute(db);
  await sql`create index notice_messages_order on notice_messages (tenant, channel, cause, subject, seq)
    where state = 'waits'`.execute(db);
  await sql`create index notice_messages_digest on notice_messages (channel, seq) where state = 'digest'`.execute(db);
  await sql`create index notice_messages_tenant on notice_messages (tenant, seq)`.execute(db);
  await sql`create index notice_messages_given_up on notice_messages (tenant, ended_at) where state = 'given-up'`.execute(
    db,
  );
}
