import { sql } from 'kysely';
import type { Statement, Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { remembering } from './seen-rows.ts';
import type { CursorMove, StreamLedger } from './stream-ledger.ts';

/**
 * The position up to which a stream (a regular read, such as the search for the vendor's changes) was read, as its reader stored it. Null
 * if the stream was never read.
 */
export const readCursor: Statement<StreamLedger, 'cursor'> = async (store, tenant, stream) => {
  const row = await store.db
    .selectFrom('cursors')
    .select('position')
    .where('tenant', '=', tenant)
    .where('stream', '=', stream)
    .executeTakeFirst();
  return row?.position ?? null;
};

/** The stored positions of several streams (regular reads), in the given order; null for a stream that was never read. One statement. */
export async function readCursors(
  store: Store,
  tenant: string,
  streams: readonly string[],
): Promise<readonly (unknown | null)[]> {
  const rows = await store.db
    .selectFrom('cursors')
    .select(['stream', 'position'])
    .where('tenant', '=', tenant)
    .where('stream', '=', sql<string>`any(${[...streams]}::text[])`)
    .execute();
  const positions = new Map(rows.map(({ stream, position }) => [stream, position]));
  return streams.map((stream) => positions.get(stream) ?? null);
}

export const saveCursor: Statement<StreamLedger, 'saveCursor'> = async (store, tenant, stream, position, at) => {
  const values = { position: JSON.stringify(position), updated_at: at };
  await store.db
    .insertInto('cursors')
    .values({ tenant, stream, ...values })
    .onConflict((conflict) => conflict.columns(['tenant', 'stream']).doUpdateSet(values))
    .execute();
};

export const forgetCursors: Statement<StreamLedger, 'forgetCursors'> = async (store, tenant, streams) => {
  await sql`delete from cursors where tenant = ${tenant} and stream = any(${[...streams]}::text[])`.execute(store.db);
};

export const moveCursor: Statement<StreamLedger, 'moveCursor'> = async (
  store,
  tenant,
  { stream, position, seen, holder },
  at,
) => {
  if (holder !== undefined) return moveHeld(store, tenant, { stream, position, holder }, at);
  if (seen === undefined) return saveCursor(store, tenant, stream, position, at);
  await sql`with ${remembering(tenant, stream, seen)} ${moving(tenant, { stream, position }, at)}`.execute(store.db);
};

async function moveHeld(
  { db }: Store,
  tenant: string,
  { stream, position, holder }: Required<Omit<CursorMove, 'seen'>>,
  at: string,
): Promise<void> {
  const { rows } = await sql`update cursors
    set position = position || ${JSON.stringify(position)}::jsonb, updated_at = ${at}::timestamptz
    where tenant = ${tenant} and stream = ${stream} and position->>'holder' = ${holder} returning true`.execute(db);
  if (rows.length === 0) throw new LedgerError('NOT_HOLDER', 'Another worker follows this stream meanwhile.');
}

export const holdCursor: Statement<StreamLedger, 'holdCursor'> = async ({ db }, tenant, stream, holder, at) => {
  const held = JSON.stringify({ holder });
  const { rows } = await sql<{ position: Record<string, unknown> }>`
    insert into cursors (tenant, stream, position, updated_at)
    values (${tenant}, ${stream}, ${held}::jsonb, ${at}::timestamptz)
    on conflict (tenant, stream) do update set position = cursors.position || excluded.position
    returning position - 'holder' as position`.execute(db);
  return rows[0]?.position ?? {};
};

export const closePart: Statement<StreamLedger, 'closePart'> = async ({ db }, tenant, stream, part, at) => {
  await sql`update cursors set position = position - ${part}::text
    where tenant = ${tenant} and stream = ${stream} and position->${part}::text->>'at' = ${at}`.execute(db);
};

export const moveCursors: Statement<StreamLedger, 'moveCursors'> = async ({ db }, tenant, moves, at) => {
  if (moves.length === 0) return;
  const forgetting = moves.filter(({ forgetBefore }) => forgetBefore !== undefined);
  await sql`
    with forgotten as (
      delete from seen_rows s
      using unnest(${forgetting.map(({ stream }) => stream)}::text[],
        ${forgetting.map(({ forgetBefore }) => forgetBefore)}::timestamptz[]) as of (stream, past)
      where s.tenant = ${tenant} and s.stream = of.stream and s.stamp < of.past)
    insert into cursors (tenant, stream, position, updated_at)
    select ${tenant}, stream, position::jsonb, ${at}::timestamptz
    from unnest(${moves.map(({ stream }) => stream)}::text[],
      ${moves.map(({ position }) => JSON.stringify(position))}::text[]) as moved (stream, position)
    order by stream
    on conflict (tenant, stream) do update
    set position = excluded.position, updated_at = excluded.updated_at`.execute(db);
};

export function moving(tenant: string, { stream, position }: CursorMove, at: string) {
  return sql`insert into cursors (tenant, stream, position, updated_at)
    values (${tenant}, ${stream}, ${JSON.stringify(position)}, ${at}::timestamptz)
    on conflict (tenant, stream) do update
    set position = excluded.position, updated_at = excluded.updated_at`;
}
