import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Message } from '../../domain/notices/message.ts';
import type { Statement, Store } from '../core/store.ts';
import type { NewMessage, NoticeLedger } from './notice-ledger.ts';
import { openStateOf, STATE_COLUMNS, type StateRow } from './state-rows.ts';

const DAY_MS = 86_400_000;
/** How long messages that were sent or given up stay stored, so that `lockstep notices` can show them. */
const KEPT_MS = 30 * DAY_MS;

/** The value of the column `tenant` for a message that concerns no single tenant, such as a digest (a collected message). */
export const NO_TENANT = '';

/** Stores notices to operators whose ids are new, and deletes the tenant's notices that were sent or given up more than `KEPT_MS` ago. */
export async function addMessages(
  { db }: Store,
  tenant: string,
  messages: readonly NewMessage[],
  at: string,
): Promise<void> {
  if (messages.length === 0) return;
  const kept = new Date(Date.parse(at) - KEPT_MS).toISOString();
  await sql`delete from notice_messages where tenant = ${tenant} and ended_at < ${kept}::timestamptz`.execute(db);
  for (const { id, channel, message, way, dueAt, expiresAt } of messages)
    await sql`
      insert into notice_messages (id, tenant, channel, cause, subject, message, state, created_at, due_at, expires_at)
      values (${id}, ${tenant}, ${channel}, ${message.cause ?? ''}, ${message.subject ?? ''},
        ${JSON.stringify(message)}::jsonb, ${way === 'now' ? 'waits' : 'digest'}, ${at}::timestamptz,
        ${dueAt}::timestamptz, ${expiresAt}::timestamptz)
      on conflict (tenant, id) do nothing`.execute(db);
}

export const makeDigest: Statement<NoticeLedger, 'makeDigest'> = async (
  { db },
  { id, channel, expiresAt },
  make,
  at,
) => {
  // The row is inserted first. Another process that makes the same digest then waits for this transaction, and finds the digest stored.
  const made = await sql`
    insert into notice_messages (id, tenant, channel, cause, subject, message, state, created_at, due_at, expires_at)
    values (${id}, ${NO_TENANT}, ${channel}, '', '', '{}', 'waits', ${at}::timestamptz, ${at}::timestamptz,
      ${expiresAt}::timestamptz)
    on conflict (tenant, id) do nothing`.execute(db);
  if ((made.numAffectedRows ?? 0n) === 0n) return false;
  const { rows: lines } = await sql<{ seq: string; message: Message }>`
    update notice_messages set state = 'in-digest', ended_at = ${at}::timestamptz
    where channel = ${channel} and state = 'digest' returning seq, message`.execute(db);
  const { rows: open } = await sql<StateRow & { tenant: string }>`
    select s.tenant, ${STATE_COLUMNS} from notice_states s
    where s.is_announced and s.targets @> ${JSON.stringify([{ channel }])}::jsonb
      and not exists (select from tenants t where t.tenant = s.tenant and t.state = 'removed')
    order by s.tenant, s.cause, s.subject`.execute(db);
  const message = make({
    changes: lines.toSorted((one, other) => Number(one.seq) - Number(other.seq)).map(({ message: line }) => line),
    open: open.flatMap((row) => {
      const state = openStateOf(row);
      return state === null ? [] : [{ tenant: row.tenant, ...state }];
    }),
  });
  await sql`update notice_messages set message = ${JSON.stringify(message)}::jsonb where tenant = ${NO_TENANT} and id = ${id}`.execute(
    db,
  );
  const kept = new Date(Date.parse(at) - KEPT_MS).toISOString();
  await sql`delete from notice_messages where tenant = ${NO_TENANT} and ended_at < ${kept}::timestamptz`.execute(db);
  return true;
};

export const claimMessages: Statement<NoticeLedger, 'claimMessages'> = async (
  { db },
  { channels, at, until, limit },
) => {
  type Row = { tenant: string; id: string; claim: string; channel: string; message: Message; attempts: number };
  const isFree = sql`(claimed_until is null or claimed_until <= ${at}::timestamptz)`;
  const { rows } = await sql<Row>`
    with given_up as (
      update notice_messages set state = 'given-up', ended_at = ${at}::timestamptz, error = coalesce(error, 'NEVER_TRIED')
      where state = 'waits' and due_at <= ${at}::timestamptz and expires_at <= ${at}::timestamptz and ${isFree}
    ), due as (
      select w.tenant, w.id from notice_messages w
      where w.state = 'waits' and w.due_at <= ${at}::timestamptz and w.expires_at > ${at}::timestamptz
        and (w.claimed_until is null or w.claimed_until <= ${at}::timestamptz)
        and w.channel = any(${[...channels]}::text[])
        and not exists (select from notice_messages e where e.state = 'waits' and e.tenant = w.tenant
          and e.channel = w.channel and e.cause = w.cause and e.subject = w.subject and e.seq < w.seq)
      order by w.due_at, w.seq limit ${limit} for update skip locked
    )
    update notice_messages m set claim = ${randomUUID()}, claimed_until = ${until}::timestamptz, attempts = attempts + 1
    from due where m.tenant = due.tenant and m.id = due.id
    returning m.tenant, m.id, m.claim, m.channel, m.message, m.attempts`.execute(db);
  return rows.map((row) => ({ ...row, until }));
};

export const settleMessage: Statement<NoticeLedger, 'settleMessage'> = async (
  { db },
  { tenant, id, claim },
  outcome,
  at,
) => {
  if (outcome.kind === 'sent')
    await sql`update notice_messages
      set state = 'sent', ended_at = ${at}::timestamptz, error = ${outcome.error}, claimed_until = null
      where tenant = ${tenant} and id = ${id} and state = 'waits'`.execute(db);
  else
    await sql`update notice_messages
      set due_at = ${outcome.againAt}::timestamptz, error = ${outcome.error}, claimed_until = null
      where tenant = ${tenant} and id = ${id} and state = 'waits' and claim = ${claim}`.execute(db);
};
