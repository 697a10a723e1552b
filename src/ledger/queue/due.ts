import { sql } from 'kysely';
import { VENDOR_KEY } from '../../domain/record/link-key.ts';
import type { Store } from '../core/store.ts';
import { RaceLost } from '../ledger-error.ts';
import { countUp, keysById, type Marked, type MarkedLink } from '../links/count-up.ts';
import type { LinkIds } from '../links/link-ledger.ts';
import { requireIds } from '../links/links.ts';
import { resolveLink } from '../links/resolve-link.ts';
import { restoredBefore } from '../links/restores.ts';

/** So many that are told of at once are a burst: nobody waits for one of them in particular. */
const BURST = 8;
/** Ids of one statement: large enough to need few, small enough to lock rows only for moments. */
const CHUNK = 1000;

/**
 * Counts the links of `ids` up as due, opening those that do not exist, in a handful of statements per thousand.
 * Runs inside a transaction. The keys come in the order of `ids`. Links are in a burst while all that was told of them came
 * so: `isBurst` says of which of the ids that holds, all of many when absent.
 */
export async function markDue(
  store: Store,
  tenant: string,
  ids: readonly LinkIds[],
  at: string,
  isBurst: (ids: LinkIds) => boolean = () => isMany(ids),
): Promise<readonly string[]> {
  // Of all chunks in one order: two that mark the same thousands would each hold what the other waits for, a second each time.
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

/** The key that a record has where nothing else is known of it. */
function orderOf(ids: LinkIds | undefined): string {
  return ids?.crmId || `${VENDOR_KEY}${ids?.vendorId}`;
}

/** Whether so many, told of at once, are a burst. */
export function isMany(told: readonly unknown[]): boolean {
  return told.length >= BURST;
}

async function markChunk(
  store: Store,
  tenant: string,
  ids: readonly LinkIds[],
  { at, isBurst }: { readonly at: string; readonly isBurst: (ids: LinkIds) => boolean },
): Promise<readonly string[]> {
  const wanted = ids.map(requireIds);
  const crmIds = unique(wanted.map(({ crmId }) => crmId));
  // A record that names both is found by its CRM id once it is resolved.
  const vendorIds = unique(wanted.map(({ crmId, vendorId }) => (crmId === null ? vendorId : null)));
  for (const [index, { crmId, vendorId }] of wanted.entries()) {
    if (crmId !== null && vendorId !== null) await resolveLink(store, tenant, ids[index] as LinkIds, at);
  }
  const together = ids.filter(isBurst).flatMap(({ crmId, vendorId }) => crmId ?? vendorId ?? []);
  const keyOf = await openOrCountUp(store, tenant, { crmIds, vendorIds, together }, at);
  return wanted.map(({ crmId, vendorId }) => {
    const key = crmId === null ? keyOf.get(`vendor ${vendorId}`) : keyOf.get(`crm ${crmId}`);
    // Merged or opened by somebody else between the statements.
    if (key === undefined) throw new RaceLost();
    return key;
  });
}

function unique(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))].sort();
}

/** Opens the links that do not exist, and counts up the others; all their keys, by `crm <id>` and `vendor <id>`. */
async function openOrCountUp(
  store: Store,
  tenant: string,
  told: Marked,
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const opened = await openMissing(store, tenant, told, at);
  const crmIds = told.crmIds.filter((id) => !opened.has(`crm ${id}`));
  const vendorIds = told.vendorIds.filter((id) => !opened.has(`vendor ${id}`));
  if (crmIds.length + vendorIds.length === 0) return opened;
  const counted = await countUp(store, tenant, { ...told, crmIds, vendorIds }, at);
  return new Map([...opened, ...counted]);
}

/** A link that is opened is due from the first: to count it up as well would write each row, and its place in each index, twice. */
async function openMissing(
  { db }: Store,
  tenant: string,
  { crmIds, vendorIds, together }: Marked,
  at: string,
): Promise<ReadonlyMap<string, string>> {
  const many = new Set(together);
  const areTogether = (ids: readonly string[]): readonly boolean[] => ids.map((id) => many.has(id));
  // In key order, so that two that open the same links wait for each other instead of blocking each other.
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

/** Counts links up as due whose time to be looked at again has come, the longest waiting first; their keys. */
export async function markRetries(
  store: Store,
  tenant: string,
  at: string,
  limit: number,
): Promise<readonly string[]> {
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
}

/**
 * Keys of due links, longest waiting first. `olderThan` leaves out those that wait since later, and adds after them, where there are few,
 * what is left in the lane of a work that is done: its users are still to be told. One statement.
 */
export async function dueKeys(
  { db }: Store,
  tenant: string,
  limit: number,
  olderThan?: string,
): Promise<readonly string[]> {
  const waits = (since: string) =>
    olderThan === undefined ? sql`` : sql`and ${sql.ref(since)} <= ${olderThan}::timestamptz`;
  const untold =
    olderThan === undefined
      ? sql``
      : sql`union all (select key, updated_at, true from links
          where tenant = ${tenant} and lane is not null and due_since is null and state <> 'superseded' ${waits('updated_at')}
            and (select count(*) from due) < ${limit}
          order by updated_at limit ${limit})`;
  const { rows } = await sql<{ readonly key: string }>`
    with due as (
      select key, due_since as since from links
      where tenant = ${tenant} and due_since is not null and state <> 'superseded' ${waits('due_since')}
      order by due_since, key limit ${limit}
    )
    select key from (select key, since, false as is_done from due ${untold}) as waiting order by is_done, since, key limit ${limit}`.execute(
    db,
  );
  return rows.map((row) => row.key);
}

/**
 * The links of bursts that are due, in sync, and of whose vendor record no change was marked since it was read, longest waiting first; at most
 * `limit`, none of the vendor ids in `but`.
 */
export async function dueTogether(
  { db }: Store,
  tenant: string,
  excluding: readonly string[],
  limit: number,
): Promise<readonly { readonly crmId: string; readonly vendorId: string }[]> {
  const { rows } = await sql<{ crmId: string; vendorId: string }>`
    select crm_id as "crmId", vendor_id as "vendorId" from links
    where tenant = ${tenant} and due_since is not null and in_burst and state = 'in-sync'
      and crm_id is not null and vendor_id <> all(${excluding}::text[]) and vendor_generation <= vendor_observed_generation
    order by due_since limit ${limit}`.execute(db);
  return rows;
}

/** More than these need not be told apart. */
const MANY = 200;

/** How many links of bursts are due and not held up, outside of the lane: at most 200, of the newest marks. */
export async function countOnTheirWay(store: Store, tenant: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) filter (where waiting_for is null and state <> 'superseded')::int as count
    from (
      select waiting_for, state from links
      where tenant = ${tenant} and due_since is not null and in_burst and lane is null
      order by due_since desc limit ${MANY}
    ) newest`.execute(store.db);
  return rows[0]?.count ?? 0;
}

/**
 * Moves the waiting time of those that are due forward to `at`; never back, and nothing becomes due by it. Many that are woken
 * together are a burst from then on.
 */
export async function markWoken(
  store: Store,
  tenant: string,
  keys: readonly string[],
  at: string,
): Promise<void> {
  await sql`
    with chosen as (
      select key from links
      where tenant = ${tenant} and key = any(${keys}::text[]) and due_since < ${at}::timestamptz
      order by key for no key update
    )
    update links l set due_since = ${at}::timestamptz, in_burst = l.in_burst or ${isMany(keys)}
    from chosen where l.tenant = ${tenant} and l.key = chosen.key`.execute(store.db);
}
