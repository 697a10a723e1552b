import { sql } from 'kysely';
import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { type Place, place } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import { moveCursor, moving } from '../streams/cursors.ts';
import type { CatalogChange, CatalogLedger, KnownShownRow } from './catalog-ledger.ts';

/** The value of the fingerprint column for a row that the vendor does not list any more. */
const LEFT = 'left';

export const knownRows: Statement<CatalogLedger, 'knownRows'> = async ({ db }, tenant, object, ids, at) => {
  // A row that may have been edited in the CRM gets an empty fingerprint, which differs from the fingerprint of every row that is read.
  const { rows } = await sql<KnownShownRow>`select row_id as id, seen, rank,
      case when uncertain_at <= ${at}::timestamptz then '' else fingerprint end as fingerprint from mirror_rows
    where tenant = ${tenant} and object = ${object} and row_id = any(${[...ids]}::text[])`.execute(db);
  return rows;
};

export const keepShown: Statement<CatalogLedger, 'keepShown'> = async (store, tenant, refresh, rows, move, at) => {
  if (rows.length === 0) return moveCursor(store, tenant, move, at);
  const shown = rows.map(({ object, id, fingerprint, fields, needs = [], ...row }) => ({
    ...{ object, row_id: id, fingerprint },
    ...{ master: row.master ?? null, rank: row.rank ?? null, follow: row.follow ?? null },
    need_objects: needs.map((need) => need.object),
    need_ids: needs.map((need) => need.id),
    next: fields === null ? null : `\\x${seal(store, tenant, object, id, fields).toString('hex')}`,
  }));
  // One list of records, not a list for each column, because two of the columns are lists themselves.
  await sql`with kept as (
    insert into mirror_rows as m (tenant, object, row_id, master, fingerprint, seen, rank, follow, need_objects, need_ids,
      next_fingerprint, next)
    select ${tenant}, object, row_id, master, '', ${refresh}, rank, follow, need_objects, need_ids, fingerprint, next::bytea
    from jsonb_to_recordset(${JSON.stringify(shown)}::jsonb) as shown (object text, row_id text, master text,
      fingerprint text, rank text, follow text, need_objects text[], need_ids text[], next text)
    order by object, row_id
    on conflict (tenant, object, row_id) do update
    set master = excluded.master, seen = excluded.seen, rank = excluded.rank, follow = excluded.follow,
      need_objects = excluded.need_objects, need_ids = excluded.need_ids,
      next_fingerprint = excluded.next_fingerprint, next = excluded.next)
    ${moving(tenant, move, at)}`.execute(store.db);
};

export const keepMembers: Statement<CatalogLedger, 'keepMembers'> = async ({ db }, tenant, refresh, object, master) => {
  await sql`update mirror_rows set seen = ${refresh}
    where tenant = ${tenant} and object = ${object} and master = ${master} and fingerprint <> ${LEFT}`.execute(db);
};

export const commitShown: Statement<CatalogLedger, 'commitShown'> = async (
  store,
  tenant,
  refresh,
  objects,
  move,
  at,
) => {
  await sql`with counted as (update mirror_rows
    set fingerprint = next_fingerprint, pending = coalesce(next, pending), next = null, next_fingerprint = null,
      uncertain_at = case when next is not null and uncertain_at <= ${at}::timestamptz then null else uncertain_at end
    where tenant = ${tenant} and object = any(${[...objects]}::text[]) and next_fingerprint is not null
      and seen = ${refresh})
    ${moving(tenant, move, at)}`.execute(store.db);
};

export const nextFollowed: Statement<CatalogLedger, 'nextFollowed'> = async (
  { db },
  tenant,
  refresh,
  object,
  after,
) => {
  const { rows } = await sql<{ id: string; follow: string }>`select row_id as id, follow from mirror_rows
    where tenant = ${tenant} and object = ${object} and row_id > ${after} and seen = ${refresh}
      and follow is not null
    order by row_id limit 1`.execute(db);
  return rows[0] ?? null;
};

