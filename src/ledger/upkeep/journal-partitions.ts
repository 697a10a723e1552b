import { sql } from 'kysely';
import type { Store } from '../core/store.ts';
import { countForgotten } from './count-forgotten.ts';

/**
 * One month of the journal (the log of decisions), which is a partition of the table. `from`: its first day; `to`: the first day of the
 * next month; both `YYYY-MM-DD`.
 */
export type Month = { readonly name: string; readonly from: string; readonly to: string };

/**
 * The months for which the journal (the log of decisions) needs partitions: the month in which a line that is written at `at` expires, and
 * the next one, for lines of the following weeks. `days`: how long lines are stored. Pure.
 */
export function monthsAhead(at: string, days: number): readonly Month[] {
  const end = new Date(Date.parse(at) + days * 86_400_000);
  return [0, 1].map((more) => monthOf(end.getUTCFullYear(), end.getUTCMonth() + more));
}

/** The month with the number `month`, counted from 0; numbers from 12 on are months of the next year. */
function monthOf(year: number, month: number): Month {
  const day = (n: number): string => new Date(Date.UTC(year, n, 1)).toISOString().slice(0, 10);
  const from = day(month);
  return { name: `journal_${from.slice(0, 7).replace('-', '_')}`, from, to: day(month + 1) };
}

/** The month in a partition's name; null for the default partition. Pure. */
export function monthNamed(name: string): Month | null {
  const [, year, month] = /^journal_(\d{4})_(\d\d)$/.exec(name) ?? [];
  return year === undefined ? null : monthOf(Number(year), Number(month) - 1);
}

/**
 * The maximum wait for the lock on the journal's table, in ms. It is short, because other statements on the table wait meanwhile. After a
 * timeout, the next run tries again.
 */
const LOCK_MS = 1_000;

/**
 * Creates partitions of the journal (the log of decisions) for new lines, and drops expired partitions. Creates no partition for a month if
 * the default partition already contains lines of that month, because PostgreSQL refuses this.
 */
export async function keepPartitions(store: Store, at: string, days: number): Promise<void> {
  const { db } = store;
  const names = await partitions(store);
  const missing = monthsAhead(at, days).filter(({ name }) => !names.includes(name));
  const today = at.slice(0, 10);
  const ended = names.flatMap((name) => monthNamed(name) ?? []).filter(({ to }) => to <= today);
  if (missing.length + ended.length === 0) return;
  await sql`select set_config('lock_timeout', ${`${LOCK_MS}ms`}, true)`.execute(db);
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('journal partitions')) as mine`.execute(db);
  if (rows[0]?.mine !== true) return;
  for (const month of missing) if (await isFree(store, month)) await make(store, month);
  for (const month of ended) await drop(store, month);
}

async function partitions({ db }: Store): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select (select relname from pg_class where oid = inhrelid) as name from pg_inherits
    where inhparent = to_regclass('journal') order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

async function isFree({ db }: Store, { from, to }: Month): Promise<boolean> {
  const { rows } = await sql`
    select from journal_rest where expires_on >= ${from} and expires_on < ${to} limit 1`.execute(db);
  return rows.length === 0;
}

async function make({ db }: Store, { from }: Month): Promise<void> {
  await sql`select add_journal_month(${from}::date)`.execute(db);
}

async function drop(store: Store, { from }: Month): Promise<void> {
  const { rows } = await sql<{ tenant: string; n: string }>`
    select tenant, n from drop_journal_month(${from}::date)`.execute(store.db);
  for (const { tenant, n } of rows) await countForgotten(store, tenant, 'journal', Number(n));
}
