import { sql } from 'kysely';
import {
  BACKFILL_CURSOR,
  type BackfillCounts,
  type BackfillSide,
  type BackfillState,
} from '../../domain/backfill/backfill.ts';
import type { Store } from '../core/store.ts';
import { markDue } from '../queue/due.ts';
import { readCursor, saveCursor } from '../streams/cursors.ts';
import { idOf, meetNext } from './backfill-fields.ts';
import type { FoundRows, Matched, TakeOrder, ToWake } from './backfill-ledger.ts';

/** Rows looked through at once for those that came in with their other half, and how often before one is taken. */
const MET = { atOnce: 150, looks: 20 };

export async function openBackfill(
  store: Store,
  tenant: string,
  state: BackfillState,
  at: string,
): Promise<BackfillState> {
  const known = (await readCursor(store, tenant, BACKFILL_CURSOR)) as BackfillState | null;
  if (known?.run === state.run) return known;
  await forgetRows(store, tenant);
  await saveCursor(store, tenant, BACKFILL_CURSOR, state, at);
  return state;
}

export async function noteFound(
  store: Store,
  tenant: string,
  { side, ids }: FoundRows,
  state: BackfillState,
  at: string,
): Promise<void> {
  await sql`
    insert into backfill_rows (tenant, side, id)
    select ${tenant}, ${side}, id from unnest(${[...new Set(ids)]}::text[]) with ordinality as shown (id, place)
    order by place
    on conflict do nothing`.execute(store.db);
  await saveCursor(store, tenant, BACKFILL_CURSOR, state, at);
}

export async function toMatch(store: Store, tenant: string, limit: number): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from backfill_rows
    where tenant = ${tenant} and side = 'vendor' and state = 'found' order by place limit ${limit}`.execute(
    store.db,
  );
  return rows.map(({ id }) => id);
}

export async function noteMatched(
  store: Store,
  tenant: string,
  vendorId: string,
  { crmIds, as }: Matched,
): Promise<void> {
  if (as === 'noted')
    await sql`
      update links set candidates = ${crmIds}::text[]
      where tenant = ${tenant} and vendor_id = ${vendorId} and crm_id is null`.execute(store.db);
  const isSettled = as === 'settled';
  await sql`
    update backfill_rows
    set state = ${isSettled ? 'done' : 'matched'}, outcome = ${isSettled ? 'parked' : null}, pairs = ${crmIds.length}
    where tenant = ${tenant} and side = 'vendor' and id = ${vendorId} and state = 'found'`.execute(store.db);
}

export async function advanceBackfill(
  store: Store,
  tenant: string,
  { side, atOnce, share, fields, least = 1 }: TakeOrder,
  at: string,
): Promise<readonly ToWake[]> {
  await finish(store, tenant, side);
  const room = atOnce - (await inFlight(store, tenant, side));
  if (room < least) return marked(store, tenant, side, share);
  if (side === 'crm') await finishMet(store, tenant, Math.max(room, MET.atOnce));
  if (fields === undefined) await markNext(store, tenant, side, room, at);
  else await meetNext(store, tenant, { side, fields, limit: room }, at);
  return marked(store, tenant, side, share);
}

/**
 * What is not due any more is done, whoever did it; so is what is due for its echo alone, by what the vendor has told since: with a write
 * of each record it would take up half of the room.
 */
async function finish(store: Store, tenant: string, side: BackfillSide): Promise<void> {
  await sql`
    update backfill_rows r set state = 'done', outcome = l.state
    from links l
    where r.tenant = ${tenant} and r.side = ${side} and r.state in ('marked', 'woken')
      and l.tenant = r.tenant and ${idOf(side)} = r.id
      and (l.due_since is null or l.echo_only) and l.state <> 'superseded'`.execute(store.db);
}

/**
 * Opportunities whose record of the vendor was brought in have been looked at with it: they are done, until none of the next
 * `ahead` is one of them, as each that is taken costs a look of its own.
 */
async function finishMet(store: Store, tenant: string, ahead: number): Promise<void> {
  for (let look = 0; look < MET.looks; look += 1)
    if ((await finishMetAhead(store, tenant, ahead)) === 0) return;
}

/**
 * How many of the next rows are done by that. One table at a time, each by a list of ids: joined, they cost minutes where the
 * database knows nothing yet of how many rows a backfill has just found.
 */
async function finishMetAhead({ db }: Store, tenant: string, ahead: number): Promise<number> {
  const next = await sql<{ id: string }>`
    select id from backfill_rows
    where tenant = ${tenant} and side = 'crm' and state = 'found' order by place limit ${ahead}`.execute(db);
  const links = await sql<{ crm_id: string; vendor_id: string }>`
    select crm_id, vendor_id from links
    where tenant = ${tenant} and crm_id = any(${next.rows.map(({ id }) => id)}::text[])
      and vendor_id is not null`.execute(db);
  const broughtIn = await sql<{ id: string }>`
    select id from backfill_rows
    where tenant = ${tenant} and side = 'vendor' and state = 'done'
      and id = any(${links.rows.map(({ vendor_id: id }) => id)}::text[])`.execute(db);
  const ids = new Set(broughtIn.rows.map(({ id }) => id));
  const met = links.rows.flatMap(({ crm_id: crmId, vendor_id: id }) => (ids.has(id) ? [crmId] : []));
  if (met.length === 0) return 0;
  await sql`
    update backfill_rows set state = 'done', outcome = 'linked'
    where tenant = ${tenant} and side = 'crm' and id = any(${met}::text[])`.execute(db);
  return met.length;
}

async function inFlight(store: Store, tenant: string, side: BackfillSide): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) as count from backfill_rows
    where tenant = ${tenant} and side = ${side} and state in ('marked', 'woken')`.execute(store.db);
  return Number(rows[0]?.count);
}

