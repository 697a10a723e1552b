import { sql } from 'kysely';
import { UNDO_CURSOR, type UndoState } from '../../domain/backfill/undo-run.ts';
import type { Base } from '../../domain/record/base.ts';
import type { Statement, Store } from '../core/store.ts';
import { addJournal } from '../links/journal.ts';
import { lockLink, type StoredLink, sealedColumns, toLink } from '../links/link-row.ts';
import { changedAt, isSame } from '../links/link-version.ts';
import { markDue } from '../queue/due.ts';
import { readCursor, saveCursor } from '../streams/cursors.ts';
import type { UndoLedger } from './undo-ledger.ts';

export const openUndo: Statement<UndoLedger, 'openUndo'> = async (store, tenant, state, at) => {
  const known = (await readCursor(store, tenant, UNDO_CURSOR)) as UndoState | null;
  if (known?.run === state.run) return known;
  await forgetRows(store, tenant);
  const { scope, key } = state.order;
  const since = scope.of === 'since' ? sql`and j.at >= ${scope.since}::timestamptz` : sql``;
  const backfill = scope.of === 'backfill' ? sql`and (j.summary->>'backfill')::integer = ${scope.backfill}` : sql``;
  // If the link of a journal line was merged into another link, the undo stores the key of the other link.
  await (key === null
    ? sql`
      insert into undo_rows (tenant, key)
      select ${tenant}, key from (
        select distinct coalesce(a.key, j.key) as key from journal j
        left join link_aliases a on a.tenant = j.tenant and a.alias = j.key
        join links l on l.tenant = j.tenant and l.key = coalesce(a.key, j.key)
        where j.tenant = ${tenant} and j.kind = 'remote-write' ${since} ${backfill}
      ) found order by key`
    : sql`insert into undo_rows (tenant, key) values (${tenant}, ${key})`
  ).execute(store.db);
  await saveCursor(store, tenant, UNDO_CURSOR, state, at);
  return state;
};

export const nextToUndo: Statement<UndoLedger, 'nextToUndo'> = async (store, tenant, atOnce) => {
  await followMoved(store, tenant);
  await sql`
    update undo_rows r set state = 'done', outcome = l.state from links l
    where r.tenant = ${tenant} and r.state in ('marked', 'woken')
      and l.tenant = r.tenant and l.key = r.key and (l.due_since is null or l.echo_only)`.execute(store.db);
  const { rows: busy } = await sql<{ n: string }>`
    select count(*) as n from undo_rows where tenant = ${tenant} and state in ('marked', 'woken')`.execute(store.db);
  const room = atOnce - Number(busy[0]?.n);
  if (room <= 0) return [];
  const { rows } = await sql<{ key: string }>`
    select r.key from undo_rows r join links l on l.tenant = r.tenant and l.key = r.key
    where r.tenant = ${tenant} and r.state = 'found' and l.due_since is null
    order by r.place limit ${room}`.execute(store.db);
  return rows.map(({ key }) => key);
};

/**
 * Lets the records of an undo follow their deals: if a link was merged into another link since the undo began, for example because its lead
 * was converted, the undo continues with the key of the other link.
 */
async function followMoved(store: Store, tenant: string): Promise<void> {
  await sql`
    with moved as (
      delete from undo_rows r using link_aliases a
      where r.tenant = ${tenant} and r.state <> 'done' and a.tenant = r.tenant and a.alias = r.key
      returning a.key, r.state, r.outcome, r.back, r.stay, r.waits
    )
    insert into undo_rows (tenant, key, state, outcome, back, stay, waits)
    select ${tenant}, key, state, outcome, back, stay, waits from moved order by key
    on conflict (tenant, key) do nothing`.execute(store.db);
}

export const giveBack: Statement<UndoLedger, 'giveBack'> = async (store, tenant, key, order, at) => {
  const { goingBack, values, entry, share, expected } = order;
  const row = await lockLink(store, tenant, key);
  if (row === undefined || row.due_since !== null || !isSame(row, expected)) return false;
  const isNothing = Object.keys(goingBack).length === 0;
  const { numAffectedRows } = await sql`
    update undo_rows set state = ${isNothing ? 'done' : 'marked'}, outcome = ${isNothing ? 'nothing' : null},
      back = ${values.back}, stay = ${values.left}, waits = ${values.waits}
    where tenant = ${tenant} and key = ${key} and state = 'found'`.execute(store.db);
  if (numAffectedRows === 0n) return false;
  if (!isNothing) await noteOnLink(store, row, { goingBack, share }, at);
  if (!isNothing) await addJournal(store, tenant, key, [entry]);
  return true;
};

