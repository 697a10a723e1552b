import { sql } from 'kysely';
import type { CrmFields } from '../../domain/record/crm-graph.ts';
import { type Place, place } from '../core/sealer.ts';
import type { Statement, Store } from '../core/store.ts';
import type { MirrorChange, MirrorFingerprint, MirrorLedger, ReadDetail } from './mirror-ledger.ts';
import { keepNews } from './row-news.ts';

export const mirrorRows: Statement<MirrorLedger, 'mirrorRows'> = async (store, tenant, { object, id }) => {
  const { rows } = await sql<MirrorFingerprint>`select object, row_id as id, fingerprint from mirror_rows
    where tenant = ${tenant} and object = ${object} and row_id = ${id}
    union all
    select object, row_id as id, fingerprint from mirror_rows
    where tenant = ${tenant} and master = ${id}`.execute(store.db);
  return rows;
};

export const keepDetail: Statement<MirrorLedger, 'keepDetail'> = async (store, tenant, stream, read) => {
  if (!(await keepStamp(store, tenant, read))) return false;
  await keepChanged(store, tenant, read);
  if (read.known !== undefined) await keepNews(store, tenant, read.row, read.known);
  const { rowId, stamp } = read.detail;
  const { rows } = await sql`
    with newer as (
      select from seen_rows where tenant = ${tenant} and stream = ${stream} and row_id = ${rowId}
        and stamp > ${read.modifiedAt}::timestamptz),
    done as (
      delete from due_details where tenant = ${tenant} and stream = ${stream} and row_id = ${rowId}
        and stamp is not distinct from ${stamp}::timestamptz and not exists (select from newer))
    select true from newer`.execute(store.db);
  return rows.length === 0;
};

/**
 * Stores the version of a row and the deal to which it belongs, and locks the row. Returns false, and stores nothing, if the ledger has a
 * newer version. Runs inside a transaction.
 */
async function keepStamp(
  store: Store,
  tenant: string,
  { row, modifiedAt, stamp, opportunity }: ReadDetail,
): Promise<boolean> {
  const { rows } = await sql`
    insert into mirror_rows (tenant, object, row_id, fingerprint, stamp, opportunity)
    values (${tenant}, ${row.object}, ${row.id}, '', ${stamp}::timestamptz, ${opportunity})
    on conflict (tenant, object, row_id) do update set stamp = excluded.stamp, opportunity = excluded.opportunity
    where (mirror_rows.stamp > ${modifiedAt}::timestamptz) is not true
    returning true`.execute(store.db);
  return rows.length > 0;
}

async function keepChanged(store: Store, tenant: string, { row, changed }: ReadDetail): Promise<void> {
  const sealed = changed.map(({ object, id, fields }) => store.sealer.seal(fields, placeOf(tenant, object, id)));
  const of = (key: keyof MirrorChange) => changed.map((one) => one[key]);
  const masters = changed.map((one) => (one.object === row.object ? null : row.id));
  await sql`
    insert into mirror_rows (tenant, object, row_id, master, fingerprint, pending)
    select ${tenant}, object, row_id, master, fingerprint, pending
    from unnest(${of('object')}::text[], ${of('id')}::text[], ${masters}::text[], ${of('fingerprint')}::text[],
      ${sealed}::bytea[]) as changed (object, row_id, master, fingerprint, pending)
    order by object, row_id
    on conflict (tenant, object, row_id) do update
    set fingerprint = excluded.fingerprint, pending = excluded.pending`.execute(store.db);
}

type PendingData = {
  id: string;
  fingerprint: string;
  pending: Buffer;
  opportunity: string | null;
  linked_to: string | null;
  crm_id: string | null;
  chosen: string | null;
};

/** Reads the rows that wait to be written to the CRM, each with the CRM id of its opportunity, if known. */
export const pendingRows: Statement<MirrorLedger, 'pendingRows'> = async (
  store,
  tenant,
  { object, masterObject },
  least,
  limit,
) => {
  // This query runs before each read of a row's details. If too few rows wait to be written, it returns none, so that none are decrypted.
  const { rows } = await sql<PendingData>`
    with ready as materialized (
      select m.row_id from mirror_rows m
      where m.tenant = ${tenant} and m.object = ${object} and m.pending is not null
        and (m.master is null or exists (
          select from mirror_rows o
          where o.tenant = m.tenant and o.object = ${masterObject} and o.row_id = m.master and o.taken))
      order by m.row_id limit ${limit})
    select m.row_id as id, m.fingerprint, m.pending, m.opportunity, m.linked_to, m.chosen, l.crm_id
    from ready
    join mirror_rows m on m.tenant = ${tenant} and m.object = ${object} and m.row_id = ready.row_id
    left join links l on l.tenant = m.tenant and l.vendor_id = m.opportunity and l.state <> 'detached'
    where (select count(*) from ready) >= ${least}
    order by m.row_id`.execute(store.db);
  return rows.map(({ id, fingerprint, pending, opportunity, linked_to, chosen, crm_id }) => ({
    id,
    fingerprint,
    fields: store.sealer.open(pending, placeOf(tenant, object, id)) as CrmFields,
    opportunityId: (opportunity ?? linked_to ?? chosen) === null ? undefined : (crm_id ?? chosen),
  }));
};

export const unlinkedRows: Statement<MirrorLedger, 'unlinkedRows'> = async (store, tenant, object, since, limit) => {
  const { rows } = await sql<{ id: string; opportunityId: string }>`
    select m.row_id as id, l.crm_id as "opportunityId"
    from links l
    join mirror_rows m on m.tenant = l.tenant and m.opportunity = l.vendor_id
    where l.tenant = ${tenant} and l.updated_hour >= date_trunc('hour', ${since}::timestamptz at time zone 'UTC')
      and l.updated_at >= ${since}::timestamptz and l.crm_id is not null
      and l.state = any('{new,in-sync,pending,conflict,parked,vendor-missing}'::text[])
      and m.object = ${object} and m.taken and m.linked_to is distinct from l.crm_id
    order by m.row_id limit ${limit}`.execute(store.db);
  return rows;
};

/**
 * Links the given rows (orders) to an opportunity, even if they were never read before. Marks their details to be read, and deletes their
 * fingerprints, so that after the read the rows count as changed and are written.
 */
export const chooseOpportunity: Statement<MirrorLedger, 'chooseOpportunity'> = async (
  store,
  tenant,
  { stream, object, ids, opportunityId },
  at,
) => {
  await sql`
    insert into mirror_rows (tenant, object, row_id, fingerprint, chosen)
    select ${tenant}, ${object}, row_id, '', ${opportunityId} from unnest(${[...ids].sort()}::text[]) as row_id
    on conflict (tenant, object, row_id) do update set fingerprint = '', chosen = excluded.chosen`.execute(store.db);
  await sql`
    insert into due_details (tenant, stream, row_id, stamp, retry_at)
    select ${tenant}, ${stream}, row_id, ${at}::timestamptz, ${at}::timestamptz
    from unnest(${[...ids].sort()}::text[]) as row_id
    on conflict (tenant, stream, row_id) do update
    set stamp = excluded.stamp, tries = 0, retry_at = least(due_details.retry_at, excluded.retry_at), of_load = false`.execute(
    store.db,
  );
};

function placeOf(tenant: string, object: string, id: string): Place {
  return place(tenant, 'mirror_rows', 'pending', object, id);
}