type ReadyData = { id: string; fingerprint: string; pending: Buffer; taken: boolean };

export const readyRows: Statement<CatalogLedger, 'readyRows'> = async (store, tenant, object, least, limit) => {
  const { rows } = await sql<ReadyData>`
    with ready as materialized (
      select m.row_id from mirror_rows m
      where m.tenant = ${tenant} and m.object = ${object} and m.pending is not null
        and not exists (
          select from unnest(m.need_objects, m.need_ids) as need (object, row_id)
          where not exists (
            select from mirror_rows o where o.tenant = m.tenant and o.object = need.object
              and o.row_id = need.row_id and o.taken))
      order by m.row_id limit ${limit})
    select m.row_id as id, m.fingerprint, m.pending, m.taken
    from ready
    join mirror_rows m on m.tenant = ${tenant} and m.object = ${object} and m.row_id = ready.row_id
    where (select count(*) from ready) >= ${least}
    order by m.row_id`.execute(store.db);
  return rows.map(({ id, fingerprint, pending, taken }) => ({
    id,
    fingerprint,
    fields: store.sealer.open(pending, placeOf(tenant, object, id)) as CrmFields,
    isTaken: taken,
    hasLeft: fingerprint === LEFT,
  }));
};

export const leaveUnseen: Statement<CatalogLedger, 'leaveUnseen'> = async (
  store,
  tenant,
  refresh,
  { object, fieldsOf, kept, limit, at },
) => {
  type LeftData = { id: string; taken: boolean; again: boolean };
  const { rows } = await sql<LeftData>`select row_id as id, taken, fingerprint = ${LEFT} as again from mirror_rows
    where tenant = ${tenant} and object = ${object} and seen is distinct from ${refresh}
      and (fingerprint <> ${LEFT} or uncertain_at <= ${at}::timestamptz)
      and (master is null or not master = any(${[...kept]}::text[]))
    order by row_id limit ${limit}`.execute(store.db);
  if (rows.length === 0) return { left: [], again: [], neverTaken: [] };
  const sealed = rows.map(({ id, taken }) => (taken ? seal(store, tenant, object, id, fieldsOf(id)) : null));
  await sql`update mirror_rows m
    set fingerprint = ${LEFT}, pending = gone.pending, rank = null, follow = null, next = null, next_fingerprint = null,
      need_objects = null, need_ids = null,
      uncertain_at = case when uncertain_at <= ${at}::timestamptz then null else uncertain_at end
    from unnest(${rows.map(({ id }) => id)}::text[], ${sealed}::bytea[]) as gone (row_id, pending)
    where m.tenant = ${tenant} and m.object = ${object} and m.row_id = gone.row_id`.execute(store.db);
  const idsOf = (some: readonly LeftData[]): readonly string[] => some.map(({ id }) => id);
  return {
    left: idsOf(rows.filter(({ again }) => !again)),
    again: idsOf(rows.filter(({ again }) => again)),
    neverTaken: idsOf(rows.filter(({ taken }) => !taken)),
  };
};

export const markEdited: Statement<CatalogLedger, 'markEdited'> = async (
  { db },
  tenant,
  object,
  { ids, isDeleted },
  at,
) => {
  await sql`update mirror_rows set uncertain_at = least(uncertain_at, ${at}::timestamptz)
    where tenant = ${tenant} and object = ${object} and row_id = any(${[...ids]}::text[])
      and (not ${isDeleted} or fingerprint <> ${LEFT})`.execute(db);
  if (!isDeleted) return;
  await sql`update mirror_rows m set uncertain_at = least(m.uncertain_at, ${at}::timestamptz)
    where m.tenant = ${tenant} and exists (
      select from unnest(m.need_objects, m.need_ids) as need (object, row_id)
      where need.object = ${object} and need.row_id = any(${[...ids]}::text[]))`.execute(db);
};

