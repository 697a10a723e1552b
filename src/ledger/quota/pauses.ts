import { sql } from 'kysely';
import type { OperationGroup } from '../../domain/loop/operation-groups.ts';
import { byTenant } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import type { Pause, PauseLedger } from './quota-ledger.ts';

/**
 * Pauses an operation group (the operations of a remote system that fail together). If the group is paused already, the first pause keeps
 * its reason and time.
 */
export const pause: Statement<PauseLedger, 'pause'> = async (store, tenant, group, reason, at) => {
  const { numInsertedOrUpdatedRows } = await store.db
    .insertInto('pauses')
    .values({ tenant, domain: group, reason, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

export const resume: Statement<PauseLedger, 'resume'> = async (store, tenant, group) => {
  await store.db.deleteFrom('pauses').where('tenant', '=', tenant).where('domain', '=', group).execute();
};

export const pauses: Statement<PauseLedger, 'pauses'> = async (store, tenant) => {
  const rows = await store.db
    .selectFrom('pauses')
    .select(['domain', 'reason', 'since'])
    .where('tenant', '=', tenant)
    .orderBy('domain')
    .execute();
  return rows.map((row) => ({ group: row.domain, reason: row.reason, since: row.since.toISOString() }));
};

export async function pausesOf(
  { db }: Store,
  tenants: readonly string[],
): Promise<ReadonlyMap<string, readonly Pause[]>> {
  const { rows } = await sql<{ tenant: string; group: OperationGroup; reason: string; since: Date }>`
    select tenant, domain as "group", reason, since from pauses
    where tenant = any(${[...tenants]}::text[]) order by tenant, domain`.execute(db);
  return byTenant(rows, ({ group, reason, since }) => ({ group, reason, since: since.toISOString() }));
}

type Standing = {
  readonly name: string;
  readonly reason: string | null;
  readonly since: Date | null;
  readonly position: unknown;
};

export async function pausesAndCursors(
  { db }: Store,
  tenant: string,
  streams: readonly string[],
): ReturnType<PauseLedger['pausesAndCursors']> {
  const { rows } = await sql<Standing>`
    select domain as name, reason, since, null::jsonb as position from pauses where tenant = ${tenant}
    union all select stream, null, null, position from cursors
      where tenant = ${tenant} and stream = any(${[...streams]}::text[])
    order by name`.execute(db);
  const positions = new Map(rows.flatMap((row) => (row.since === null ? [[row.name, row.position]] : [])));
  return {
    pauses: rows.flatMap(({ name, reason, since }) =>
      since === null ? [] : [{ group: name as OperationGroup, reason: String(reason), since: since.toISOString() }],
    ),
    positions: streams.map((stream) => positions.get(stream) ?? null),
  };
}

export const pausedTenants: Statement<PauseLedger, 'pausedTenants'> = async (store, group) => {
  const rows = await store.db
    .selectFrom('pauses')
    .select(['tenant', 'since'])
    .where('domain', '=', group)
    .orderBy('tenant')
    .execute();
  return rows.map(({ tenant, since }) => ({ tenant, since: since.toISOString() }));
};