export const skipUndo: Statement<UndoLedger, 'skipUndo'> = async (store, tenant, key) => {
  await sql`
    update undo_rows set state = 'done', outcome = 'not-opened'
    where tenant = ${tenant} and key = ${key} and state = 'found'`.execute(store.db);
};

/**
 * Stores on the link the values to restore, and marks both its records due. The vendor's record must be read even if it has not changed,
 * because Lockstep must see its present values before it restores any.
 */
async function noteOnLink(
  store: Store,
  row: StoredLink,
  { goingBack, share }: { readonly goingBack: NonNullable<Base['goingBack']>; readonly share: number },
  at: string,
): Promise<void> {
  const { tenant, key, crm_id: crmId, vendor_id: vendorId } = row;
  const { base } = toLink(row, store.sealer);
  if (base === null || crmId === null || vendorId === null) return;
  await markDue(store, tenant, [{ vendorId }], at, () => true);
  await markDue(store, tenant, [{ crmId }], at, () => true);
  // After the marks, because a change of the CRM record ends the bulk work on its link.
  const next = { ...base, goingBack: { ...base.goingBack, ...goingBack } };
  await store.db
    .updateTable('links')
    .set({
      ...sealedColumns(tenant, key, { base: next }, store.sealer),
      ...changedAt(at),
      ...{ newest_plan: null, bulk_share: share, echo_only: false },
    })
    .where('tenant', '=', tenant)
    .where('key', '=', key)
    .execute();
}

export const undoToWake: Statement<UndoLedger, 'undoToWake'> = async (store, tenant) => {
  const { rows } = await sql<{ key: string }>`
    select key from undo_rows where tenant = ${tenant} and state = 'marked' order by key`.execute(store.db);
  return rows.map(({ key }) => key);
};

export const noteUndoWoken: Statement<UndoLedger, 'noteUndoWoken'> = async (store, tenant) => {
  await sql`update undo_rows set state = 'woken' where tenant = ${tenant} and state = 'marked'`.execute(store.db);
};

type CountRow = {
  readonly state: string;
  readonly outcome: string | null;
  readonly rows: string;
  readonly back: string;
  readonly stay: string;
  readonly waits: string;
};

export const countUndo: Statement<UndoLedger, 'countUndo'> = async (store, tenant) => {
  const { rows } = await sql<CountRow>`
    select state, outcome, count(*) as rows, sum(back) as back, sum(stay) as stay, sum(waits) as waits
    from undo_rows where tenant = ${tenant} group by state, outcome`.execute(store.db);
  const sum = (of: (row: CountRow) => string, isCounted: (row: CountRow) => boolean = () => true): number =>
    rows.reduce((total, row) => total + (isCounted(row) ? Number(of(row)) : 0), 0);
  const records = (isCounted?: (row: CountRow) => boolean) => sum(({ rows: n }) => n, isCounted);
  const outcomes = [...new Set(rows.flatMap(({ outcome }) => outcome ?? []))];
  return {
    found: records(),
    done: records(({ state }) => state === 'done'),
    inFlight: records(({ state }) => state === 'marked' || state === 'woken'),
    outcomes: Object.fromEntries(outcomes.map((name) => [name, records(({ outcome }) => outcome === name)])),
    values: { back: sum(({ back }) => back), left: sum(({ stay }) => stay), waits: sum(({ waits }) => waits) },
  };
};

export const closeUndo: Statement<UndoLedger, 'closeUndo'> = async (store, tenant, state, at) => {
  await forgetRows(store, tenant);
  await saveCursor(store, tenant, UNDO_CURSOR, state, at);
};

async function forgetRows(store: Store, tenant: string): Promise<void> {
  await followMoved(store, tenant);
  await sql`
    update links l set bulk_share = null from undo_rows r
    where r.tenant = ${tenant} and l.tenant = r.tenant and l.key = r.key and l.bulk_share is not null`.execute(
    store.db,
  );
  await sql`delete from undo_rows where tenant = ${tenant}`.execute(store.db);
}
