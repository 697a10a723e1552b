import { sql } from 'kysely';
import type { BackfillSide } from '../../domain/backfill/backfill.ts';
import { withResync } from '../../domain/base/under-mapping.ts';
import type { FieldName } from '../../domain/record/canonical.ts';
import type { Store } from '../core/store.ts';
import { sealedColumns, toLink } from '../links/link-row.ts';
import { changedAt } from '../links/link-version.ts';
import { markDue } from '../queue/due.ts';

/** The maximum number of a backfill's records that one step checks. */
const LOOKED_AT = 150;

type Meeting = {
  readonly side: BackfillSide;
  readonly fields: readonly FieldName[];
  readonly limit: number;
};

/**
 * For a backfill that syncs only certain fields: takes its next linked records of one side (CRM or vendor), at most `meeting.limit`. Stores
 * in each link that the next decision must sync `meeting.fields` as if the two records had never agreed on these fields. Then marks both
 * records of each link due. Skips links that are already due, because the outcome of a write that is on its way could store the fields as
 * agreed. Runs inside a transaction.
 */
export async function meetNext(store: Store, tenant: string, meeting: Meeting, at: string): Promise<void> {
  await finishUnlinked(store, tenant, meeting.side);
  if (meeting.limit <= 0) return;
  const links = await nextQuiet(store, tenant, meeting);
  for (const { key } of links) await resyncFields(store, tenant, key, meeting.fields, at);
  // Both sides are due, because the vendor's record may be unchanged and still has to be compared with the CRM's.
  await markDue(
    store,
    tenant,
    links.map(({ vendor_id: vendorId }) => ({ vendorId })),
    at,
  );
  await markDue(
    store,
    tenant,
    links.map(({ crm_id: crmId }) => ({ crmId })),
    at,
  );
}

/**
 * Marks the backfill's next records as done if they are not shared with the vendor or not linked to a record there, because there is
 * nothing to sync for them.
 */
async function finishUnlinked({ db }: Store, tenant: string, side: BackfillSide): Promise<void> {
  await sql`
    with front as (${front(tenant, side)})
    update backfill_rows r set state = 'done', outcome = 'not-linked'
    from front
    where r.tenant = ${tenant} and r.side = ${side} and r.id = front.id and not exists (
      select from links l where l.tenant = r.tenant and ${idOf(side)} = r.id
        and l.crm_id is not null and l.vendor_id is not null and l.state not in ('superseded', 'detached'))`.execute(
    db,
  );
}

/** A query for the next records of one side (CRM or vendor) that a backfill has not processed yet, at most `LOOKED_AT`. */
function front(tenant: string, side: BackfillSide) {
  return sql<{ id: string }>`select id from backfill_rows
    where tenant = ${tenant} and side = ${side} and state = 'found' order by place limit ${LOOKED_AT}`;
}

type Quiet = { readonly key: string; readonly crm_id: string; readonly vendor_id: string };

async function nextQuiet({ db }: Store, tenant: string, { side, limit }: Meeting): Promise<readonly Quiet[]> {
  const found = await front(tenant, side).execute(db);
  // A list of ids, so that PostgreSQL looks up these links only and does not read all links of the tenant.
  const ids = found.rows.map(({ id }) => id);
  const { rows } = await sql<Quiet>`
    with next as (
      select ${idOf(side)} as id, l.key, l.crm_id, l.vendor_id from links l
      where l.tenant = ${tenant} and ${idOf(side)} = any(${ids}::text[]) and l.due_since is null
        and not exists (
          select from backfill_rows v where v.tenant = ${tenant} and ${side} = 'crm' and v.side = 'vendor'
            and v.id = l.vendor_id and v.state = 'done')
      order by array_position(${ids}::text[], ${idOf(side)}) limit ${limit} for no key update of l skip locked
    ), taken as (
      update backfill_rows r set state = 'marked'
      from next where r.tenant = ${tenant} and r.side = ${side} and r.id = next.id
    )
    select key, crm_id, vendor_id from next order by key`.execute(db);
  return rows;
}

async function resyncFields(
  { db, sealer }: Store,
  tenant: string,
  key: string,
  fields: readonly FieldName[],
  at: string,
): Promise<void> {
  const row = await db
    .selectFrom('links')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  const { base } = toLink(row, sealer);
  if (base === null) return;
  await db
    .updateTable('links')
    .set({
      ...sealedColumns(tenant, key, { base: withResync(base, fields) }, sealer),
      newest_plan: null,
      ...changedAt(at),
    })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}

/** The column of `links` that contains the ids of one side: the CRM ids or the vendor ids. The query must name the table `l`. */
export function idOf(side: BackfillSide) {
  return sql.ref(side === 'crm' ? 'l.crm_id' : 'l.vendor_id');
}
