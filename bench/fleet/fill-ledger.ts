/** Fills a ledger with rows as tenants have after years without problems, without running the engine. */
import pg from 'pg';
import { STREAM_NAMES } from '../../src/domain/streams/streams.ts';

/** The number of rows of each tenant in other tables than links. */
export type Beside = {
  readonly deliveries: number;
  readonly journal: number;
  readonly plans: number;
  readonly seenRows: number;
  /** Each order has one line. */
  readonly orders: number;
  /** Each product has one component. */
  readonly products: number;
  readonly dueDetails: number;
  readonly barredPairs: number;
  readonly auditMarks: number;
  /** The rows of each side. */
  readonly backfillRows: number;
};

export type Filling = {
  readonly tenants: readonly string[];
  /** The links of each tenant: both ids, without an agreed state. */
  readonly pairs: readonly { readonly crmId: string; readonly vendorId: string }[];
  readonly beside: Beside;
  /**
   * The length of a sealed plan and of a sealed journal line; the content is random and fits no key. 0: journal lines have no sealed part.
   */
  readonly sealedBytes: number;
  /** The date of all rows, ISO. */
  readonly at: string;
  /** The tenant whose cursors are copied; null: each stream gets an empty cursor. */
  readonly like: Like | null;
  /** Null: PostgreSQL gets no statistics of the rows, as for a new tenant. */
  readonly statistics?: null;
};

/**
 * A tenant that was served for some time; the others get copies of its cursors, quotas and CRM call counts. `everyMs`: the poll interval of
 * each stream; the tenants' last polls are spread over it.
 */
export type Like = { readonly tenant: string; readonly everyMs: Readonly<Record<string, number>> };

/** The rows that a tenant with this many links has after a year, given the retention times. */
export function usualBeside(links: number): Beside {
  const part = (share: number): number => Math.ceil(links * share);
  return {
    deliveries: part(0.1),
    journal: links,
    plans: part(0.05),
    seenRows: part(0.05),
    orders: part(0.1),
    products: part(0.1),
    dueDetails: 0,
    barredPairs: part(0.01),
    auditMarks: links,
    backfillRows: 0,
  };
}

/** How many tenants one statement fills. */
const AT_ONCE = 50;

/**
 * Fills the ledger at `url` and updates PostgreSQL's statistics. Needs a superuser, because row checks are skipped. Links have no sealed
 * part, so they can be read.
 */
export async function fillLedger(url: string, filling: Filling): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query('set synchronous_commit = off');
    await client.query(
      'create temp table filled as select * from unnest($1::text[], $2::text[]) with ordinality as pair (crm_id, vendor_id, n)',
      [filling.pairs.map(({ crmId }) => crmId), filling.pairs.map(({ vendorId }) => vendorId)],
    );
    const all = [...linkStatements(), ...besideStatements(filling), ...streamStatements(filling.like)];
    for (let start = 0; start < filling.tenants.length; start += AT_ONCE) {
      const tenants = filling.tenants.slice(start, start + AT_ONCE);
      for (const statement of all) await client.query(statement, [tenants, filling.at]);
    }
    if (filling.statistics !== null) await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}

/** Parameters: `$1` the tenants, `$2` the instant. One of a hundred links waits for a person. */
function linkStatements(): readonly string[] {
  return [
    `insert into links (tenant, key, crm_id, vendor_id, state, generation, observed_generation, marked_at, updated_at, issue_codes, retry_at)
     select tenant, crm_id, crm_id, vendor_id, case when n % 100 = 50 then 'parked' else 'in-sync' end, 1, 1,
       $2::timestamptz - interval '1 day', $2::timestamptz - interval '1 day' - n * interval '1 second',
       case when n % 100 = 50 then '{line-not-shared}'::text[] else '{}' end,
       case when n % 100 = 50 then $2::timestamptz + interval '1000 days' end
     from unnest($1::text[]) as tenant, filled`,
  ];
}

function besideStatements({ beside, sealedBytes }: Filling): readonly string[] {
  const { deliveries, journal, plans, seenRows } = beside;
  const { dueDetails, barredPairs, auditMarks, backfillRows } = beside;
  const sealed = `decode(repeat('5a', ${sealedBytes}), 'hex')`;
  return [
    insert('deliveries (tenant, id, source, keys, received_at, signalled_at)', deliveries, [
      "'D' || n, 'event', array['C' || n], $2::timestamptz, $2::timestamptz",
    ]),
    insert('journal (tenant, key, id, at, kind, summary, decisions)', journal, [
      `key, 'J' || n, $2::timestamptz, 'state', '{"state":"in-sync"}'::jsonb, ${sealedBytes === 0 ? 'null::bytea' : sealed}`,
    ]),
    insert('plans (tenant, id, key, created_at, generation, next, plan, outcome)', plans, [
      `'P' || n, key, $2::timestamptz, 1, 'nothing', ${sealed}, 'settled'`,
    ]),
    insert('seen_rows (tenant, stream, row_id, stamp)', seenRows, [
      "'sweepSalesforce:Account', 'R' || n, $2::timestamptz",
    ]),
    ...mirroredStatements(beside),
    insert('due_details (tenant, stream, row_id, stamp, retry_at)', dueDetails, [
      "'pullOrders', 'O' || n, $2::timestamptz, $2::timestamptz",
    ]),
    insert('barred_pairs (tenant, crm_id, vendor_id, at)', barredPairs, ["crm_id, 'W' || n, $2::timestamptz"]),
    insert('audit_marks (tenant, key, vendor_at, crm_at)', auditMarks, ['key, $2::timestamptz, $2::timestamptz']),
    insert('backfill_rows (tenant, side, id, state)', backfillRows, [
      "'crm', crm_id, 'found'",
      "'vendor', vendor_id, 'matched'",
    ]),
  ];
}

