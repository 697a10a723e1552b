import { type Kysely, sql } from 'kysely';

/**
 * Creates the tables. The tenant comes first in the primary key of each table except `journal`, because statements read one tenant's rows.
 * `bytea` columns are encrypted; no other column contains values of business records.
 */
const STATEMENTS = [
  sql`create table links (
    tenant text not null,
    key text not null,
    crm_id text,
    vendor_id text,
    state text not null,
    base bytea,
    vendor_seen bytea,
    vendor_read_at timestamptz,
    vendor_in_doubt text not null default 'no' check (vendor_in_doubt in ('no', 'create', 'update')),
    adopting_since timestamptz,
    generation integer not null default 0,
    observed_generation integer not null default 0,
    due_since timestamptz,
    marked_at timestamptz,
    issues bytea,
    issue_codes text[] not null default '{}',
    refused_fingerprint text,
    reported text,
    updated_at timestamptz not null,
    primary key (tenant, key),
    constraint links_crm_id unique (tenant, crm_id),
    constraint links_vendor_id unique (tenant, vendor_id),
    constraint links_done_within_due check (observed_generation between 0 and generation),
    constraint links_due_since check ((due_since is null) = (observed_generation = generation)),
    constraint links_absorbed_has_no_ids check (state <> 'absorbed' or (crm_id is null and vendor_id is null))
  )`,
  sql`create index links_due on links (tenant, due_since, key) where due_since is not null`,
  sql`create index links_state on links (tenant, state, updated_at)`,
  sql`create view parked as
    select tenant, key, crm_id, vendor_id, state, unnest(issue_codes) as code, updated_at from links`,
  sql`create table link_aliases (
    tenant text not null,
    alias text not null,
    key text not null,
    at timestamptz not null,
    primary key (tenant, alias),
    foreign key (tenant, key) references links (tenant, key)
  )`,
  sql`create index link_aliases_key on link_aliases (tenant, key)`,
  sql`create table plans (
    tenant text not null,
    id text not null,
    key text not null,
    created_at timestamptz not null,
    crm_read_at timestamptz,
    vendor_read_at timestamptz,
    graph bytea,
    generation integer not null,
    next text not null,
    plan bytea not null,
    sent_at timestamptz,
    outcome text,
    primary key (tenant, id),
    foreign key (tenant, key) references links (tenant, key)
  )`,
  sql`create index plans_key on plans (tenant, key, created_at)`,
  sql`create table journal (
    seq bigint generated always as identity primary key,
    tenant text not null,
    key text not null,
    id text not null,
    at timestamptz not null,
    kind text not null,
    summary jsonb not null,
    decisions bytea,
    foreign key (tenant, key) references links (tenant, key)
  )`,
  sql`create index journal_key on journal (tenant, key, at, seq)`,
  sql`create table cursors (
    tenant text not null,
    stream text not null,
    position jsonb not null,
    updated_at timestamptz not null,
    primary key (tenant, stream)
  )`,
  sql`create table deliveries (
    tenant text not null,
    id text not null,
    source text not null,
    keys text[] not null,
    received_at timestamptz not null,
    signalled_at timestamptz,
    primary key (tenant, id)
  )`,
  sql`create index deliveries_received_at on deliveries (tenant, received_at)`,
  sql`create table quota (
    tenant text not null,
    domain text not null,
    quota_limit integer check (quota_limit >= 0),
    remaining integer check (remaining >= 0),
    window_start timestamptz not null,
    window_end timestamptz not null,
    window_seconds integer not null,
    assumed boolean not null,
    primary key (tenant, domain)
  )`,
  sql`create table pauses (
    tenant text not null,
    domain text not null,
    reason text not null,
    since timestamptz not null,
    primary key (tenant, domain)
  )`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}