export const noteGiven: Statement<CatalogLedger, 'noteGiven'> = async ({ db }, tenant, object, ids) => {
  await sql`update mirror_rows set taken = false
    where tenant = ${tenant} and object = ${object} and taken and not row_id = any(${[...ids]}::text[])`.execute(db);
  await sql`insert into mirror_rows (tenant, object, row_id, fingerprint, seen, taken)
    select ${tenant}, ${object}, given, '', '', true from unnest(${[...ids]}::text[]) as given
    order by given
    on conflict (tenant, object, row_id) do update set taken = true`.execute(db);
};

export const countCatalog: Statement<CatalogLedger, 'countCatalog'> = async ({ db }, tenant, objects) => {
  type Counted = { object: string; shown: string; pending: string };
  const counted = await sql<Counted>`select object,
      count(*) filter (where fingerprint <> ${LEFT} and fingerprint <> '') as shown,
      count(*) filter (where pending is not null) as pending
    from mirror_rows where tenant = ${tenant} and object = any(${[...objects]}::text[])
    group by object`.execute(db);
  type Held = { object: string; lacks: string; rows: string };
  const held = await sql<Held>`select m.object, lacked.lacks, count(*) as rows
    from mirror_rows m
    cross join lateral (
      select need.object || ' ' || case when need.object = 'currency' then need.row_id else '' end as lacks
      from unnest(m.need_objects, m.need_ids) as need (object, row_id)
      where not exists (
        select from mirror_rows o where o.tenant = m.tenant and o.object = need.object
          and o.row_id = need.row_id and o.taken)
      order by need.object limit 1) as lacked
    where m.tenant = ${tenant} and m.object = any(${[...objects]}::text[]) and m.pending is not null
    group by m.object, lacked.lacks`.execute(db);
  return counted.rows.map(({ object, shown, pending }) => {
    const own = held.rows.filter((row) => row.object === object);
    const waiting = own.reduce((sum, { rows }) => sum + Number(rows), 0);
    return {
      object,
      shown: Number(shown),
      pending: Number(pending) - waiting,
      held: Object.fromEntries(own.map(({ lacks, rows }) => [lacks.trim(), Number(rows)])),
    };
  });
};

function seal(store: Store, tenant: string, object: string, id: string, fields: CrmFields): Buffer {
  return store.sealer.seal(fields, placeOf(tenant, object, id));
}

/**
 * The encryption context of a catalog row's fields. The columns `pending` and `next` have the same context, because a refresh moves the
 * value from `next` to `pending` when it is committed.
 */
function placeOf(tenant: string, object: string, id: string): Place {
  return place(tenant, 'mirror_rows', 'pending', object, id);
}

/**
 * Compares a refresh of the catalog (a complete read) with the last committed refresh. The result shows changes by the vendor only. A row
 * that users may have edited in the CRM is written again, but it counts as unchanged here if the vendor has not changed it.
 */
export const catalogChanges: Statement<CatalogLedger, 'catalogChanges'> = async (
  { db },
  tenant,
  refresh,
  objects,
  most,
) => {
  type Row = { object: string; change: CatalogChange['change']; rows: string; ids: string[] };
  const { rows } = await sql<Row>`
    select object, change, count(*) as rows, (array_agg(row_id order by row_id))[1:${sql.raw(String(most))}] as ids
    from (
      select object, row_id, case
        when fingerprint = 'left' or (fingerprint = '' and not taken) then 'appeared'
        when fingerprint <> '' and fingerprint <> next_fingerprint then 'changed' end as change
      from mirror_rows
      where tenant = ${tenant} and object = any(${[...objects]}::text[]) and next_fingerprint is not null
        and seen = ${refresh}) as shown
    where change is not null group by object, change order by object, change`.execute(db);
  return rows.map(({ object, change, rows: count, ids }) => ({ object, change, rows: Number(count), ids }));
};
