import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

/** Ids of records that something was told of. `together`: those of either side that were told of with many others. */
export type Marked = {
  readonly crmIds: readonly string[];
  readonly vendorIds: readonly string[];
  readonly together: readonly string[];
};

export type MarkedLink = {
  readonly key: string;
  readonly crm_id: string | null;
  readonly vendor_id: string | null;
};

/**
 * Counts the links of these ids up as due; a link of bulk work ceases to be that where the CRM's side changed, and one of a
 * burst, or of the lane, where it is told of alone. One that the vendor told of, which was not due and whose reading is from before our
 * last write, waits for its echo as far as is known. Their keys, by `crm <id>` and `vendor <id>`. Runs inside a transaction.
 */
export async function countUp(
  store: Store,
  tenant: string,
  { crmIds, vendorIds, together }: Marked,
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<MarkedLink>`
    with chosen as (
      select key from links
      where tenant = ${tenant} and (crm_id = any(${crmIds}::text[]) or vendor_id = any(${vendorIds}::text[]))
      order by key for no key update
    )
    update links l
    set generation = l.generation + 1,
        vendor_generation = case when l.vendor_id in ${among(vendorIds)} then l.generation + 1 else l.vendor_generation end,
        due_since = least(l.due_since, ${at}::timestamptz),
        waiting_since = least(l.waiting_since, ${at}::timestamptz),
        bulk_share = case when l.crm_id in ${among(crmIds)} then null else l.bulk_share end,
        echo_only = l.awaits_echo and (l.due_since is null or l.echo_only)
          and coalesce(l.vendor_id in ${among(vendorIds)}, false) and not coalesce(l.crm_id in ${among(crmIds)}, false),
        in_burst = (l.due_since is null or l.in_burst)
          and coalesce(l.crm_id in ${among(together)} or l.vendor_id in ${among(together)}, false),
        lane = case when l.crm_id in ${among(together)} or l.vendor_id in ${among(together)} then l.lane end,
        marked_at = greatest(l.marked_at, ${at}::timestamptz)
    from chosen
    where l.tenant = ${tenant} and l.key = chosen.key
    returning l.key, l.crm_id, l.vendor_id`.execute(store.db);
  return keysById(rows);
}

/** Keys by `crm <id>` and `vendor <id>`. */
export function keysById(rows: readonly MarkedLink[]): ReadonlyMap<string, string> {
  const keyOf = new Map<string, string>();
  for (const row of rows) {
    if (row.crm_id !== null) keyOf.set(`crm ${row.crm_id}`, row.key);
    if (row.vendor_id !== null) keyOf.set(`vendor ${row.vendor_id}`, row.key);
  }
  return keyOf;
}

/** What an id may be one of. As an array it is gone through for each row of the prepared statement: a million comparisons a thousand ids. */
function among(ids: readonly string[]) {
  return sql`(select unnest(${ids}::text[]))`;
}

/**
 * Has opportunities looked at again that a vendor record waits for no more: what they may be has become clear. Those that have no
 * link stay without one. Runs inside a transaction.
 */
export async function releaseCandidates(
  store: Store,
  tenant: string,
  crmIds: readonly string[],
  at: string,
): Promise<void> {
  if (crmIds.length > 0) await countUp(store, tenant, { crmIds, vendorIds: [], together: [] }, at);
}
