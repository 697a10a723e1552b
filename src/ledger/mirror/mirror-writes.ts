import { sql } from 'kysely';
import type { Statement } from '../core/store.ts';
import { markTotals } from './due-totals.ts';
import type { LeavingRow, MirrorLedger } from './mirror-ledger.ts';

/**
 * Stores that these rows are on their way to the CRM, and returns the ids of the rows that may be sent. To be called before the write is
 * sent. Locks the rows in a fixed order, so that two writes cannot deadlock.
 */
export const markLeaving: Statement<MirrorLedger, 'markLeaving'> = async (store, tenant, object, rows, write) => {
  const of = (key: keyof LeavingRow) => rows.map((row) => row[key]);
  const { rows: left } = await sql<{ id: string }>`
    with mine as (
      select m.row_id from mirror_rows m
      join unnest(${of('id')}::text[], ${of('fingerprint')}::text[], ${of('linkedTo')}::text[])
        as given (row_id, fingerprint, linked_to) on given.row_id = m.row_id
      where m.tenant = ${tenant} and m.object = ${object}
        and m.fingerprint = coalesce(given.fingerprint, m.fingerprint)
        and (given.linked_to is null or given.linked_to = m.chosen or (m.opportunity is null and m.chosen is null) or exists (
          select from links l where l.tenant = m.tenant and l.vendor_id = m.opportunity
            and l.crm_id = given.linked_to and l.state <> 'detached'))
      order by m.row_id for update of m)
    update mirror_rows m
    set leaving = ${write.id}, leaving_until = ${write.until}::timestamptz,
      uncertain_at = case when m.leaving is null or m.leaving_until <= ${write.at}::timestamptz then m.uncertain_at
        else greatest(m.uncertain_at, m.leaving_until) end
    from mine where m.tenant = ${tenant} and m.object = ${object} and m.row_id = mine.row_id
    returning m.row_id as id`.execute(store.db);
  return left.map(({ id }) => id);
};

export const settleMirrored: Statement<MirrorLedger, 'settleMirrored'> = async (store, tenant, object, rows, write) => {
  await markTotals(store, tenant, object, rows, write.at);
  await sql`update mirror_rows m
    set taken = m.taken or s.taken, linked_to = case when s.is_linked then s.linked_to else m.linked_to end,
      pending = case when m.fingerprint = s.fingerprint then null else m.pending end,
      uncertain_at = case when m.leaving = ${write.id} then m.uncertain_at else ${write.at}::timestamptz end,
      leaving = nullif(m.leaving, ${write.id})
    from unnest(${rows.map(({ id }) => id)}::text[], ${rows.map(({ isTaken }) => isTaken)}::boolean[],
      ${rows.map((row) => row.fingerprint ?? null)}::text[], ${rows.map((row) => row.linkedTo ?? null)}::text[],
      ${rows.map((row) => row.isTaken && row.linkedTo !== undefined)}::boolean[])
      as s (row_id, taken, fingerprint, linked_to, is_linked)
    where m.tenant = ${tenant} and m.object = ${object} and m.row_id = s.row_id`.execute(store.db);
};

export const markInDoubt: Statement<MirrorLedger, 'markInDoubt'> = async (
  store,
  tenant,
  object,
  { ids, details },
  at,
) => {
  await sql`update mirror_rows set uncertain_at = least(uncertain_at, ${at}::timestamptz)
    where tenant = ${tenant} and object = ${object} and row_id = any(${ids}::text[])`.execute(store.db);
  if (!details) return;
  await sql`update mirror_rows set uncertain_at = least(uncertain_at, ${at}::timestamptz)
    where tenant = ${tenant} and master = any(${ids}::text[])`.execute(store.db);
};

/**
 * Schedules rows in doubt (rows whose values in the CRM are unknown) to be read again. Deletes their fingerprints, so that after the read
 * they count as changed and are written again.
 */
export const renewInDoubt: Statement<MirrorLedger, 'renewInDoubt'> = async (
  store,
  tenant,
  { stream, objects },
  at,
  limit,
) => {
  const { rows } = await sql<{ detail: string; is_given: boolean }>`
    with uncertain as (
      select object, row_id from mirror_rows
      where tenant = ${tenant} and object = any(${objects}::text[]) and uncertain_at <= ${at}::timestamptz
      order by object, row_id limit ${limit} for update)
    update mirror_rows m
    set uncertain_at = null, fingerprint = case when m.pending is null then '' else m.fingerprint end
    from uncertain d where m.tenant = ${tenant} and m.object = d.object and m.row_id = d.row_id
    returning coalesce(m.master, m.row_id) as detail, m.pending is null as is_given`.execute(store.db);
  const details = new Set(rows.flatMap(({ detail, is_given }) => (is_given ? [detail] : [])));
  await sql`
    insert into due_details (tenant, stream, row_id, stamp, retry_at)
    select ${tenant}, ${stream}, row_id, null, ${at}::timestamptz from unnest(${[...details].sort()}::text[]) as row_id
    on conflict (tenant, stream, row_id) do update
    set retry_at = least(due_details.retry_at, excluded.retry_at), of_load = false`.execute(store.db);
  return rows.length;
};
