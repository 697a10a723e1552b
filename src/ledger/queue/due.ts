import { sql } from 'kysely';
import { BURST, isMany } from '../../domain/loop/work-class.ts';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import type { Statement, Store } from '../core/store.ts';
import { RaceLost } from '../ledger-error.ts';
import { countUp, keysById, type Marked, type MarkedLink } from '../links/count-up.ts';
import type { LinkIds } from '../links/link-ledger.ts';
import { requireIds } from '../links/links.ts';
import { resolveLink } from '../links/resolve-link.ts';
import { restoredBefore } from '../links/restores.ts';
import type { QueueLedger } from './queue-ledger.ts';

/** How many ids one statement marks due. With fewer, more statements would be needed; with more, rows would stay locked longer. */
const CHUNK = 1000;

/**
 * Marks the links of `ids` due (they have a change to sync), opens links that do not exist, and returns the keys in the order of `ids`.
 * Runs inside a transaction. `isBurst`: whether an id was reported together with many others. By default, all ids count as such if there
 * are at least `BURST` (8) of them. A link is in a burst while all its unsynced changes were reported together with many others. Lockstep
 * may combine its requests about links in a burst.
 */
export async function markDue(
  store: Store,
  tenant: string,
  ids: readonly LinkIds[],
  at: string,
  isBurst: (ids: LinkIds) => boolean = () => isMany(ids),
): Promise<readonly string[]> {
  // One order across all chunks, because two transactions with the same ids would otherwise deadlock.
  const ordered = [...ids.keys()].sort((a, b) => (orderOf(ids[a]) < orderOf(ids[b]) ? -1 : 1));
  const keys = new Array<string>(ids.length);
  for (let start = 0; start < ids.length; start += CHUNK) {
    const places = ordered.slice(start, start + CHUNK);
    const chunk = places.map((place) => ids[place] as LinkIds);
    const marked = await markChunk(store, tenant, chunk, { at, isBurst });
    for (const [n, place] of places.entries()) keys[place] = marked[n] as string;
  }
  return keys;
}

/**
 * The key that a new link with these ids would have. All transactions mark links due in the order of these keys, so that no two of them
 * deadlock.
 */
function orderOf(ids: LinkIds | undefined): string {
  return ids?.crmId || `${VENDOR_KEY}${ids?.vendorId}`;
}

async function markChunk(
  store: Store,
  tenant: string,
  ids: readonly LinkIds[],
  { at, isBurst }: { readonly at: string; readonly isBurst: (ids: LinkIds) => boolean },
): Promise<readonly string[]> {
  const wanted = ids.map(requireIds);
  const crmIds = unique(wanted.map(({ crmId }) => crmId));
  // A link with both ids is resolved first, and then found by its CRM id.
  const vendorIds = unique(wanted.map(({ crmId, vendorId }) => (crmId === null ? vendorId : null)));
  for (const [index, { crmId, vendorId }] of wanted.entries()) {
    if (crmId !== null && vendorId !== null) await resolveLink(store, tenant, ids[index] as LinkIds, at);
  }
  const together = ids.filter(isBurst).flatMap(({ crmId, vendorId }) => crmId ?? vendorId ?? []);
  const keyOf = await openOrCountUp(store, tenant, { crmIds, vendorIds, together }, at);
  const former = crmIds.filter((id) => !keyOf.has(`crm ${id}`));
  const movedKeyOf = former.length === 0 ? keyOf : await markMoved(store, tenant, former, { at, together });
  return wanted.map(({ crmId, vendorId }) => {
    const key =
      crmId === null ? keyOf.get(`vendor ${vendorId}`) : (keyOf.get(`crm ${crmId}`) ?? movedKeyOf.get(`crm ${crmId}`));
    // Another writer has merged or opened the link between the statements.
    if (key === undefined) throw new RaceLost();
    return key;
  });
}

/**
 * Marks deals due whose CRM record has another id now, for example because a lead was converted. If the link has lost its CRM record
 * meanwhile, marks its vendor record due instead. Returns a map from `crm <former id>` to the key of the deal's link.
 */
async function markMoved(
  store: Store,
  tenant: string,
  former: readonly string[],
  { at, together }: { readonly at: string; readonly together: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<MarkedLink & { readonly alias: string }>`
    select a.alias, l.key, l.crm_id, l.vendor_id from link_aliases a
    join links l on l.tenant = a.tenant and l.key = a.key
    where a.tenant = ${tenant} and a.alias = any(${former}::text[]) and coalesce(l.crm_id, l.vendor_id) is not null`.execute(
    store.db,
  );
  if (rows.length === 0) return new Map();
  const many = new Set(together);
  const burst = rows.flatMap(({ alias, crm_id, vendor_id }) => (many.has(alias) ? (crm_id ?? vendor_id ?? []) : []));
  const crmIds = unique(rows.map(({ crm_id }) => crm_id));
  const vendorIds = unique(rows.map(({ crm_id, vendor_id }) => (crm_id === null ? vendor_id : null)));
  await countUp(store, tenant, { crmIds, vendorIds, together: burst }, at);
  return new Map(rows.map(({ alias, key }) => [`crm ${alias}`, key]));
}

function unique(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))].sort();
}

/** Opens links that do not exist, and marks existing links due. Returns a map from `crm <id>` or `vendor <id>` to the link's key. */
async function openOrCountUp(
  store: Store,
  tenant: string,
  marked: Marked,
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const opened = await openMissing(store, tenant, marked, at);
  const crmIds = marked.crmIds.filter((id) => !opened.has(`crm ${id}`));
  const vendorIds = marked.vendorIds.filter((id) => !opened.has(`vendor ${id}`));
  if (crmIds.length + vendorIds.length === 0) return opened;
  const counted = await countUp(store, tenant, { ...marked, crmIds, vendorIds }, at);
  return new Map([...opened, ...counted]);
}

