import { sql } from 'kysely';
import type { Store } from '../core/store.ts';
import { newestChanged } from './due-details.ts';
import type { MirrorWork, MirrorWorkOf, WorkFound } from './mirror-ledger.ts';

/**
 * Finds out, with one SQL statement, which kinds of work a stream of mirrored rows (copies of the vendor's rows) has to do at the instant
 * `at`.
 */
export async function mirrorWork(
  store: Store,
  tenant: string,
  { stream, everyMs = 0, feeds, objects, isLoadPaused = false }: MirrorWorkOf,
  at: string,
): Promise<WorkFound> {
  type Found = Record<MirrorWork, boolean> & { readonly detail_at: Date | null };
  const before = new Date(Date.parse(at) - everyMs).toISOString();
  const due = sql`select from due_details where tenant = ${tenant} and stream = ${stream} and retry_at <= ${at}::timestamptz`;
  const detail = isLoadPaused ? sql`select from (${due} ${newestChanged} limit 1) as changed` : due;
  const { rows } = await sql<Found>`select
    exists (select from mirror_rows where tenant = ${tenant} and object = any(${[...objects]}::text[])
      and uncertain_at <= ${at}::timestamptz) as uncertain,
    exists (select from refused_rows where tenant = ${tenant} and stream = any(${[...feeds]}::text[])
      and retry_at <= ${at}::timestamptz) as refused,
    exists (select from mirror_rows where tenant = ${tenant} and object = any(${[...objects]}::text[])
      and pending is not null) as pending,
    exists (${detail}) as detail,
    exists (select from mirror_rows where tenant = ${tenant} and object = any(${[...objects]}::text[])) as shown,
    exists (select from due_totals where tenant = ${tenant} and retry_at <= ${at}::timestamptz) as total,
    exists (select from row_news where tenant = ${tenant} and object = any(${[...objects]}::text[])) as news,
    not exists (select from cursors where tenant = ${tenant} and stream = ${stream}
      and updated_at > ${before}::timestamptz and not jsonb_exists(position, 'open')) as search,
    (select min(retry_at) from due_details where tenant = ${tenant} and stream = ${stream}
      and retry_at > ${at}::timestamptz) as detail_at`.execute(store.db);
  const { detail_at, ...found } = rows[0] as Found;
  const steps = Object.entries(found).flatMap(([work, isThere]) => (isThere ? [work as MirrorWork] : []));
  return { steps: new Set(steps), detailAt: detail_at?.toISOString() ?? null };
}
