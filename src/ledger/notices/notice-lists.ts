import { sql } from 'kysely';
import type { Message } from '../../domain/notices/message.ts';
import { byTenant, type OfTenants } from '../core/by-tenant.ts';
import type { Statement, Store } from '../core/store.ts';
import type { ListedMessage, MessageState, NoticeLedger, Undelivered } from './notice-ledger.ts';
import { NO_TENANT } from './notice-messages.ts';
import { openStateOf, STATE_COLUMNS, type StateRow } from './state-rows.ts';

const WEEK_MS = 604_800_000;

export async function undeliveredOf(
  { db }: Store,
  tenants: readonly string[],
  at: string,
): Promise<OfTenants<readonly Undelivered[]>> {
  type Row = { tenant: string; channel: string; waiting: string; since: Date | null; given_up: string; error: string };
  const weekAgo = new Date(Date.parse(at) - WEEK_MS).toISOString();
  const { rows } = await sql<Row>`
    select t.tenant, m.channel, count(*) filter (where m.state = 'waits') as waiting,
      min(m.created_at) filter (where m.state = 'waits') as since,
      count(*) filter (where m.state = 'given-up') as given_up,
      (array_agg(m.error order by m.seq desc))[1] as error
    from unnest(${[...tenants]}::text[]) as t (tenant)
    cross join lateral (
      select channel, state, created_at, error, seq from notice_messages
      where tenant = t.tenant and state = 'waits' and error is not null
      union all
      select channel, state, created_at, error, seq from notice_messages
      where tenant = t.tenant and state = 'given-up' and ended_at > ${weekAgo}::timestamptz) as m
    group by t.tenant, m.channel order by t.tenant, m.channel`.execute(db);
  return byTenant(rows, ({ channel, waiting, since, given_up, error }) => ({
    ...{ channel, error, waiting: Number(waiting), givenUp: Number(given_up) },
    since: since?.toISOString() ?? null,
  }));
}

export const listNotices: Statement<NoticeLedger, 'listNotices'> = async ({ db }, tenants, limit) => {
  const named = sql`tenant = any(${[...tenants]}::text[])`;
  const { rows: states } = await sql<StateRow & { tenant: string }>`
    select s.tenant, ${STATE_COLUMNS} from (select * from notice_states where is_announced and ${named}) as s
    order by s.tenant, s.cause, s.subject`.execute(db);
  const { rows } = await sql<MessageRow>`
    select id, tenant, channel, message ->> 'kind' as kind, message ->> 'title' as title, state, created_at, due_at,
      attempts, ended_at, error
    from notice_messages where ${named} order by seq desc limit ${limit}`.execute(db);
  return {
    open: states.flatMap((row) => {
      const state = openStateOf(row);
      return state === null ? [] : [{ tenant: row.tenant, ...state }];
    }),
    messages: rows.map(listedOf),
  };
};

type MessageRow = {
  readonly id: string;
  readonly tenant: string;
  readonly channel: string;
  readonly kind: Message['kind'];
  readonly title: string;
  readonly state: MessageState;
  readonly created_at: Date;
  readonly due_at: Date;
  readonly attempts: number;
  readonly ended_at: Date | null;
  readonly error: string | null;
};

function listedOf({ created_at, due_at, ended_at, tenant, ...rest }: MessageRow): ListedMessage {
  return {
    ...rest,
    tenant: tenant === NO_TENANT ? null : tenant,
    createdAt: created_at.toISOString(),
    dueAt: due_at.toISOString(),
    endedAt: ended_at?.toISOString() ?? null,
  };
}
