import { readFileSync } from 'node:fs';
import type pg from 'pg';
import { childrenOf, processorMs } from '../profile/processor-time.ts';

/** What PostgreSQL has done so far. */
export type Counters = {
  /** For each statement: its calls, and the pages that they read from PostgreSQL's memory or from the disk. */
  readonly statements: ReadonlyMap<string, { readonly calls: number; readonly pages: number }>;
  readonly walBytes: number;
  readonly updates: number;
  /** Updates of rows that changed no index ("heap-only tuples"). */
  readonly hotUpdates: number;
  readonly autovacuums: number;
  readonly deadRows: number;
  readonly liveRows: number;
  readonly databaseBytes: number;
  /** Processor time of all processes of the server. */
  readonly processorMs: number;
};

const TABLES = "relname in ('links', 'plans')";

/** Reads the counters of a server. `pid`: of its first process. */
export async function countersOf(client: pg.Client, pid: number): Promise<Counters> {
  const { rows } =
    await client.query(`select query, sum(calls) as calls, sum(shared_blks_hit + shared_blks_read) as pages
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database()) group by query`);
  const { rows: sums } = await client.query(`select
    pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as wal, pg_database_size(current_database()) as size,
    sum(n_tup_upd) as updates, sum(n_tup_hot_upd) as hot, sum(autovacuum_count) as vacuums,
    sum(n_dead_tup) as dead, sum(n_live_tup) as live from pg_stat_user_tables where ${TABLES}`);
  const [sum] = sums;
  return {
    statements: new Map(
      rows.map(({ query, calls, pages }) => [String(query), { calls: Number(calls), pages: Number(pages) }]),
    ),
    ...{ walBytes: Number(sum.wal), databaseBytes: Number(sum.size) },
    ...{ updates: Number(sum.updates), hotUpdates: Number(sum.hot), autovacuums: Number(sum.vacuums) },
    ...{ deadRows: Number(sum.dead), liveRows: Number(sum.live) },
    processorMs: processorMs(pid) ?? Number.NaN,
  };
}

/** Pages that a call of each statement reads, for statements with at least `MIN_CALLS` calls between two readings of the counters. */
export function pagesACall(before: Counters, after: Counters): ReadonlyMap<string, number> {
  const found = [...after.statements].flatMap(([query, { calls, pages }]) => {
    const former = before.statements.get(query) ?? { calls: 0, pages: 0 };
    const more = calls - former.calls;
    return more < MIN_CALLS ? [] : [[query, (pages - former.pages) / more] as const];
  });
  return new Map(found);
}

const MIN_CALLS = 20;

/** MB that the server's processes use, with shared pages counted once. */
export function serverMb(pid: number): number {
  const kb = [pid, ...childrenOf(pid)].map((each) => Number(/^Pss:\s+(\d+)/m.exec(memoryOf(each))?.[1] ?? 0));
  return kb.reduce((sum, each) => sum + each, 0) / 1_024;
}

/** What Linux says of a process's memory; an empty text if the process has just ended. */
function memoryOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  } catch {
    return '';
  }
}
