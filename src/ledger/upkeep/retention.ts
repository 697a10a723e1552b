import { type RawBuilder, sql } from 'kysely';
import { DEFAULT_RETENTION, type Retention } from '../../domain/record/retention.ts';
import { inTransaction, type Statement, type Store } from '../core/store.ts';
import { LedgerError } from '../ledger-error.ts';
import { countForgotten, type ForgottenKind } from './count-forgotten.ts';
import { keepPartitions } from './journal-partitions.ts';
import type { Forgotten, UpkeepLedger } from './upkeep-ledger.ts';

/** How many rows one statement deletes at most, so that row locks stay short. */
export const FORGOTTEN_AT_ONCE = 10_000;

/**
 * Deletes rows whose retention has ended: journal lines, plans and deliveries. Links are never deleted, nor plans whose write is in doubt
 * (has no known answer).
 */
export const keepRetention: Statement<UpkeepLedger, 'keepRetention'> = async (store, tenant, keep, at) => {
  const claimed = await claim(store, tenant, keep, at);
  if (claimed === null) return null;
  await inTransaction(store, (tx) => keepPartitions(tx, at, keep.journalDays)).catch(leaveToNextTime);
  const forgotten: Forgotten = {
    journal: await forgetLines(store, tenant, keep, at, claimed.isShortened),
    plans: await forgetPlans(store, tenant, before(at, keep.plansMs)),
    deliveries: await forgetDeliveries(store, tenant, before(at, keep.deliveriesMs)),
  };
  for (const [kind, rows] of Object.entries(forgotten))
    await countForgotten(store, tenant, kind as ForgottenKind, rows);
  if (Object.values(forgotten).some((rows) => rows >= FORGOTTEN_AT_ONCE)) await allowNextRun(store, tenant);
  else if (claimed.isShortened)
    await sql`update retention set is_shortened = false
      where tenant = ${tenant} and journal_days = ${keep.journalDays}`.execute(store.db);
  return forgotten;
};

/**
 * Claims the deletion of a tenant's old rows for this worker. All workers together may claim it once an hour. Null if another worker has
 * claimed it within the last hour. `isShortened`: the retention has become shorter, so older journal lines must be deleted one by one.
 */
async function claim(
  { db }: Store,
  tenant: string,
  { journalDays }: Retention,
  at: string,
): Promise<{ readonly isShortened: boolean } | null> {
  const isShort = journalDays < DEFAULT_RETENTION.journalDays;
  const { rows } = await sql<{ isShortened: boolean }>`
    insert into retention (tenant, journal_days, is_shortened, looked_at)
    values (${tenant}, ${journalDays}, ${isShort}, ${at}::timestamptz)
    on conflict (tenant) do update set
      journal_days = excluded.journal_days, looked_at = excluded.looked_at,
      is_shortened = retention.is_shortened or excluded.journal_days < retention.journal_days
    where retention.looked_at <= excluded.looked_at - interval '1 hour'
    returning is_shortened as "isShortened"`.execute(db);
  return rows[0] ?? null;
}

async function allowNextRun({ db }: Store, tenant: string): Promise<void> {
  await sql`update retention set looked_at = looked_at - interval '1 hour' where tenant = ${tenant}`.execute(db);
}

/**
 * Ignores errors at creating or dropping partitions if the next run can succeed: a lock timeout, or a role that may not create tables.
 * Until then, new lines go to the default partition. Throws all other errors.
 */
function leaveToNextTime(error: unknown): void {
  const isLeft = error instanceof LedgerError && ['55P03', '42501'].includes(error.code);
  if (!isLeft) throw error;
}

/**
 * Deletes expired journal lines in the default partition. If a tenant's retention has become shorter, also deletes the tenant's lines that
 * are too old now.
 */
async function forgetLines(
  store: Store,
  tenant: string,
  { journalDays }: Retention,
  at: string,
  isShortened: boolean,
): Promise<number> {
  const ended = sql`delete from journal_rest
    where tenant = ${tenant} and seq = any(array(
      select seq from journal_rest where tenant = ${tenant} and expires_on <= ${at.slice(0, 10)}::date
      order by at limit ${FORGOTTEN_AT_ONCE}))`;
  const rest = await count(store, ended);
  if (!isShortened) return rest;
  const old = sql`delete from journal j
    using (
      select expires_on, seq from journal where tenant = ${tenant} and at < ${before(at, journalDays * DAY_MS)}
      order by at limit ${FORGOTTEN_AT_ONCE}
    ) as old
    where j.tenant = ${tenant} and j.expires_on = old.expires_on and j.seq = old.seq`;
  return rest + (await count(store, old));
}

const DAY_MS = 86_400_000;

/** Deletes old plans, except plans whose write is in doubt (without an answer). The outcome of each deleted plan stays in the journal. */
function forgetPlans(store: Store, tenant: string, until: string): Promise<number> {
  return count(
    store,
    sql`delete from plans where tenant = ${tenant} and id = any(array(
      select p.id from plans p
      where p.tenant = ${tenant} and p.created_at < ${until} and not (
        p.sent_at is not null and p.outcome is null and exists (
          select from links l where l.tenant = ${tenant} and l.key = p.key and l.vendor_in_doubt <> 'no'))
      order by p.created_at limit ${FORGOTTEN_AT_ONCE}))`,
  );
}

function forgetDeliveries(store: Store, tenant: string, until: string): Promise<number> {
  return count(
    store,
    sql`delete from deliveries where tenant = ${tenant} and id = any(array(
      select id from deliveries where tenant = ${tenant} and received_at < ${until}
      order by received_at limit ${FORGOTTEN_AT_ONCE}))`,
  );
}

async function count({ db }: Store, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(db)).numAffectedRows ?? 0n);
}

function before(at: string, ms: number): string {
  return new Date(Date.parse(at) - ms).toISOString();
}
