import { sql } from 'kysely';
import type { Store } from '../core/store.ts';

/** Ids of records about which a change was reported. `together`: those of the ids that were reported together with many others. */
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
 * Marks the existing links of these ids as due (they have a change to sync). Runs in a transaction. Returns the link keys by `crm <id>` and
 * `vendor <id>`. A user may wait for a change that was not reported together with many others. The link of such a change therefore leaves
 * the burst (records that changed together) and the lane (the workflow for many records). The column `echo_only` says that a link is due
 * only to read back Lockstep's own last write, so that no user waits for it. It is set if the vendor reports a change while that write is
 * not read back yet. It is not set if the CRM reports a change too, or if the link was already due for another reason.
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

/** Maps `crm <id>` and `vendor <id>` to the key of the link with this id. */
export function keysById(rows: readonly MarkedLink[]): ReadonlyMap<string, string> {
  const keyOf = new Map<string, string>();
  for (const row of rows) {
    if (row.crm_id !== null) keyOf.set(`crm ${row.crm_id}`, row.key);
    if (row.vendor_id !== null) keyOf.set(`vendor ${row.vendor_id}`, row.key);
  }
  return keyOf;
}

/**
 * The ids as a sub-select. With a plain array, PostgreSQL would compare each id with each row: a million comparisons for a thousand ids.
 */
function among(ids: readonly string[]) {
  return sql`(select unnest(${ids}::text[]))`;
}

/**
 * Marks the links of these opportunities as due, so that Lockstep decides about them again. Needed after a vendor record has stopped naming
 * these opportunities as possible matches. Runs inside a transaction.
 */
export async function releaseCandidates(
  store: Store,
  tenant: string,
  crmIds: readonly string[],
  at: string,
): Promise<void> {
  if (crmIds.length > 0) await countUp(store, tenant, { crmIds, vendorIds: [], together: [] }, at);
}