/**
 * Inserts links that do not exist yet. They are due (have a change to sync) from the start, because marking them due afterwards would write
 * each row and its index entries twice.
 */
async function openMissing(
  { db }: Store,
  tenant: string,
  { crmIds, vendorIds, together }: Marked,
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const many = new Set(together);
  const areTogether = (ids: readonly string[]): readonly boolean[] => ids.map((id) => many.has(id));
  // In key order, so that two transactions that open the same links wait for each other instead of deadlocking.
  const { rows } = await sql<MarkedLink>`
    insert into links (tenant, key, crm_id, vendor_id, state, updated_at, restored_at,
      generation, vendor_generation, due_since, waiting_since, in_burst, marked_at)
    select ${tenant}, coalesce(crm_id, ${VENDOR_KEY}::text || vendor_id), crm_id, vendor_id, 'new', ${at}::timestamptz,
      ${restoredBefore(at)}, 1, case when vendor_id is null then 0 else 1 end, ${at}::timestamptz, ${at}::timestamptz,
      together, ${at}::timestamptz
    from (
      select id as crm_id, null as vendor_id, together
        from unnest(${crmIds}::text[], ${areTogether(crmIds)}::boolean[]) as of_crm (id, together)
      union all
      select null, id, together
        from unnest(${vendorIds}::text[], ${areTogether(vendorIds)}::boolean[]) as of_vendor (id, together)
    ) wanted
    where not exists (select from links l where l.tenant = ${tenant} and l.crm_id = wanted.crm_id)
      and not exists (select from links l where l.tenant = ${tenant} and l.vendor_id = wanted.vendor_id)
    order by 2
    on conflict do nothing
    returning key, crm_id, vendor_id`.execute(db);
  return keysById(rows);
}

export const markRetries: Statement<QueueLedger, 'markRetries'> = async (store, tenant, at, limit) => {
  const { rows } = await sql<{ key: string }>`
    with chosen as (
      select key from links
      where tenant = ${tenant} and retry_at <= ${at}::timestamptz and due_since is null and state <> 'superseded'
      order by retry_at, key limit ${limit} for no key update skip locked
    )
    update links l
    set generation = l.generation + 1,
        vendor_generation = case when l.vendor_id is null then l.vendor_generation else l.generation + 1 end,
        due_since = ${at}::timestamptz,
        in_burst = (select count(*) from chosen) >= ${BURST},
        marked_at = greatest(l.marked_at, ${at}::timestamptz)
    from chosen
    where l.tenant = ${tenant} and l.key = chosen.key
    returning l.key`.execute(store.db);
  return rows.map((row) => row.key);
};

export const dueKeys: Statement<QueueLedger, 'dueKeys'> = async ({ db }, tenant, limit, olderThan) => {
  const waits = (since: string) =>
    olderThan === undefined ? sql`` : sql`and ${sql.ref(since)} <= ${olderThan}::timestamptz`;
  const unreported =
    olderThan === undefined
      ? sql``
      : sql`union all (select key, updated_at, true from links
          where tenant = ${tenant} and in_lane and due_since is null and state <> 'superseded' ${waits('updated_at')}
            and (select count(*) from due) < ${limit}
          order by updated_at limit ${limit})`;
  const { rows } = await sql<{ readonly key: string }>`
    with due as (
      select key, due_since as since from links
      where tenant = ${tenant} and due_since is not null and state <> 'superseded' ${waits('due_since')}
      order by due_since, key limit ${limit}
    )
    select key from (select key, since, false as is_done from due ${unreported}) as waiting order by is_done, since, key limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.key);
};

export const dueTogether: Statement<QueueLedger, 'dueTogether'> = async ({ db }, tenant, excluding, limit) => {
  const { rows } = await sql<{ crmId: string; vendorId: string }>`
    select crm_id as "crmId", vendor_id as "vendorId" from links
    where tenant = ${tenant} and due_since is not null and in_burst and state = 'in-sync'
      and crm_id is not null and vendor_id <> all(${excluding}::text[]) and vendor_generation <= vendor_observed_generation
    order by due_since limit ${limit}`.execute(db);
  return rows;
};

/** The maximum number of links that `countOnTheirWay` counts. Its callers only need to know whether there are many. */
const MANY = 200;

export const countOnTheirWay: Statement<QueueLedger, 'countOnTheirWay'> = async (store, tenant) => {
  const { rows } = await sql<{ count: number }>`
    select count(*) filter (where waiting_for is null and state <> 'superseded')::int as count
    from (
      select waiting_for, state from links
      where tenant = ${tenant} and due_since is not null and in_burst and not in_lane
      order by due_since desc limit ${MANY}
    ) newest`.execute(store.db);
  return rows[0]?.count ?? 0;
};

/**
 * Stores in due links that their workflows were signalled at `at` (column `due_since`), unless a later time is stored. Because of this
 * time, `dueKeys` with `olderThan` does not return links whose workflows were just signalled. Does not change links that are not due. If
 * there are at least `BURST` (8) keys, their links count as a burst from now on: Lockstep may combine its requests about them.
 */
export const markWoken: Statement<QueueLedger, 'markWoken'> = async (store, tenant, keys, at) => {
  await sql`
    with chosen as (
      select key from links
      where tenant = ${tenant} and key = any(${keys}::text[]) and due_since < ${at}::timestamptz
      order by key for no key update
    )
    update links l set due_since = ${at}::timestamptz, in_burst = l.in_burst or ${isMany(keys)}
    from chosen where l.tenant = ${tenant} and l.key = chosen.key`.execute(store.db);
};