async function markNext(
  store: Store,
  tenant: string,
  side: BackfillSide,
  limit: number,
  at: string,
): Promise<void> {
  if (limit <= 0) return;
  const ready = side === 'crm' ? 'found' : 'matched';
  const { rows } = await sql<{ id: string }>`
    with next as (
      select id from backfill_rows
      where tenant = ${tenant} and side = ${side} and state = ${ready} order by place limit ${limit}
    )
    update backfill_rows r set state = 'marked'
    from next where r.tenant = ${tenant} and r.side = ${side} and r.id = next.id
    returning r.id`.execute(store.db);
  const ids = rows.map(({ id }) => (side === 'crm' ? { crmId: id } : { vendorId: id }));
  await markDue(store, tenant, ids, at, () => true);
}

/** What is marked and not known to be woken, as bulk work from now on. */
async function marked(
  store: Store,
  tenant: string,
  side: BackfillSide,
  share: number,
): Promise<readonly ToWake[]> {
  const { rows } = await sql<{ key: string; is_new: boolean }>`
    with chosen as (
      select l.key from links l
      join backfill_rows r on r.tenant = l.tenant and ${idOf(side)} = r.id
      where r.tenant = ${tenant} and r.side = ${side} and r.state = 'marked'
      order by l.key for no key update of l
    )
    update links l set bulk_share = ${share}, echo_only = false
    from chosen where l.tenant = ${tenant} and l.key = chosen.key
    returning l.key, l.vendor_id is null as is_new`.execute(store.db);
  return rows.map(({ key, is_new }) => ({ key, cause: is_new ? 'crm' : 'any' }));
}

export async function noteWoken(store: Store, tenant: string, side: BackfillSide): Promise<void> {
  await sql`
    update backfill_rows set state = 'woken'
    where tenant = ${tenant} and side = ${side} and state = 'marked'`.execute(store.db);
}

type CountRow = {
  readonly side: BackfillSide;
  readonly state: string;
  readonly outcome: string | null;
  readonly rows: string;
  readonly pairs: string;
};

export async function countBackfill(store: Store, tenant: string): Promise<BackfillCounts> {
  const { rows } = await sql<CountRow>`
    select side, state, outcome, count(*) as rows, sum(pairs) as pairs
    from backfill_rows where tenant = ${tenant} group by side, state, outcome`.execute(store.db);
  const count = (isCounted: (row: CountRow) => boolean): number =>
    rows.reduce((sum, row) => sum + (isCounted(row) ? Number(row.rows) : 0), 0);
  const of = (side: BackfillSide, state?: string) =>
    count((row) => row.side === side && (state === undefined || row.state === state));
  const outcomes = [...new Set(rows.flatMap(({ outcome }) => outcome ?? []))];
  return {
    vendor: {
      found: of('vendor'),
      matched: of('vendor') - of('vendor', 'found'),
      done: of('vendor', 'done'),
    },
    crm: {
      found: of('crm'),
      done: of('crm', 'done'),
      met: count(({ side, outcome }) => side === 'crm' && (outcome === 'linked' || outcome === 'parked')),
    },
    paired: rows.reduce((sum, { pairs }) => sum + Number(pairs), 0),
    inFlight: count(({ state }) => state === 'marked' || state === 'woken'),
    outcomes: Object.fromEntries(
      outcomes.map((outcome) => [outcome, count((row) => row.outcome === outcome)]),
    ),
  };
}

export async function closeBackfill(
  store: Store,
  tenant: string,
  state: BackfillState,
  at: string,
): Promise<void> {
  await forgetRows(store, tenant);
  await saveCursor(store, tenant, BACKFILL_CURSOR, state, at);
}

async function forgetRows(store: Store, tenant: string): Promise<void> {
  await sql`delete from backfill_rows where tenant = ${tenant}`.execute(store.db);
  await sql`
    update links set bulk_share = null where tenant = ${tenant} and bulk_share is not null`.execute(store.db);
}
