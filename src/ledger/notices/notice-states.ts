import { sql } from 'kysely';
import type { OpenState } from '../../domain/notices/state.ts';
import type { OfTenants } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import type { KnownStates, NoticeLedger } from './notice-ledger.ts';
import { addMessages } from './notice-messages.ts';
import { openStateOf, STATE_COLUMNS, type StateRow } from './state-rows.ts';

export async function noticeStates({ db }: Store, tenants: readonly string[]): Promise<OfTenants<KnownStates>> {
  type Known = Omit<StateRow, 'cause'> & { tenant: string; generation: string; cause: string | null };
  const { rows } = await sql<Known>`
    select g.tenant, g.generation, ${STATE_COLUMNS} from notice_generations g
    left join notice_states s on s.tenant = g.tenant
    where g.tenant = any(${[...tenants]}::text[])`.execute(db);
  const found = Map.groupBy(rows, ({ tenant }) => tenant);
  return new Map(
    [...found].map(([tenant, own]) => [
      tenant,
      {
        generation: Number(own[0]?.generation ?? 0),
        open: own.flatMap((row) => (row.cause === null ? [] : (openStateOf({ ...row, cause: row.cause }) ?? []))),
      },
    ]),
  );
}

export const saveNoticeStates: Statement<NoticeLedger, 'saveNoticeStates'> = async (store, tenant, change, at) => {
  const { generation, changed, removed, messages } = change;
  if (!(await nextGeneration(store, tenant, generation))) return false;
  for (const { cause, subject } of removed)
    await sql`delete from notice_states where tenant = ${tenant} and cause = ${cause} and subject = ${subject}`.execute(
      store.db,
    );
  for (const state of changed) await saveState(store, tenant, state);
  await addMessages(store, tenant, messages, at);
  return true;
};

/**
 * Checks that no other process has changed a tenant's open states (conditions such as an outage) since they were read. If their stored
 * number of changes is `generation`, increases it by one, locks its row and returns true; otherwise returns false.
 */
async function nextGeneration({ db }: Store, tenant: string, generation: number): Promise<boolean> {
  if (generation === 0) {
    const first = await sql`insert into notice_generations (tenant, generation) values (${tenant}, 1)
      on conflict (tenant) do nothing`.execute(db);
    return (first.numAffectedRows ?? 0n) > 0n;
  }
  const { numAffectedRows = 0n } = await sql`update notice_generations set generation = generation + 1
    where tenant = ${tenant} and generation = ${generation}`.execute(db);
  return numAffectedRows > 0n;
}

async function saveState({ db }: Store, tenant: string, state: OpenState): Promise<void> {
  const { cause, subject, since, records, foundAt, isAnnounced, goneSince, to } = state;
  await sql`
    insert into notice_states (tenant, cause, subject, since, records, found_at, is_announced, gone_since, targets)
    values (${tenant}, ${cause}, ${subject}, ${since}::timestamptz, ${records}::integer,
      ${foundAt}::timestamptz, ${isAnnounced}, ${goneSince}::timestamptz, ${JSON.stringify(to)}::jsonb)
    on conflict (tenant, cause, subject) do update set
      since = excluded.since, records = excluded.records, found_at = excluded.found_at,
      is_announced = excluded.is_announced, gone_since = excluded.gone_since, targets = excluded.targets`.execute(db);
}
