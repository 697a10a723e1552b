import { sql } from 'kysely';
import { BACKFILL_CURSOR, type BackfillSide, type BackfillState } from '../../domain/backfill/backfill.ts';
import type { Statement, Store } from '../core/store.ts';
import { markDue } from '../queue/due.ts';
import { readCursor, saveCursor } from '../streams/cursors.ts';
import { idOf, meetNext } from './backfill-fields.ts';
import type { BackfillLedger, TakeOrder, ToWake } from './backfill-ledger.ts';

/**
 * Sizes for `finishMet`, which marks already synced opportunities as done. `atOnce`: how many rows one round checks. A round checks more if
 * the backfill may mark more records due. `reads`: the maximum number of rounds.
 */
const MET = { atOnce: 150, reads: 20 };

export const openBackfill: Statement<BackfillLedger, 'openBackfill'> = async (store, tenant, state, at) => {
  const known = (await readCursor(store, tenant, BACKFILL_CURSOR)) as BackfillState | null;
  if (known?.run === state.run) return known;
  await forgetRows(store, tenant);
  const counted = { ...state, number: (known?.number ?? 0) + 1 };
  await saveCursor(store, tenant, BACKFILL_CURSOR, counted, at);
  return counted;
};

export const noteFound: Statement<BackfillLedger, 'noteFound'> = async (store, tenant, { side, ids }, state, at) => {
  await sql`
    insert into backfill_rows (tenant, side, id)
    select ${tenant}, ${side}, id from unnest(${[...new Set(ids)]}::text[]) with ordinality as shown (id, place)
    order by place
    on conflict do nothing`.execute(store.db);
  await saveCursor(store, tenant, BACKFILL_CURSOR, state, at);
};

export const toMatch: Statement<BackfillLedger, 'toMatch'> = async (store, tenant, limit) => {
  const { rows } = await sql<{ id: string }>`
    select id from backfill_rows
    where tenant = ${tenant} and side = 'vendor' and state = 'found' order by place limit ${limit}`.execute(store.db);
  return rows.map(({ id }) => id);
};

export const matchLater: Statement<BackfillLedger, 'matchLater'> = async (store, tenant, vendorIds) => {
  await sql`
    update backfill_rows set place = default
    where tenant = ${tenant} and side = 'vendor' and id = any(${vendorIds}::text[]) and state = 'found'`.execute(
    store.db,
  );
};

export const noteMatched: Statement<BackfillLedger, 'noteMatched'> = async (
  store,
  tenant,
  vendorId,
  { crmIds, as },
) => {
  if (as === 'noted')
    await sql`
      update links set candidates = ${crmIds}::text[]
      where tenant = ${tenant} and vendor_id = ${vendorId} and crm_id is null`.execute(store.db);
  const isSettled = as === 'settled';
  await sql`
    update backfill_rows
    set state = ${isSettled ? 'done' : 'matched'}, outcome = ${isSettled ? 'parked' : null}, pairs = ${crmIds.length}
    where tenant = ${tenant} and side = 'vendor' and id = ${vendorId} and state = 'found'`.execute(store.db);
};

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
 * Marks records of a backfill as done if they are synced, which means that their link is no longer due. A link that is due only to read
 * back Lockstep's own write counts as done too. The number of records in progress is limited, and otherwise about half of them would only
 * wait for such a read and delay the next records.
 */
async function finish(store: Store, tenant: string, side: BackfillSide): Promise<void> {
  await sql`
    update backfill_rows r set state = 'done', outcome = l.state
    from links l
    where r.tenant = ${tenant} and r.side = ${side} and r.state in ('marked', 'woken')
      and l.tenant = r.tenant and ${idOf(side)} = r.id
      and (l.due_since is null or l.echo_only) and l.state <> 'superseded'`.execute(store.db);
  if (side === 'crm') await finishMoved(store, tenant);
}

/**
 * Marks a backfill's leads as done if a conversion or merge has moved their deal to another CRM record, and the deal is synced. The lead's
 * id is then an alias of the deal's link. Synced means that the deal's link is not due, or is due only to read back Lockstep's own write.
 */
async function finishMoved(store: Store, tenant: string): Promise<void> {
  await sql`
    update backfill_rows r set state = 'done', outcome = l.state
    from link_aliases a join links l on l.tenant = a.tenant and l.key = a.key
    where r.tenant = ${tenant} and r.side = 'crm' and r.state in ('marked', 'woken')
      and a.tenant = r.tenant and a.alias = r.id and (l.due_since is null or l.echo_only)`.execute(store.db);
}

/**
 * Marks a backfill's opportunities as done if the backfill has already synced them together with their vendor record. Otherwise each of
 * them would cost a read of both sides. Repeats until the next `ahead` rows contain no such opportunity, at most `MET.reads` times.
 */
async function finishMet(store: Store, tenant: string, ahead: number): Promise<void> {
  for (let read = 0; read < MET.reads; read += 1) if ((await finishMetAhead(store, tenant, ahead)) === 0) return;
}

/**
 * One round of `finishMet`. Checks the next `ahead` rows of the backfill, and marks an opportunity as done if the backfill has already
 * synced it with its vendor record. Returns how many rows it marked. It sends several simple queries instead of a join. PostgreSQL has no
 * statistics yet about the rows that the backfill has just inserted, so it may choose a slow plan for a join.
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

async function markNext(store: Store, tenant: string, side: BackfillSide, limit: number, at: string): Promise<void> {
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

/**
 * Returns the records that the backfill has marked due and whose workflows it has not signalled yet. Stores in their links which share of
 * the vendor's quota the work on them may use.
 */
async function marked(store: Store, tenant: string, side: BackfillSide, share: number): Promise<readonly ToWake[]> {
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

export const noteWoken: Statement<BackfillLedger, 'noteWoken'> = async (store, tenant, side) => {
  await sql`
    update backfill_rows set state = 'woken'
    where tenant = ${tenant} and side = ${side} and state = 'marked'`.execute(store.db);
};

type CountRow = {
  readonly side: BackfillSide;
  readonly state: string;
  readonly outcome: string | null;
  readonly rows: string;
  readonly pairs: string;
};

export const countBackfill: Statement<BackfillLedger, 'countBackfill'> = async (store, tenant) => {
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
    outcomes: Object.fromEntries(outcomes.map((outcome) => [outcome, count((row) => row.outcome === outcome)])),
  };
};

export const closeBackfill: Statement<BackfillLedger, 'closeBackfill'> = async (store, tenant, state, at) => {
  await forgetRows(store, tenant);
  await saveCursor(store, tenant, BACKFILL_CURSOR, state, at);
};

async function forgetRows(store: Store, tenant: string): Promise<void> {
  await sql`delete from backfill_rows where tenant = ${tenant}`.execute(store.db);
  await sql`
    update links set bulk_share = null where tenant = ${tenant} and bulk_share is not null`.execute(store.db);
}