function mirroredStatements({ orders, products }: Beside): readonly string[] {
  return [
    insert('mirror_rows (tenant, object, row_id, master, fingerprint, taken, opportunity, linked_to)', orders, [
      "'Vendor_Order__c', 'O' || n, null, 'f', true, vendor_id, crm_id",
      "'Vendor_Order_Line__c', 'O' || n || '/1', 'O' || n, 'f', true, null, null",
    ]),
    insert('mirror_rows (tenant, object, row_id, fingerprint, taken, seen, follow)', products, [
      "'product', 'P' || n, 'f', true, 'r1', 'R1'",
      "'component', 'P' || n || '/1', 'f', true, 'r1', null",
    ]),
  ];
}

/** An insert of each tenant's rows, made from its first `count` links by each select expression in `ways`. */
function insert(into: string, count: number, ways: readonly string[]): string {
  const rows = ways.map(
    (values) => `select tenant, ${values} from unnest($1::text[]) as tenant, pair where n <= ${count}`,
  );
  return `with pair as (select n, crm_id as key, crm_id, vendor_id from filled where $2::timestamptz is not null)
    insert into ${into} ${rows.join(' union all ')}`;
}

/** The ledger counts the calls of a day and up to an hour longer. */
const HOURS = 25;

function streamStatements(like: Like | null): readonly string[] {
  if (like !== null) return copiesOf(like);
  const streams = STREAM_NAMES.map((name) => `('${name}')`).join(', ');
  return [
    `insert into cursors (tenant, stream, position, updated_at)
     select tenant, stream, '{}', $2::timestamptz from unnest($1::text[]) as tenant, (values ${streams}) as known (stream)
     on conflict do nothing`,
    `insert into quota (tenant, domain, quota_limit, remaining, window_start, window_end, window_seconds, assumed)
     select tenant, domain, 1000, 900, $2::timestamptz, $2::timestamptz + interval '1 minute', 60, false
     from unnest($1::text[]) as tenant, (values ('vendor-sales'), ('vendor-order')) as known (domain) on conflict do nothing`,
    `insert into crm_calls (tenant, hour, calls, used, org_limit, reported_at)
     select tenant, date_trunc('hour', $2::timestamptz) - n * interval '1 hour', 9, 9, 99, $2::timestamptz
     from unnest($1::text[]) as tenant, generate_series(0, ${HOURS - 1}) as n on conflict do nothing`,
    `insert into refused_rows (tenant, stream, row_hash, row, reason, tries, first_at, retry_at)
     select tenant, 'pullOrders', 'h' || n, '', 'STRING_TOO_LONG', 1, $2::timestamptz, $2::timestamptz + interval '1000 days'
     from unnest($1::text[]) as tenant, generate_series(1, 2) as n on conflict do nothing`,
  ];
}

function copiesOf({ tenant: name, everyMs }: Like): readonly string[] {
  const tenant = `'${name.replaceAll("'", "''")}'`;
  const rhythms = Object.entries(everyMs).map(([stream, ms]) => `('${stream}', ${ms})`);
  return [
    `insert into cursors (tenant, stream, position, updated_at, found_at)
     select t.tenant, c.stream, c.position,
       $2::timestamptz - coalesce(e.ms::float8 * (hashtext(t.tenant || e.name) & 1023) / 1024.0, 0) * interval '1 millisecond',
       $2::timestamptz - interval '1 day'
     from unnest($1::text[]) as t (tenant), cursors c
     left join (values ${rhythms.join(', ')}) as e (name, ms) on e.name = split_part(c.stream, ':', 1)
     where c.tenant = ${tenant}
     on conflict do nothing`,
    `insert into quota select (jsonb_populate_record(q, jsonb_build_object('tenant', t.tenant))).*
     from unnest($1::text[]) as t (tenant), quota q where q.tenant = ${tenant} and $2::timestamptz is not null on conflict do nothing`,
    `insert into crm_calls (tenant, hour, calls, used, org_limit, reported_at)
     select t.tenant, date_trunc('hour', $2::timestamptz) - n * interval '1 hour', c.calls, c.used, c.org_limit, c.reported_at
     from unnest($1::text[]) as t (tenant), generate_series(0, ${HOURS - 1}) as n,
       (select calls, used, org_limit, reported_at from crm_calls where tenant = ${tenant} order by hour desc limit 1) as c
     on conflict do nothing`,
  ];
}
